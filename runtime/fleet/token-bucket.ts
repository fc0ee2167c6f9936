/** What others may have us do: so much at once, then so much a second. By the clock that never runs backwards. */
export class TokenBucket {
	readonly #perSecond: number;
	readonly #burst: number;
	#level: number;
	#filledMs = performance.now();

	/** @param burst at once; tokens of whatever is counted. */
	constructor(perSecond: number, burst: number) {
		this.#perSecond = perSecond;
		this.#burst = burst;
		this.#level = burst;
	}

	/** @returns false where there are not so many: then none are taken. */
	take(tokens = 1): boolean {
		const nowMs = performance.now();
		const gained = ((nowMs - this.#filledMs) / 1000) * this.#perSecond;
		this.#level = Math.min(this.#burst, this.#level + gained);
		this.#filledMs = nowMs;
		if (this.#level < tokens) return false;
		this.#level -= tokens;
		return true;
	}

	/** At least half of what may be had at once is there. */
	get isHalfFull(): boolean {
		return this.#level >= this.#burst / 2;
	}
}
