/**
 * The names a language goes by (docs/interface.md section 1): what a caller may write, and the canonical value that is stored and returned.
 */
import type { Language } from "../models/recognizer.js";

export const languages: readonly Language[] = [
	"ja-JP",
	"en-US",
	"zh-cmn-Hans-CN",
	"ja-JP-en-US",
	"zh-cmn-Hans-CN-en-US",
];

const aliases: Readonly<Record<string, Language>> = {
	ja: "ja-JP",
	en: "en-US",
	zh: "zh-cmn-Hans-CN",
	"zh-cn": "zh-cmn-Hans-CN",
	"ja-en": "ja-JP-en-US",
	jaen: "ja-JP-en-US",
	"zh-en": "zh-cmn-Hans-CN-en-US",
	zhen: "zh-cmn-Hans-CN-en-US",
};

const byName: ReadonlyMap<string, Language> = new Map([
	...languages.map((it): [string, Language] => [it.toLowerCase(), it]),
	...Object.entries(aliases),
]);

/** The canonical value of a name in any case, or undefined where nobody speaks it. */
export function parseLanguage(name: string): Language | undefined {
	return byName.get(name.toLowerCase());
}

/** Every name a caller may write, canonical values first: for messages and help texts. */
export const languageNames: readonly string[] = [
	...languages,
	...Object.keys(aliases),
];
