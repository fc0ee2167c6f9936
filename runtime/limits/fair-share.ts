/**
 * Divides a limited number of places (recognition slots, places in a queue, uploads, callbacks in progress) among owners.
 *
 * - An owner holds at most a share of the places, by default three quarters, rounded down: the rest, at least one place, is for others.
 * - A share is at least one place, so a single place is given to the first owner that asks.
 * - Of waiting owners, the one that holds the fewest is next.
 */

const defaultShareMax = 0.75;

export class FairShare<Holder = string> {
	readonly #places: () => number;
	readonly #shareMax: number;
	readonly #held = new Map<Holder, number>();
	#taken = 0;

	/**
	 * @param places called each time: there may be fewer than are held.
	 * @param shareMax above 0, at most 1; at 1 one owner may hold them all.
	 */
	constructor(places: () => number, shareMax = defaultShareMax) {
		this.#places = places;
		this.#shareMax = shareMax;
	}

	/** Held by any owner. */
	get taken(): number {
		return this.#taken;
	}

	/** Not held. */
	get free(): number {
		return Math.max(0, this.#places() - this.#taken);
	}

	/** @param count number of places; may also be bytes of memory. */
	mayTake(owner: Holder, count = 1): boolean {
		const held = this.#held.get(owner) ?? 0;
		return this.free >= count && held + count <= this.#ownMax;
	}

	/** Whether it holds no more than it may: there may have been more places. */
	mayKeep(owner: Holder): boolean {
		return (this.#held.get(owner) ?? 0) <= this.#ownMax;
	}

	get #ownMax(): number {
		return Math.max(1, Math.floor(this.#shareMax * this.#places()));
	}

	/** Takes places without checking `mayTake`: that is up to the caller. @returns a function that releases them; idempotent. */
	take(owner: Holder, count = 1): () => void {
		this.#count(owner, count);
		let isHeld = true;
		return () => {
			if (isHeld) this.#count(owner, -count);
			isHeld = false;
		};
	}

	/** The waiting owner that may take a place and holds the fewest; of equals the first. */
	next(waiting: Iterable<Holder>): Holder | undefined {
		let next: Holder | undefined;
		let fewest = Number.POSITIVE_INFINITY;
		for (const owner of waiting) {
			const held = this.#held.get(owner) ?? 0;
			if (held >= fewest || !this.mayTake(owner)) continue;
			next = owner;
			fewest = held;
		}
		return next;
	}

	#count(owner: Holder, change: number): void {
		this.#taken += change;
		const held = (this.#held.get(owner) ?? 0) + change;
		if (held === 0) this.#held.delete(owner);
		else this.#held.set(owner, held);
	}
}
