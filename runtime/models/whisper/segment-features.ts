/**
 * Data of a segment that both the search and the writing of its text need.
 */

import type { Language, SingleLanguage } from "../../text/languages.js";
import type { SegmentRequest } from "../recognizer.js";
import type { PromptLanguage } from "./punctuator.js";
import { promptOf, type WhisperShape } from "./shape.js";

const promptLanguages: Readonly<Record<SingleLanguage, PromptLanguage>> = {
	"ja-JP": "ja",
	"zh-cmn-Hans-CN": "zh",
	"en-US": "en",
};
const prompts: Readonly<Partial<Record<Language, PromptLanguage>>> =
	promptLanguages;

/** @param language a single language, not a mixed one. */
export function promptLanguageOf(language: Language): PromptLanguage {
	const prompt = prompts[language];
	if (prompt === undefined)
		throw new Error(`${language} is not a single language`);
	return prompt;
}

/** A segment's features, before its language is known. */
export interface SegmentFeatures {
	readonly request: SegmentRequest;
	readonly features: Float32Array;
	/** Frames that the samples fill; the rest of the features is padding. */
	readonly frames: number;
	/** Level difference between loud and quiet frames, in dB. */
	readonly swingDb: number;
	readonly guards: string[];
}

export interface IdentifiedSegment extends SegmentFeatures {
	readonly language: PromptLanguage;
}

/** The tokens before a segment's text. English speech is not translated, only written. */
export function promptFor(
	shape: WhisperShape,
	{
		request: { translatedFrom },
		language,
	}: Pick<IdentifiedSegment, "request" | "language">,
): readonly number[] {
	const spoken = translatedFrom ? promptLanguageOf(translatedFrom) : language;
	return promptOf(shape, languageTokenOf(shape, spoken), spoken !== language);
}

/** @throws when the model does not support the language. */
export function languageTokenOf(
	shape: WhisperShape,
	language: PromptLanguage,
): number {
	const token = shape.languageTokens[language];
	if (token === undefined)
		throw new Error(`the model has no language ${language}`);
	return token;
}
