/** Keeps the events of a session in order: what happens while the final of an earlier segment is pending is emitted after that final. */
import { samplesToMs } from "../audio/sample-rate.js";
import type { SegmentEvent } from "../segmentation/events.js";
import type { SessionEvent } from "./events.js";
import type { WakeEvent } from "./wake-events.js";

interface PendingEvent {
	readonly event: SessionEvent;
	readonly afterFinals: number;
}

export class EventOrder {
	readonly #pending: PendingEvent[] = [];
	#segmentsBegun = 0;
	#finalsEmitted = 0;

	/** A segment has begun. */
	get hasBegun(): boolean {
		return this.#segmentsBegun > 0;
	}

	get finalsEmitted(): number {
		return this.#finalsEmitted;
	}

	/** A segment begins: after the final of the one before it. */
	addBegin({
		index,
		speechStartSample,
	}: Extract<SegmentEvent, { is: "begin" }>): void {
		const atMs = samplesToMs(speechStartSample);
		this.#segmentsBegun = index;
		this.#pending.push({
			event: { is: "speech-begin", index, atMs },
			afterFinals: index - 1,
		});
	}

	/** After the finals of all segments that have begun. */
	addWake(event: WakeEvent, audioMs: number): void {
		const afterFinals = this.#segmentsBegun;
		if (event.is === "sleep") {
			this.#pending.push({ event: { is: "sleep", audioMs }, afterFinals });
			return;
		}
		const { is, phrase, confidence, startSample, endSample } = event;
		const beginMs = samplesToMs(startSample);
		const endMs = samplesToMs(endSample);
		this.#pending.push({
			event: { is, phrase, confidence, beginMs, endMs, audioMs },
			afterFinals,
		});
	}

	finalEmitted(): void {
		this.#finalsEmitted++;
	}

	/** Removes and returns what no final is pending for. */
	takeDue(): SessionEvent[] {
		const due: SessionEvent[] = [];
		for (;;) {
			const [next] = this.#pending;
			if (!next || next.afterFinals > this.#finalsEmitted) return due;
			due.push(next.event);
			this.#pending.shift();
		}
	}
}
