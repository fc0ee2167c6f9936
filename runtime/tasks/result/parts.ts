/** The inputs of a transcript and its output, piece by piece: the port between the runner of a file's jobs and the composer (compose.ts). */

import type { Turn } from "../../engine/file-job.js";
import type { UnrecognizedSpeech } from "../../models/recognizer.js";
import type { Utterance } from "../../session/events.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { Language } from "../../text/languages.js";
import type { FileOptions } from "../file-options.js";
import type { ResultSegment, Statistics } from "./result.js";

/**
 * Recognition options of every file, whatever was requested: sentences and subtitles are cut by marks and word times. The composer removes what was not
 * requested.
 */
export const resultRecognitionOptions = {
	punctuation: true,
	words: true,
} as const;

/** With punctuation or without, which is left out of the sentences later. */
export function resultRecognitionOptionsOf({
	punctuation,
	lists: { corrections = [], forbidden = [] },
}: {
	readonly punctuation: boolean;
	readonly lists: Pick<RecognitionOptions, "corrections" | "forbidden">;
}) {
	const ignores = !punctuation && corrections.length + forbidden.length > 0;
	return {
		...resultRecognitionOptions,
		...(ignores && { listsIgnoreMarks: true }),
	};
}

export type FileUtterance = Utterance & {
	readonly skipped?: boolean;
	/** Speech without text that was given up. */
	readonly unheard?: UnrecognizedSpeech;
};

export interface ResultParts {
	readonly options: FileOptions;
	/** Utterances of each channel, in order of time. Read up to twice, from the beginning. */
	readonly channels: readonly Iterable<FileUtterance>[];
	/** Turns in order of time; empty without diarization. */
	readonly turns: readonly Turn[];
	readonly times: TaskTimes;
	/** Called if the options request keywords. */
	readonly keywords: ResultKeywordSource;
}

export type TaskTimes = Pick<
	Statistics,
	"insert_time" | "process_time" | "finish_time"
>;

/** Extracts keywords from a transcript. */
export interface ResultKeywordSource {
	/** @returns at most `countMax` words of the text, best first. @throws CodedError */
	find(
		text: string,
		language: Language,
		countMax: number,
	): Promise<readonly string[]>;
}

/** Some segments, in order; the last piece is the statistics. */
export type ResultPiece =
	| { readonly is: "segments"; readonly segments: readonly ResultSegment[] }
	| { readonly is: "statistics"; readonly statistics: Statistics };
