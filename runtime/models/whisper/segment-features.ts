/**
 * A segment on its way through the recognizer: what search and writing both need.
 */

import type { Language, SingleLanguage } from "../../text/languages.js";
import type { SegmentRequest } from "../recognizer.js";
import type { PromptLanguage } from "./punctuator.js";
import type { WhisperShape } from "./shape.js";

const promptLanguages: Readonly<Record<SingleLanguage, PromptLanguage>> = {
	"ja-JP": "ja",
	"zh-cmn-Hans-CN": "zh",
	"en-US": "en",
};
const prompts: Readonly<Partial<Record<Language, PromptLanguage>>> =
	promptLanguages;

/** @param language one, not a mixture. */
export function promptLanguageOf(language: Language): PromptLanguage {
	const prompt = prompts[language];
	if (prompt === undefined)
		throw new Error(`${language} is not a single language`);
	return prompt;
}

/** A segment's features, before anything is known of what is said. */
export interface SegmentFeatures {
	readonly request: SegmentRequest;
	readonly features: Float32Array;
	/** Of the features, those that the samples fill. */
	readonly frames: number;
	/** What its loud frames have over the quiet ones. */
	readonly swingDb: number;
	readonly guards: string[];
}

export interface IdentifiedSegment extends SegmentFeatures {
	readonly language: PromptLanguage;
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
