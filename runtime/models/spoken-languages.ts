/**
 * What a mixed `lang_type` is mixed of (docs/decisions.md section 2), and what is known of the language that was spoken.
 */
import type { Language } from "./recognizer.js";

/** The eastern language, and English. */
export type LanguagePair = readonly [eastern: Language, english: Language];

const pairs: Readonly<Partial<Record<Language, LanguagePair>>> = {
	"ja-JP-en-US": ["ja-JP", "en-US"],
	"zh-cmn-Hans-CN-en-US": ["zh-cmn-Hans-CN", "en-US"],
};

/** @returns undefined where speech is in one language. */
export function pairOf(language: Language): LanguagePair | undefined {
	return pairs[language];
}

/**
 * Natural log-odds of the pair's eastern language against English, as a model gives them. Past this one of them is sure: of passages of half a second and
 * more 1 in 250 is then in the other language (measured with whisper-base).
 */
export const sureLogOdds = 2.2;
