/**
 * A token bucket for each caller: so many requests at once, then so many a second. A bucket that is full again is forgotten.
 */
import { CodedError } from "../errors.js";

export interface RateLimit {
	/** 0: no limit. */
	readonly perSecond: number;
	readonly burst: number;
}

interface Bucket {
	level: number;
	atSeconds: number;
}

const bucketsMax = 10_000;

export class RateLimiter {
	readonly #limitNow: () => RateLimit;
	readonly #nowSeconds: () => number;
	readonly #buckets = new Map<string, Bucket>();

	/**
	 * @param limit asked each time, where it may change.
	 * @param nowSeconds of a clock that never goes back.
	 */
	constructor(
		limit: RateLimit | (() => RateLimit),
		nowSeconds: () => number = () => performance.now() / 1000,
	) {
		this.#limitNow = typeof limit === "function" ? limit : () => limit;
		this.#nowSeconds = nowSeconds;
	}

	/** @param who in the message. @throws CodedError 100005 with the time after which one more is allowed. */
	take(caller: string, who = "this token"): void {
		const { perSecond, burst } = this.#limitNow();
		if (perSecond === 0) return;
		const bucket = this.#refilled(caller);
		if (bucket.level < 1) {
			throw new CodedError(
				"100005",
				`${who} may make ${perSecond} requests a second; try again later`,
				{ retryAfterSeconds: (1 - bucket.level) / perSecond },
			);
		}
		bucket.level -= 1;
		this.#buckets.set(caller, bucket);
		if (this.#buckets.size > bucketsMax) this.#forgetFull(perSecond, burst);
	}

	#refilled(caller: string): Bucket {
		const { perSecond, burst } = this.#limitNow();
		const atSeconds = this.#nowSeconds();
		const bucket = this.#buckets.get(caller);
		if (!bucket) return { level: burst, atSeconds };
		const gained = (atSeconds - bucket.atSeconds) * perSecond;
		bucket.level = Math.min(burst, bucket.level + gained);
		bucket.atSeconds = atSeconds;
		return bucket;
	}

	#forgetFull(perSecond: number, burst: number): void {
		const now = this.#nowSeconds();
		for (const [caller, { level, atSeconds }] of this.#buckets)
			if (level + (now - atSeconds) * perSecond >= burst)
				this.#buckets.delete(caller);
	}
}
