/** The file name given by a client, made safe to display; never used as a path. */
const charactersMax = 255;

/** @param name may have folders, with slashes or backslashes. */
export function shownName(name: string | undefined): string {
	const last = (name ?? "").split(/[/\\]/).at(-1) ?? "";
	const clean = last
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, "")
		.trim();
	return [...clean].slice(0, charactersMax).join("");
}

/** The last part of a URL's path. */
export function nameInUrl(url: string): string {
	try {
		return shownName(decodeURIComponent(new URL(url).pathname));
	} catch {
		return ""; // an invalid escape
	}
}
