/**
 * The queries that recognizing a segment sends to a recognizer, whether in this process, one after the other, or in a pool.
 */
import type { Hypothesis, SegmentRequest } from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";

/** A segment to recognize, or only to identify its language. */
export interface SegmentQuery
	extends Pick<SegmentRequest, "spokenIn" | "languageSpans" | "languageOnly"> {
	readonly segment: Segment;
}

/**
 * Recognizes segments, in order or all at once.
 * @param isAgain the segments, or the segment they are pieces of, were recognized before.
 * @throws WorkCancelled
 */
export type Recognize = (
	queries: readonly SegmentQuery[],
	isAgain: boolean,
) => Promise<readonly Hypothesis[]>;

/** The result is no longer wanted. */
export class WorkCancelled extends Error {}

/** @throws WorkCancelled if any of them was cancelled. */
export function uncancelledResults(
	found: readonly (Hypothesis | "cancelled")[],
): readonly Hypothesis[] {
	return found.map((it) => {
		if (it === "cancelled") throw new WorkCancelled("cancelled");
		return it;
	});
}
