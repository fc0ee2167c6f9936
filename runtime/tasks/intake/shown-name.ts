/** The name of a file as a client gave it, fit to be shown: it names nothing on this device. */
const charactersMax = 255;

/** @param name possibly with folders, in either way of writing them. */
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
		return ""; // a broken escape
	}
}
