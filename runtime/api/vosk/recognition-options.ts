/** The recognition that the configuration of a connection stands for. */
import { formatOf, rawAudio } from "../../session/audio-source.js";
import {
	defaultSwitches,
	endlessSpeech,
	hotwordsWeightDefault,
	type RecognitionOptions,
	sentenceSilenceMsDefault,
} from "../../session/options.js";
import type { VoskConfig } from "./client-message.js";
import type { ProtocolContext } from "./protocol-states.js";

/** @throws CodedError */
export function recognitionOf(
	{ rateHz, words, phrases }: VoskConfig,
	context: ProtocolContext,
): RecognitionOptions {
	const language = context.language();
	return {
		...language,
		...formatOf(rawAudio({ rate: rateHz })),
		gain: 1,
		...endlessSpeech,
		keepsWhole: false,
		maxSentenceSilenceMs: sentenceSilenceMsDefault,
		...defaultSwitches,
		words,
		partials: true,
		...context.wordLists.resolve(
			{ hotwordsList: phrases, hotwordsWeight: hotwordsWeightDefault },
			language.language,
			language.languageChoices,
		),
	};
}
