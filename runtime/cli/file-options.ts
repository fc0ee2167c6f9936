/** The options of a file task, as the command line would request them. */
import {
	defaultSwitches,
	hotwordsWeightDefault,
	sentenceSilenceMsDefault,
} from "../session/options.js";
import type { FileOptions } from "../tasks/file-options.js";
import type { AudioFile } from "./audio-file.js";
import type { TranscribeOptions } from "./file-transcriber.js";

/** @param clusters number of speakers; 0: detected; absent: not wanted. */
export function transcribeTaskOptions(
	file: AudioFile,
	options: TranscribeOptions,
	clusters?: number,
): FileOptions {
	const { language, sampleRateHz, punctuation, words, hotwords, subtitles } =
		options;
	return {
		variant: "standard",
		language,
		format: file.format,
		sampleRateHz,
		channels: 1,
		gain: 1,
		output: subtitles === undefined ? "text" : "subtitle",
		maxSentenceSilenceMs: sentenceSilenceMsDefault,
		...defaultSwitches,
		punctuation,
		words,
		wordsType: 0,
		...(clusters !== undefined && { clusters }),
		keywordsQuantity: 0,
		langLabel: false,
		hotwordsWeight: hotwords?.weight ?? hotwordsWeightDefault,
	};
}
