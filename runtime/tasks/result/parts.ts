/**
 * What a transcript is made of, and what comes out piece by piece: the port between whoever ran a file's jobs and the composer (compose.ts).
 */

import type { Turn } from "../../engine/file-job.js";
import type { UnrecognizedSpeech } from "../../models/recognizer.js";
import type { Utterance } from "../../session/events.js";
import type { Language } from "../../text/languages.js";
import type { FileOptions } from "../file-options.js";
import type { ResultSegment, Statistics } from "./result.js";

/**
 * How a file is heard, whatever its caller asked for: sentences and subtitles are cut by marks and by the times of words. What was not asked for is taken
 * out again by the composer.
 */
export const resultRecognitionOptions = {
	punctuation: true,
	words: true,
} as const;

export type FileUtterance = Utterance & {
	readonly skipped?: boolean;
	/** It has no text: speech that was given up. */
	readonly unheard?: UnrecognizedSpeech;
};

export interface ResultParts {
	readonly options: FileOptions;
	/** Of each channel, in order of time. Read up to twice, from the beginning. */
	readonly channels: readonly Iterable<FileUtterance>[];
	/** Who spoke when, in order of time; empty where nobody asked for voices. */
	readonly turns: readonly Turn[];
	readonly times: TaskTimes;
	/** Asked where the options want keywords. */
	readonly keywords: ResultKeywordSource;
}

export type TaskTimes = Pick<
	Statistics,
	"insert_time" | "process_time" | "finish_time"
>;

/** Finds what a transcript is about. */
export interface ResultKeywordSource {
	/** @returns at most `countMax` words that stand in the text, best first. @throws CodedError */
	find(
		text: string,
		language: Language,
		countMax: number,
	): Promise<readonly string[]>;
}

/** Some segments, in order; and at the very end the statistics, once. */
export type ResultPiece =
	| { readonly is: "segments"; readonly segments: readonly ResultSegment[] }
	| { readonly is: "statistics"; readonly statistics: Statistics };
