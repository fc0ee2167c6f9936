/**
 * SubRip (.srt). There is no standard, only the practice of players: a number, `hh:mm:ss,mmm --> hh:mm:ss,mmm`, lines of text, an empty line; lines end in CR
 * LF. Nothing can be escaped: an arrow in the text, which would be read as a time, is written as the sign →. There is no field for speakers: as in plain text
 * the number comes first, in each subtitle, since a player shows one at a time.
 */
import type { ResultSegment } from "../result.js";
import { timeCode } from "../time-code.js";
import { cuesOf } from "./cue.js";

export function* writeSrt(
	segments: Iterable<ResultSegment>,
): Generator<string> {
	for (const { number, beginMs, endMs, text, speaker } of cuesOf(segments)) {
		const when = `${timeCode(beginMs)} --> ${timeCode(endMs)}`;
		const who = speaker === undefined ? "" : `${speaker}: `;
		const line = `${who}${text}`.replaceAll("-->", "→");
		yield `${number}\r\n${when}\r\n${line}\r\n\r\n`;
	}
}
