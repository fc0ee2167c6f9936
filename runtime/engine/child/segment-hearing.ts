/**
 * A segment of a file recognised, and again in pieces where its words leave speech out (session/unheard.ts).
 */
import assert from "node:assert";
import type { SegmentRequest } from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";
import { type Part, saysMore, unheardPieces } from "../../session/unheard.js";
import type { Asker, RecognizerPool } from "./pool/recognizer-pool.js";

export class SegmentHearing {
	readonly #pool: RecognizerPool;
	readonly #requestOf: (segment: Segment) => SegmentRequest;
	readonly #signal: AbortSignal;

	/** @param requestOf cancelled by the signal, and by nothing else. */
	constructor(
		pool: RecognizerPool,
		requestOf: (segment: Segment) => SegmentRequest,
		signal: AbortSignal,
	) {
		this.#pool = pool;
		this.#requestOf = requestOf;
		this.#signal = signal;
	}

	/** @returns what it was heard as: one part, or pieces. @throws the signal's reason */
	async hear(segment: Segment, asker: Asker): Promise<readonly Part[]> {
		const whole = await this.#recognize(segment, asker, false);
		const pieces = unheardPieces(segment, whole.hypothesis);
		if (pieces.length === 0) return [whole];
		const parts = await Promise.all(
			pieces.map((it) => this.#recognize(it, asker, true)),
		);
		const texts = parts.map((it) => it.hypothesis);
		return saysMore(texts, whole.hypothesis) ? parts : [whole];
	}

	async #recognize(
		segment: Segment,
		asker: Asker,
		isAgain: boolean,
	): Promise<Part> {
		const request = this.#requestOf(segment);
		const hypothesis = await this.#pool.hear(request, asker, isAgain);
		this.#signal.throwIfAborted();
		assert(hypothesis !== "cancelled");
		return { segment, hypothesis };
	}
}
