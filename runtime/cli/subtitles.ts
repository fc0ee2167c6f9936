/** Subtitles of a transcribed file, as the API writes them. */
import { writeSrt } from "../tasks/result/formats/srt.js";
import { writeVtt } from "../tasks/result/formats/vtt.js";
import type { ResultSegment } from "../tasks/result/result.js";

export const subtitleFormats = ["srt", "vtt"] as const;
export type SubtitleFormat = (typeof subtitleFormats)[number];

const writers = { srt: writeSrt, vtt: writeVtt } as const;

/** @param lines segments of `output: subtitle` */
export function writtenSubtitles(
	format: SubtitleFormat,
	lines: Iterable<ResultSegment>,
): string {
	return [...writers[format](lines)].join("");
}
