/** Token buckets: a burst at once, then a rate per second. */
export interface BucketLimit {
	readonly perSecond: number;
	/** Tokens available at once, in whatever unit is counted. */
	readonly burst: number;
}

export interface BucketLevel {
	level: number;
	atSeconds: number;
}

/** @param nowSeconds of a monotonic clock. */
export function refilled(
	{ level, atSeconds }: BucketLevel,
	{ perSecond, burst }: BucketLimit,
	nowSeconds: number,
): BucketLevel {
	const gained = (nowSeconds - atSeconds) * perSecond;
	return { level: Math.min(burst, level + gained), atSeconds: nowSeconds };
}

export class TokenBucket {
	readonly #limit: BucketLimit;
	#at: BucketLevel;

	constructor(limit: BucketLimit) {
		this.#limit = limit;
		this.#at = { level: limit.burst, atSeconds: nowSeconds() };
	}

	/** @returns false if there are not enough: then none are taken. */
	take(tokens = 1): boolean {
		this.#at = refilled(this.#at, this.#limit, nowSeconds());
		if (this.#at.level < tokens) return false;
		this.#at.level -= tokens;
		return true;
	}

	/** At least half of the burst is available. */
	get isHalfFull(): boolean {
		return this.#at.level >= this.#limit.burst / 2;
	}
}

function nowSeconds(): number {
	return performance.now() / 1000;
}
