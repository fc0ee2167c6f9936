/**
 * The supported languages, each declared once (docs/interface.md section 1): the canonical `lang_type`, aliases, writing style,
 * and the components of mixed languages. Text rules are registered in text/registry.ts.
 */
import type { MarkStyle } from "./punctuation.js";

interface Declaration {
	/** Other names that callers may use, in any case. */
	readonly aliases: readonly string[];
	/** `en`: words are separated by spaces, marks are half width. */
	readonly marks: MarkStyle;
	readonly mixes?: readonly [eastern: string, english: string];
}

const declared = {
	"ja-JP": { aliases: ["ja"], marks: "ja" },
	"en-US": { aliases: ["en"], marks: "en" },
	"zh-cmn-Hans-CN": { aliases: ["zh", "zh-cn"], marks: "zh" },
	"ja-JP-en-US": {
		aliases: ["ja-en", "jaen"],
		marks: "ja",
		mixes: ["ja-JP", "en-US"],
	},
	"zh-cmn-Hans-CN-en-US": {
		aliases: ["zh-en", "zhen"],
		marks: "zh",
		mixes: ["zh-cmn-Hans-CN", "en-US"],
	},
} as const satisfies Readonly<Record<string, Declaration>>;

/** The canonical `lang_type` values. */
export type Language = keyof typeof declared;

/** Those that are not mixed. */
export type SingleLanguage = {
	[L in Language]: (typeof declared)[L] extends { readonly mixes: unknown }
		? never
		: L;
}[Language];

/** The eastern language, and English. */
export type LanguagePair = readonly [eastern: Language, english: Language];

export const languages = Object.keys(declared) as readonly Language[];

export function aliasesOf(language: Language): readonly string[] {
	return declared[language].aliases;
}

/** @returns undefined where speech is in one language. */
export function pairOf(language: Language): LanguagePair | undefined {
	const one = declared[language];
	return "mixes" in one ? one.mixes : undefined;
}

/** How marks and spaces are written; mixed speech follows its eastern language. */
export function markStyleOf(language: Language): MarkStyle {
	return declared[language].marks;
}

/** Japanese-English counts as Japanese. */
export function isJapanese(language: Language): boolean {
	return markStyleOf(language) === "ja";
}

/** Chinese-English counts as Chinese. */
export function isChinese(language: Language): boolean {
	return markStyleOf(language) === "zh";
}

/** Words are separated by spaces. */
export function isSpaced(language: Language): boolean {
	return markStyleOf(language) === "en";
}

/**
 * Natural log odds of the pair's eastern language against English, as returned by a model. Beyond this the language counts as certain: of passages of half a second or
 * more, 1 in 250 is then in the other language (measured with whisper-base).
 */
export const sureLogOdds = 2.2;
