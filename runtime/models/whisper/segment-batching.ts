/**
 * Which segments the decoder recognizes together: as many as share a step's cost well, and as their cross-attention has memory for. All steps of a batch have the same
 * number of tokens, so what precedes the text must be as long.
 */
import { sampleRateHz } from "../../audio/sample-rate.js";
import type { SegmentRequest } from "../recognizer.js";
import type { CrossAttentionCache } from "./cross-attention-cache.js";
import type { WhisperDecoder } from "./decoder.js";
import { contextFor, sharedContextFor } from "./encoder.js";

/** Segments in one batch of the decoder; larger batches hardly lower the cost per segment. */
const togetherMax = 8;
/** Memory for the cross-attention of one batch. */
const cacheBytesMax = 192 * 1024 * 1024;
/** Of the encoded sound. */
export const positionsPerSecond = 50;

export class SegmentBatching {
	/** Whether segments of a batch may be encoded with contexts of different lengths. */
	readonly #takesUnequalLengths: boolean;
	readonly #crossCache: Pick<CrossAttentionCache, "bytesOf">;

	constructor(
		decoder: Pick<WhisperDecoder, "supportsUnequalLengths">,
		crossCache: Pick<CrossAttentionCache, "bytesOf">,
	) {
		this.#takesUnequalLengths = decoder.supportsUnequalLengths;
		this.#crossCache = crossCache;
	}

	/** The first request and those nearest to it in length, which end at about the same time. */
	next(
		waiting: readonly SegmentRequest[],
		sideBySide: number,
	): SegmentRequest[] {
		const [first] = waiting;
		if (!first) return [];
		const apart = (it: SegmentRequest) =>
			Math.abs(it.samples.length - first.samples.length);
		const nearest = waiting.slice(1).sort((a, b) => apart(a) - apart(b));
		const most = this.#togetherOf(waiting.length, sideBySide);
		const batch = [first];
		for (const request of nearest)
			if (batch.length < most && this.#mayJoin(request, batch))
				batch.push(request);
		return batch;
	}

	/** Full batches, but smaller ones towards the end, so that no recognizer still has a full batch when the others are done. */
	#togetherOf(count: number, sideBySide: number): number {
		if (!this.#takesUnequalLengths) return togetherMax;
		return Math.min(togetherMax, Math.ceil(count / sideBySide));
	}

	/** Longest first, segments of about the same length together: as searches end early, the remaining ones share a step's cost among fewer. */
	groupsOf(requests: readonly SegmentRequest[]): SegmentRequest[][] {
		const sorted = requests.toSorted((a, b) => secondsOf(b) - secondsOf(a));
		const groups: SegmentRequest[][] = [];
		for (const request of sorted) {
			const last = groups.at(-1);
			if (last && this.#mayJoin(request, last)) last.push(request);
			else groups.push([request]);
		}
		return groups;
	}

	#mayJoin(
		request: SegmentRequest,
		others: readonly SegmentRequest[],
	): boolean {
		const contexts = [request, ...others].map((it) => this.contextOf(it));
		const context = Math.max(...contexts);
		const equal = context === Math.min(...contexts);
		const bytes = this.#crossCache.bytesOf(context * positionsPerSecond);
		const room = Math.min(togetherMax, Math.floor(cacheBytesMax / bytes));
		const settled = others.every((it) => settledIn(it) === settledIn(request));
		return (
			settled && others.length < room && (equal || this.#takesUnequalLengths)
		);
	}

	/** Does not depend on the rest of the batch. */
	contextOf(request: SegmentRequest): number {
		const seconds = secondsOf(request);
		return this.#takesUnequalLengths
			? contextFor(seconds, request.open ?? false)
			: sharedContextFor(seconds);
	}
}

function settledIn({ prefixTokens = [] }: SegmentRequest): number {
	return prefixTokens.length;
}

export function secondsOf({
	samples,
}: Pick<SegmentRequest, "samples">): number {
	return samples.length / sampleRateHz;
}
