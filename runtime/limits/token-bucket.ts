/** Token buckets: so much at once, then so much a second. */
export interface BucketLimit {
	readonly perSecond: number;
	/** At once; tokens of whatever is counted. */
	readonly burst: number;
}

export interface BucketLevel {
	level: number;
	atSeconds: number;
}

/** @param nowSeconds of a clock that never goes back. */
export function refilled(
	{ level, atSeconds }: BucketLevel,
	{ perSecond, burst }: BucketLimit,
	nowSeconds: number,
): BucketLevel {
	const gained = (nowSeconds - atSeconds) * perSecond;
	return { level: Math.min(burst, level + gained), atSeconds: nowSeconds };
}

/** One for whoever comes. */
export class TokenBucket {
	readonly #limit: BucketLimit;
	#at: BucketLevel;

	constructor(limit: BucketLimit) {
		this.#limit = limit;
		this.#at = { level: limit.burst, atSeconds: nowSeconds() };
	}

	/** @returns false where there are not so many: then none are taken. */
	take(tokens = 1): boolean {
		this.#at = refilled(this.#at, this.#limit, nowSeconds());
		if (this.#at.level < tokens) return false;
		this.#at.level -= tokens;
		return true;
	}

	/** At least half of what may be had at once is there. */
	get isHalfFull(): boolean {
		return this.#at.level >= this.#limit.burst / 2;
	}
}

function nowSeconds(): number {
	return performance.now() / 1000;
}
