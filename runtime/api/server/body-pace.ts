/**
 * The pace of a body over the last half minute in which the client could send. A short stall is not a slow line: the sum over the window counts. Time in which
 * the socket was held is not counted.
 */

/** Length of the window. Checked once a second. */
export const paceSeconds = 30;

export class BodyPace {
	readonly #bytesMin: number;
	/** Bytes of each of the last seconds, in a ring. */
	readonly #bytesOf = new Float64Array(paceSeconds);
	#seconds = 0;
	#bytes = 0;

	/** @param bytesPerSecondMin 0: no minimum. */
	constructor(bytesPerSecondMin: number) {
		this.#bytesMin = bytesPerSecondMin * paceSeconds;
	}

	add(bytes: number): void {
		this.#bytesOf[this.#seconds % paceSeconds] =
			(this.#bytesOf[this.#seconds % paceSeconds] ?? 0) + bytes;
		this.#bytes += bytes;
	}

	/** Another second has passed in which the client could send. @returns whether the window is full and has too few bytes */
	second(): boolean {
		this.#seconds++;
		const isSlow = this.#seconds >= paceSeconds && this.#bytes < this.#bytesMin;
		const oldest = this.#seconds % paceSeconds;
		this.#bytes -= this.#bytesOf[oldest] ?? 0;
		this.#bytesOf[oldest] = 0;
		return isSlow;
	}
}
