/** The file name given by a client, made safe to display; never used as a path. */
const charactersMax = 255;

/**
 * What can't be seen, or turns the order of what can be. Joiners stay behind a letter or sign: Persian and Indian writing, and emoji of several parts, are
 * spelled with them.
 */
const notShown =
	/[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}|(?<![\p{L}\p{M}\p{S}])[\u200c\u200d]/gu;

/** @param name may have folders, with slashes or backslashes. */
export function shownName(name: string | undefined): string {
	const last = (name ?? "").split(/[/\\]/).at(-1) ?? "";
	const clean = last.replace(notShown, "").trim();
	return [...clean].slice(0, charactersMax).join("");
}

/** The last part of a URL's path; as it is written there where its escapes are of another encoding than UTF-8. */
export function nameInUrl(url: string): string {
	const { pathname } = new URL(url);
	try {
		return shownName(decodeURIComponent(pathname));
	} catch {
		return shownName(pathname);
	}
}
