/**
 * A token bucket for each caller: a burst of requests, then a steady rate per second.
 *
 * INVARIANTS
 * - Every request costs the same, however many callers there are: two look-ups, and no search.
 * - At most `callersMax` are remembered; those that have not come for longest are forgotten, half of them at a time.
 * - Being forgotten gives no advantage: an unknown caller begins with the tokens that a forgotten one would have by now, and with at least one.
 */
import { CodedError } from "../errors.js";
import {
	type BucketLevel,
	type BucketLimit,
	refilled,
} from "../limits/token-bucket.js";

/** `perSecond` 0: no limit. */
export type RateLimit = BucketLimit;

const callersMaxUsual = 10_000;

export class RateLimiter {
	readonly #limitNow: () => RateLimit;
	readonly #nowSeconds: () => number;
	readonly #generationMax: number;
	/** Buckets used since `#recentSeconds`. */
	#recent = new Map<string, BucketLevel>();
	#recentSeconds = Number.NEGATIVE_INFINITY;
	/** Buckets used before that, since `#earlierSeconds`. A bucket may be in both: the recent one counts. */
	#earlier: ReadonlyMap<string, BucketLevel> = new Map();
	#earlierSeconds = Number.NEGATIVE_INFINITY;

	/**
	 * @param limit a function is called for each request, for a limit that may change.
	 * @param nowSeconds of a monotonic clock.
	 */
	constructor(
		limit: RateLimit | (() => RateLimit),
		nowSeconds: () => number = () => performance.now() / 1000,
		callersMax = callersMaxUsual,
	) {
		this.#limitNow = typeof limit === "function" ? limit : () => limit;
		this.#nowSeconds = nowSeconds;
		this.#generationMax = callersMax / 2;
	}

	/** Buckets kept; never more than `callersMax`. */
	get size(): number {
		return this.#recent.size + this.#earlier.size;
	}

	/** @param who named in the message. @throws CodedError 100005 with the time after which one more request is allowed. */
	take(caller: string, who = "this token"): void {
		const limit = this.#limitNow();
		const { perSecond } = limit;
		if (perSecond === 0) return;
		const bucket = this.#refilled(caller, limit);
		this.#remember(caller, bucket);
		if (bucket.level < 1) {
			throw new CodedError(
				"100005",
				`${who} may make ${perSecond} requests a second; try again later`,
				{ retryAfterSeconds: (1 - bucket.level) / perSecond },
			);
		}
		bucket.level -= 1;
	}

	#refilled(caller: string, limit: RateLimit): BucketLevel {
		const atSeconds = this.#nowSeconds();
		const known = this.#recent.get(caller) ?? this.#earlier.get(caller);
		if (known) return refilled(known, limit, atSeconds);
		const since = { level: 0, atSeconds: this.#earlierSeconds };
		const { level } = refilled(since, limit, atSeconds);
		return { level: Math.min(limit.burst, Math.max(1, level)), atSeconds };
	}

	#remember(caller: string, bucket: BucketLevel): void {
		this.#recent.set(caller, bucket);
		if (this.#recent.size < this.#generationMax) return;
		this.#earlier = this.#recent;
		this.#earlierSeconds = this.#recentSeconds;
		this.#recent = new Map();
		this.#recentSeconds = bucket.atSeconds;
	}
}
