/** The engine jobs of a task, from its options and its progress. Pure. */
import type {
	DiarizationJob,
	FileSource,
	RecognitionJob,
} from "../engine/file-job.js";
import {
	plainOptionsOf,
	type RecognitionOptions,
	switchedOff,
} from "../session/options.js";
import type { ReferredWords } from "../word-lists/references.js";
import type { FileOptions } from "./file-options.js";
import { audioSecondsMax } from "./file-options.js";
import {
	type FileUtterance,
	resultRecognitionOptionsOf,
} from "./result/parts.js";
import { isSuspicious, type Work } from "./work.js";

export type WantedRecognitionJob = Omit<RecognitionJob, "options"> & {
	readonly options: RecognitionOptions;
};

export function recognitionJobOf(
	path: string,
	options: FileOptions,
	words: ReferredWords,
	work: Work,
	durationSecondsMax = audioSecondsMax[options.variant],
): WantedRecognitionJob {
	const source = sourceOf(path, options, durationSecondsMax);
	return {
		is: "hear",
		source,
		options: {
			...switchedOff, // options stored by an older version have fewer
			...plainOptionsOf(options),
			durationSecondsMax,
			...resultRecognitionOptionsOf({
				punctuation: options.punctuation,
				lists: words,
			}),
			partials: false,
			...words,
		},
		resume: work.resume,
		skip: work.skip,
		oneByOne: isSuspicious(work),
	};
}

/** Whether speakers are requested and can only be found from the audio. */
export function wantsDiarization({ channels, clusters }: FileOptions): boolean {
	return channels === 1 && clusters !== undefined && clusters !== 1;
}

export function diarizationJobOf(
	path: string,
	options: FileOptions,
	utterances: Iterable<FileUtterance>,
	durationSecondsMax = audioSecondsMax[options.variant],
): DiarizationJob {
	const regions = [...utterances]
		.filter((it) => it.text !== "" && it.endMs > it.beginMs)
		.map(({ beginMs, endMs }) => ({ startMs: beginMs, endMs }));
	return {
		is: "voices",
		source: sourceOf(path, options, durationSecondsMax),
		regions,
		count: options.clusters ?? 0,
	};
}

function sourceOf(
	path: string,
	options: FileOptions,
	durationSecondsMax: number,
): FileSource {
	const { format, sampleRateHz, channels, gain } = options;
	return {
		path,
		format,
		sampleRateHz,
		channels,
		gain,
		durationSecondsMax,
	};
}
