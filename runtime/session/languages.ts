/**
 * The names a language goes by (docs/interface.md section 1): what a caller may write, and the canonical value that is stored and returned.
 */
import { aliasesOf, type Language, languages } from "../text/languages.js";

const aliases = languages.flatMap((language) =>
	aliasesOf(language).map((name): [string, Language] => [name, language]),
);

const byName: ReadonlyMap<string, Language> = new Map([
	...languages.map((it): [string, Language] => [it.toLowerCase(), it]),
	...aliases,
]);

/** The canonical value of a name in any case, or undefined where nobody speaks it. */
export function parseLanguage(name: string): Language | undefined {
	return byName.get(name.toLowerCase());
}

/** Every name a caller may write, canonical values first: for messages and help texts. */
export const languageNames: readonly string[] = [
	...languages,
	...aliases.map(([name]) => name),
];
