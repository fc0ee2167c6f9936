/**
 * One recognition: samples in, events out. Knows no clock and does no decoding itself: whoever owns the recognizer asks for the next
 * decode and brings back what was found, so that many sessions share one recognizer fairly.
 *
 * Time is counted in samples, and the input is stepped through in windows counted from its start: any cut of the input gives the same events.
 */
import assert from "node:assert";
import type { Hypothesis } from "../models/recognizer.js";
import type { SegmentEvent } from "../segmentation/events.js";
import { type Decode, DecodePlan } from "./decode-plan.js";
import type { SessionEvent } from "./events.js";
import type { RecognitionOptions } from "./options.js";
import { Transcript } from "./transcript.js";
import { makeUtterance, sampleRateHz, samplesToMs } from "./utterance.js";

/** The segmenter as a session needs it: voice activity and the rules over it. */
export interface SessionSegmenter {
	/** @param samples mono, 16 kHz; any length; copied where kept. */
	accept(samples: Float32Array): Promise<readonly SegmentEvent[]>;
	/** Ends an open segment. */
	finish(): Promise<readonly SegmentEvent[]>;
}

/** 32 ms: what the voice activity model takes at a time. */
const windowSamples = 512;

/** Encoders pad their last frame: a clip of exactly the limit is not longer than it. */
const durationToleranceSamples = 0.2 * sampleRateHz;

type Phase =
	| { readonly is: "listening" }
	/** No more audio; finals may still be owed. */
	| { readonly is: "closing"; readonly why: "finished" | "duration" }
	| { readonly is: "completed" };

export class RecognitionSession {
	readonly #segmenter: SessionSegmenter;
	readonly #plan = new DecodePlan();
	readonly #transcript: Transcript;
	readonly #samplesMax: number;
	/** Segments that began while an earlier one still waits for its text: told when that is told. */
	#beginsHeld: Extract<SessionEvent, { is: "speech-begin" }>[] = [];
	#finalsTold = 0;
	#samplesSeen = 0;
	#phase: Phase = { is: "listening" };

	constructor(
		options: Pick<
			RecognitionOptions,
			"language" | "durationSecondsMax" | "keepsWhole"
		>,
		segmenter: SessionSegmenter,
	) {
		this.#segmenter = segmenter;
		this.#transcript = new Transcript(options.language, options.keepsWhole);
		this.#samplesMax =
			Math.round(options.durationSecondsMax * sampleRateHz) +
			durationToleranceSamples;
	}

	/** True while audio is of use: false after `finish` or once the duration has passed. */
	get listening(): boolean {
		return this.#phase.is === "listening";
	}

	get completed(): boolean {
		return this.#phase.is === "completed";
	}

	get finalsOwed(): number {
		return this.#plan.finalsOwed;
	}

	/** @param samples mono, 16 kHz, gain applied; any length. One call at a time. What comes after the duration is dropped. */
	async accept(samples: Float32Array): Promise<SessionEvent[]> {
		const events: SessionEvent[] = [];
		let offset = 0;
		while (offset < samples.length && this.#phase.is === "listening") {
			const untilWindowEnds =
				windowSamples - (this.#samplesSeen % windowSamples);
			const untilTooLong = this.#samplesMax - this.#samplesSeen;
			const length = Math.min(untilWindowEnds, untilTooLong);
			const step = samples.subarray(offset, offset + length);
			if (length === 0) return [...events, ...(await this.#close("duration"))];
			offset += step.length;
			this.#samplesSeen += step.length;
			events.push(...this.#absorb(await this.#segmenter.accept(step)));
		}
		return events;
	}

	/** No more audio comes. */
	async finish(): Promise<SessionEvent[]> {
		return this.#phase.is === "listening" ? this.#close("finished") : [];
	}

	/** @param urgency the least urgent work wanted now. */
	nextDecode(urgency: Decode["urgency"]): Decode | undefined {
		return this.#plan.next(urgency);
	}

	/** Nobody wants this decode any more, or somebody needs the recognizer more urgently than it. */
	mayAbandon(decode: Decode, othersAreOwed: boolean): boolean {
		if (this.#plan.isStale(decode)) return true;
		return (
			othersAreOwed && decode.urgency !== "final" && !this.#plan.isOwed(decode)
		);
	}

	settle(decode: Decode, result: Hypothesis | "cancelled"): SessionEvent[] {
		this.#plan.settle(decode, result);
		return this.#answers();
	}

	async #close(why: "finished" | "duration"): Promise<SessionEvent[]> {
		assert(this.#phase.is === "listening", "closed twice");
		this.#phase = { is: "closing", why };
		return this.#absorb(await this.#segmenter.finish());
	}

	#absorb(segmentEvents: readonly SegmentEvent[]): SessionEvent[] {
		for (const event of segmentEvents) {
			this.#plan.accept(event, this.#samplesSeen);
			if (event.is === "begin")
				this.#beginsHeld.push({
					is: "speech-begin",
					index: event.index,
					atMs: samplesToMs(event.startSample),
				});
		}
		return this.#answers();
	}

	/** What can be told now. A segment is told from its begin to its final before the next one, however long its text took. */
	#answers(): SessionEvent[] {
		const events: SessionEvent[] = [...this.#beginsDue()];
		for (const answer of this.#plan.takeAnswers()) {
			const utterance = makeUtterance(answer.segment, answer.hypothesis);
			this.#transcript.add(utterance);
			const audioMs = samplesToMs(answer.decidedAtSample);
			events.push({ is: "final", utterance, audioMs });
			this.#finalsTold++;
			events.push(...this.#beginsDue());
		}
		if (this.#phase.is === "closing" && this.#plan.finalsOwed === 0)
			events.push(this.#complete(this.#phase.why));
		return events;
	}

	#beginsDue(): SessionEvent[] {
		const [next] = this.#beginsHeld;
		if (!next || next.index > this.#finalsTold + 1) return [];
		this.#beginsHeld.shift();
		return [next];
	}

	#complete(why: "finished" | "duration"): SessionEvent {
		this.#phase = { is: "completed" };
		return {
			is: "completed",
			...this.#transcript.whole(),
			audioMs: samplesToMs(this.#samplesSeen),
			why,
		};
	}
}
