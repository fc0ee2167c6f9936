/**
 * SubRip (.srt). There is no standard but what players do: a number, `hh:mm:ss,mmm --> hh:mm:ss,mmm`, lines of text, an empty line; lines end in CR LF.
 * Nothing can be escaped and speakers have no place: an arrow in the text, which would pass for a time, is written as the sign.
 */
import type { ResultSegment } from "../result.js";
import { timeCode } from "../time-code.js";
import { cuesOf } from "./cue.js";

export function* writeSrt(
	segments: Iterable<ResultSegment>,
): Generator<string> {
	for (const { number, beginMs, endMs, text } of cuesOf(segments)) {
		const when = `${timeCode(beginMs)} --> ${timeCode(endMs)}`;
		yield `${number}\r\n${when}\r\n${text.replaceAll("-->", "→")}\r\n\r\n`;
	}
}
