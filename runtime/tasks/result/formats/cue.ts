/** A segment as a subtitle: in both formats a cue must last at least 1 ms, and no line may be empty. */
import type { ResultSegment } from "../result.js";
import { timeCodeMs } from "../time-code.js";

export interface Cue {
	readonly number: number;
	readonly beginMs: number;
	/** At least 1 ms after the begin. */
	readonly endMs: number;
	/** One line. */
	readonly text: string;
	/** Name or number. */
	readonly speaker: number | string | undefined;
}

export function* cuesOf(segments: Iterable<ResultSegment>): Generator<Cue> {
	let number = 0;
	for (const segment of segments) {
		const text = inOneLine(segment.transcript);
		if (text === "") continue;
		const beginMs = timeCodeMs(segment.begin);
		const endMs = Math.max(timeCodeMs(segment.end), beginMs + 1);
		yield {
			number: ++number,
			beginMs,
			endMs,
			text,
			speaker: segment.speaker ?? segment.cluster_id,
		};
	}
}

/** A person's correction may have line breaks, which would begin another line of the file. */
export function inOneLine(transcript: string): string {
	return transcript.replace(/\s+/gu, " ").trim();
}
