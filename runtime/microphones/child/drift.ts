/**
 * Drift of a card's clock against the system's: how much longer its samples are than the time that passed. Pure: times are passed in.
 *
 * A read returns late by whatever the scheduler did, never early. So only the earliest read of each window counts, and the slope through these
 * is the drift (as network clocks are compared: Moon, Skelly, Towsley 1999, the lower envelope of delays).
 */
const windowMs = 5000;
const windowsMin = 12;
/** Ten minutes: drift moves with temperature. */
const windowsMax = 120;

export class ClockDrift {
	#startMs: number | undefined;
	#windowStartMs = 0;
	#earliestMs = Number.POSITIVE_INFINITY;
	#windows: { readonly atMs: number; readonly lateMs: number }[] = [];

	/**
	 * @param audioMs duration of the card's samples since `reset`.
	 * @param nowMs of a clock that never runs backwards.
	 */
	note(audioMs: number, nowMs: number): void {
		if (this.#startMs === undefined) {
			this.#startMs = nowMs - audioMs;
			this.#windowStartMs = nowMs;
		}
		const lateMs = nowMs - this.#startMs - audioMs;
		this.#earliestMs = Math.min(this.#earliestMs, lateMs);
		if (nowMs - this.#windowStartMs < windowMs) return;
		this.#windows.push({ atMs: nowMs, lateMs: this.#earliestMs });
		if (this.#windows.length > windowsMax) this.#windows.shift();
		this.#windowStartMs = nowMs;
		this.#earliestMs = Number.POSITIVE_INFINITY;
	}

	/** Samples were lost: earlier times can't be compared with later ones. */
	reset(): void {
		this.#startMs = undefined;
		this.#windows = [];
		this.#earliestMs = Number.POSITIVE_INFINITY;
	}

	/** Parts per million, positive if the card is fast; undefined in the first minute. */
	get ppm(): number | undefined {
		const count = this.#windows.length;
		if (count < windowsMin) return undefined;
		let atMean = 0;
		let lateMean = 0;
		for (const { atMs, lateMs } of this.#windows) {
			atMean += atMs / count;
			lateMean += lateMs / count;
		}
		let above = 0;
		let below = 0;
		for (const { atMs, lateMs } of this.#windows) {
			above += (atMs - atMean) * (lateMs - lateMean);
			below += (atMs - atMean) ** 2;
		}
		return -(above / below) * 1e6;
	}
}
