/**
 * Holds a device without a clock of its own (ALSA's `file` and `null`) to the time: a real card blocks until it has recorded, those give at once.
 * A card may be as fast as `paceMax`, so that no drift is ever held back, and may catch up with what its buffer held while nobody read.
 */
/** More than any card's buffer. */
const catchUpMs = 1000;

export class Pacer {
	readonly #paceMax: number;
	#dueMs: number | undefined;

	/** @param paceMax 1.02: two per cent faster than the clock; Infinity: as fast as it comes. */
	constructor(paceMax: number) {
		this.#paceMax = paceMax;
	}

	/**
	 * @param audioMs that was read just now.
	 * @returns how long to wait before the next read.
	 */
	holdMs(audioMs: number, nowMs: number): number {
		const dueIn = audioMs / this.#paceMax;
		this.#dueMs = Math.max(
			(this.#dueMs ?? nowMs - dueIn) + dueIn,
			nowMs - catchUpMs,
		);
		return Math.max(0, this.#dueMs - nowMs);
	}
}
