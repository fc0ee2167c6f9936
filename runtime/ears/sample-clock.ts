/**
 * When a sample was recorded, by the system's clock: from when its period arrived. The earliest arrival of the last minute counts (others were held up on
 * their way), and a clock that was set is followed within a period.
 */
import { rateHz } from "./kept-sound.js";

const periodsKept = 1500;
/** A jump, not a delay. */
const jumpMs = 5000;

export class SampleClock {
	#offsetsMs: number[] = [];
	#offsetMs = 0;

	/** @param endSample of the period that arrived. @param nowMs of the system's clock. */
	note(endSample: number, nowMs: number): void {
		const offsetMs = nowMs - (endSample * 1000) / rateHz;
		if (Math.abs(offsetMs - this.#offsetMs) > jumpMs) this.#offsetsMs = [];
		this.#offsetsMs.push(offsetMs);
		if (this.#offsetsMs.length > periodsKept) {
			this.#offsetsMs.shift();
			this.#offsetMs = Math.min(...this.#offsetsMs);
		} else if (this.#offsetsMs.length === 1) this.#offsetMs = offsetMs;
		else this.#offsetMs = Math.min(this.#offsetMs, offsetMs);
	}

	/** Whole milliseconds since 1970. */
	atMs(sample: number): number {
		return Math.round(this.#offsetMs + (sample * 1000) / rateHz);
	}
}
