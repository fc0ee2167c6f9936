/**
 * Decides what to decode next: the pure half of a session's decoding. Segment events go in, one decode at a time comes out, its result goes back in.
 *
 * INVARIANTS
 * - At most one decode is in progress: `next` returns nothing between a decode and its `settle`.
 * - A segment that ended always gets a final, in the order of the segments. Any other decode may be dropped.
 * - What is decoded for a segment's final depends on the audio alone, never on when the work was done: a segment that ends in a pause gets
 *   the decode of the pause's samples, whether that ran ahead (speculative) or after the end.
 * - A partial decodes the segment as it is when the decode begins, so none is ever queued; it is dropped when a pause or the end makes it unnecessary.
 */

import assert from "node:assert";
import type { Hypothesis } from "../models/recognizer.js";
import type { Segment, SegmentEvent } from "../segmentation/events.js";
import type { Language } from "../text/languages.js";

/** `final` is owed to the caller; `speculative` is useful only if the pause lasts; `partial` only for a moment. */
export type Urgency = "final" | "speculative" | "partial";

export interface Decode {
	readonly urgency: Urgency;
	readonly segment: Segment;
	/** For a partial: committed tokens, */
	readonly prefixTokens?: readonly number[];
	/** whether its words are wanted, */
	readonly words?: boolean;
	/** and the known or presumed language, in mixed speech: see SegmentRequest. */
	readonly spokenIn?: Language;
	readonly presumedIn?: Language;
}

/** Creates the next partial; undefined when none is due. */
export type PartialSource = () => Omit<Decode, "urgency"> | undefined;

export interface DecodedSegment {
	readonly segment: Segment;
	readonly hypothesis: Hypothesis;
	/** Position in the audio at which the segment was found to have ended. */
	readonly decidedAtSample: number;
}

/** Samples to decode and their text; `hypothesis` is absent until they were decoded. */
type PendingDecode = {
	/** What to decode. */
	readonly samplesOf: Segment;
	/** The segment whose final this is; absent while the segment is open. */
	ended?: { readonly segment: Segment; readonly atSample: number };
	hypothesis?: Hypothesis;
};

export class DecodePlan {
	/** Ended segments in order, decoded or not. */
	readonly #finals: PendingDecode[] = [];
	/** The segment that is open. */
	#openIndex: number | undefined;
	/** The pause that the open segment is in. */
	#pause: PendingDecode | undefined;
	#running: { decode: Decode; pending: PendingDecode } | undefined;

	/** @param atSample how much audio had arrived at the time of the event. */
	accept(event: SegmentEvent, atSample: number): void {
		switch (event.is) {
			case "begin":
				this.#openIndex = event.index;
				this.#pause = undefined;
				return;
			case "resume":
				this.#pause = undefined;
				return;
			case "pause":
				this.#pause = { samplesOf: event.segment };
				return;
			case "end":
				this.#finals.push(this.#pendingOf(event.segment, atSample));
				this.#openIndex = undefined;
				this.#pause = undefined;
		}
	}

	/**
	 * @param urgency the least urgent work wanted now: with input waiting, a pause may be over already.
	 * @param partials called when there is nothing more urgent to do.
	 */
	next(urgency: Urgency, partials?: PartialSource): Decode | undefined {
		if (this.#running) return undefined;
		const final = this.#finals.find((it) => !it.hypothesis);
		if (final) return this.#start("final", final);
		if (urgency === "final" || this.#openIndex === undefined) return undefined;
		if (this.#pause)
			return this.#pause.hypothesis
				? undefined
				: this.#start("speculative", this.#pause);
		const partial = urgency === "partial" ? partials?.() : undefined;
		return (
			partial && this.#start("partial", { samplesOf: partial.segment }, partial)
		);
	}

	/** The decode in progress is no longer useful. */
	isStale(decode: Decode): boolean {
		const running = this.#running;
		if (running?.decode !== decode) return true;
		if (decode.urgency === "partial") return !this.isOpen(decode.segment);
		return !this.#isWanted(running.pending);
	}

	/** The segment of a speculative decode has ended meanwhile: it must not be interrupted any more. */
	isOwed(decode: Decode): boolean {
		const running = this.#running;
		return running?.decode === decode && running.pending.ended !== undefined;
	}

	/** @param result `cancelled` leaves the decode pending: it is decoded again if it is still wanted. */
	settle(decode: Decode, result: Hypothesis | "cancelled"): void {
		assert(this.#running?.decode === decode, "not the decode in progress");
		const { pending } = this.#running;
		this.#running = undefined;
		if (result !== "cancelled") pending.hypothesis = result;
	}

	/** Decoded finals, in order; each is returned once. */
	takeDecoded(): DecodedSegment[] {
		const decoded: DecodedSegment[] = [];
		for (;;) {
			const head = this.#finals[0];
			if (!head?.ended || !head.hypothesis) return decoded;
			decoded.push({
				segment: head.ended.segment,
				hypothesis: head.hypothesis,
				decidedAtSample: head.ended.atSample,
			});
			this.#finals.shift();
		}
	}

	/** Ended segments whose text is still pending. */
	get finalsOwed(): number {
		return this.#finals.length;
	}

	/** The segment may continue, and nothing more urgent of it is to be decoded. */
	isOpen(segment: Segment): boolean {
		return this.#openIndex === segment.index && this.#pause === undefined;
	}

	/** The index of the open segment. */
	get openIndex(): number | undefined {
		return this.#openIndex;
	}

	#pendingOf(segment: Segment, atSample: number): PendingDecode {
		const ended = { segment, atSample };
		const pause = this.#pause;
		if (!pause || !holdsTheSameSpeech(pause.samplesOf, segment))
			return { samplesOf: segment, ended };
		pause.ended = ended;
		return pause;
	}

	#start(
		urgency: Urgency,
		pending: PendingDecode,
		partial?: Omit<Decode, "urgency">,
	): Decode {
		const decode = { ...partial, urgency, segment: pending.samplesOf };
		this.#running = { decode, pending };
		return decode;
	}

	#isWanted(pending: PendingDecode): boolean {
		return pending === this.#pause || this.#finals.includes(pending);
	}
}

function holdsTheSameSpeech(pause: Segment, ended: Segment): boolean {
	return (
		pause.index === ended.index &&
		pause.startSample === ended.startSample &&
		pause.speechEndSample === ended.speechEndSample
	);
}
