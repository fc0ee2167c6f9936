/**
 * What the recognition of a segment asks of a recognizer, wherever that is: in this process, one after the other, or in a pool.
 */
import type { Hypothesis, SegmentRequest } from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";

/** A segment to be recognised, or only its language to be told. */
export interface SegmentQuery
	extends Pick<SegmentRequest, "spokenIn" | "languageSpans" | "languageOnly"> {
	readonly segment: Segment;
}

/**
 * Recognises segments, in the order or all at once.
 * @param isAgain the segment, or what they are pieces of, was recognised before.
 * @throws WorkCancelled
 */
export type Recognize = (
	queries: readonly SegmentQuery[],
	isAgain: boolean,
) => Promise<readonly Hypothesis[]>;

/** Nobody wants it any more. */
export class WorkCancelled extends Error {}

/** @throws WorkCancelled where one of them was cancelled. */
export function uncancelled(
	found: readonly (Hypothesis | "cancelled")[],
): readonly Hypothesis[] {
	return found.map((it) => {
		if (it === "cancelled") throw new WorkCancelled("cancelled");
		return it;
	});
}
