/**
 * A segment on its way through the recognizer: what the search and the writer both look at.
 */
import type { WhisperShape } from "../manifest.js";
import type { Language, SegmentRequest } from "../recognizer.js";
import type { PromptLanguage } from "./punctuator.js";

/** One prompt language a `lang_type`: Whisper hears English inside Chinese and Japanese. */
export const promptLanguage: Readonly<Record<Language, PromptLanguage>> = {
	"ja-JP": "ja",
	"ja-JP-en-US": "ja",
	"zh-cmn-Hans-CN": "zh",
	"zh-cmn-Hans-CN-en-US": "zh",
	"en-US": "en",
};

export interface HeardSegment {
	readonly request: SegmentRequest;
	readonly language: PromptLanguage;
	readonly features: Float32Array;
	/** Of the features, those that the samples fill. */
	readonly frames: number;
	readonly guards: string[];
}

/** @throws when the model was not trained on it. */
export function languageTokenOf(
	shape: WhisperShape,
	language: PromptLanguage,
): number {
	const token = shape.languageTokens[language];
	if (token === undefined)
		throw new Error(`the model has no language ${language}`);
	return token;
}
