/**
 * A token bucket for each caller: so many requests at once, then so many a second.
 *
 * INVARIANTS
 * - Every request costs the same, however many callers there are: two look-ups, and nothing is ever searched through.
 * - At most `callersMax` are remembered; who has not come for longest is forgotten, half of them at a time.
 * - To be forgotten brings nothing: a stranger begins with what one who was forgotten would have by now, and with one request at least.
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

const callersMaxUsual = 10_000;

export class RateLimiter {
	readonly #limitNow: () => RateLimit;
	readonly #nowSeconds: () => number;
	readonly #generationMax: number;
	/** Those who came since `#recentSeconds`, */
	#recent = new Map<string, Bucket>();
	#recentSeconds = Number.NEGATIVE_INFINITY;
	/** and those who came before, since `#earlierSeconds`. Some are in both: the recent bucket counts. */
	#earlier: ReadonlyMap<string, Bucket> = new Map();
	#earlierSeconds = Number.NEGATIVE_INFINITY;

	/**
	 * @param limit asked each time, where it may change.
	 * @param nowSeconds of a clock that never goes back.
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

	/** @param who in the message. @throws CodedError 100005 with the time after which one more is allowed. */
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

	#refilled(caller: string, { perSecond, burst }: RateLimit): Bucket {
		const atSeconds = this.#nowSeconds();
		const known = this.#recent.get(caller) ?? this.#earlier.get(caller);
		const level = known
			? known.level + (atSeconds - known.atSeconds) * perSecond
			: Math.max(1, (atSeconds - this.#earlierSeconds) * perSecond);
		return { level: Math.min(burst, level), atSeconds };
	}

	#remember(caller: string, bucket: Bucket): void {
		this.#recent.set(caller, bucket);
		if (this.#recent.size < this.#generationMax) return;
		this.#earlier = this.#recent;
		this.#earlierSeconds = this.#recentSeconds;
		this.#recent = new Map();
		this.#recentSeconds = bucket.atSeconds;
	}
}
