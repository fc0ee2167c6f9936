/**
 * Paces a device without a clock (ALSA's `file` and `null`): a real card blocks until it has recorded, these return at once.
 * A card may be as fast as `paceMax`, so that drift is never held back, and may catch up with what its buffer held while it was not read.
 */
/** More than any card's buffer. */
const catchUpMs = 1000;

export class Pacer {
	readonly #paceMax: number;
	#dueMs: number | undefined;

	/** @param paceMax 1.02: two per cent faster than real time; Infinity: no pacing. */
	constructor(paceMax: number) {
		this.#paceMax = paceMax;
	}

	/**
	 * @param audioMs duration of the audio just read.
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
