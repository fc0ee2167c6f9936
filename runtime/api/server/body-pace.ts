/**
 * How fast a body comes, over the last half minute in which it could come. A line that stands still for some seconds is no slow one: what counts is the sum. Time
 * in which nobody let the client send does not count at all.
 */

/** Of the window. Looked at once a second. */
export const paceSeconds = 30;

export class BodyPace {
	readonly #bytesMin: number;
	/** Of each of the last seconds, in a ring. */
	readonly #bytesOf = new Float64Array(paceSeconds);
	#seconds = 0;
	#bytes = 0;

	/** @param bytesPerSecondMin 0: no pace is too slow. */
	constructor(bytesPerSecondMin: number) {
		this.#bytesMin = bytesPerSecondMin * paceSeconds;
	}

	came(bytes: number): void {
		this.#bytesOf[this.#seconds % paceSeconds] =
			(this.#bytesOf[this.#seconds % paceSeconds] ?? 0) + bytes;
		this.#bytes += bytes;
	}

	/** Another second is over in which the client could send. @returns whether the window is full, and too little came in it */
	second(): boolean {
		this.#seconds++;
		const isSlow = this.#seconds >= paceSeconds && this.#bytes < this.#bytesMin;
		const oldest = this.#seconds % paceSeconds;
		this.#bytes -= this.#bytesOf[oldest] ?? 0;
		this.#bytesOf[oldest] = 0;
		return isSlow;
	}
}
