/**
 * Names of languages (docs/interface.md section 1): what a caller may write, and the canonical value that is stored and returned.
 */

import { aliasesOf, type Language, languages } from "../text/languages.js";
import { lowerCaseOf } from "../text/lower-case.js";

const aliases = languages.flatMap((language) =>
	aliasesOf(language).map((name): [string, Language] => [name, language]),
);

const byName: ReadonlyMap<string, Language> = new Map([
	...languages.map((it): [string, Language] => [it.toLowerCase(), it]),
	...aliases,
]);

/** The canonical value of a name in any case; undefined for an unknown name. */
export function parseLanguage(name: string): Language | undefined {
	return byName.get(lowerCaseOf(name));
}

/** All accepted names, canonical values first: for messages and help texts. */
export const languageNames: readonly string[] = [
	...languages,
	...aliases.map(([name]) => name),
];
