/** Parts of a segment: the speech between its pauses, and a part as a separate segment. */
import type { SampleRange, Segment, Silence } from "../segmentation/events.js";

/** @param pauses some of the segment's, in order. */
export function spansBetween(
	{ speechStartSample, speechEndSample }: Segment,
	pauses: readonly Silence[],
): SampleRange[] {
	const starts = [speechStartSample, ...pauses.map((it) => it.endSample)];
	const ends = [...pauses.map((it) => it.startSample), speechEndSample];
	return starts.map((startSample, i) => ({
		startSample,
		endSample: ends[i] as number,
	}));
}

/**
 * @param sound the range to recognize: the speech, and silence around it.
 * @param speech inside that.
 */
export function subsegment(
	segment: Segment,
	{ startSample, endSample }: SampleRange,
	speech: SampleRange,
): Segment {
	const from = startSample - segment.startSample;
	const to = endSample - segment.startSample;
	return {
		...segment,
		startSample,
		speechStartSample: Math.max(startSample, speech.startSample),
		speechEndSample: speech.endSample,
		endSample,
		pauses: segment.pauses.filter(
			(it) => it.startSample >= startSample && it.endSample <= endSample,
		),
		samples: segment.samples.subarray(from, to),
	};
}
