/**
 * Who holds how many of the few places that there are (recognition slots, places in a queue, uploads, callbacks under way), and who may have one more.
 *
 * - An owner holds at most a share of the places, three quarters unless told otherwise, rounded down: the last quarter is for others, one place at least.
 * - One place is everybody's share, so a lone one goes to whoever comes first.
 * - Of those that wait, who holds fewest is next.
 */

export const usualShareMax = 0.75;

export class FairShare<Holder = string> {
	readonly #places: () => number;
	readonly #shareMax: number;
	readonly #held = new Map<Holder, number>();
	#taken = 0;

	/**
	 * @param places asked each time: they may become fewer than are held.
	 * @param shareMax above 0, at most 1, where one owner may hold them all.
	 */
	constructor(places: () => number, shareMax = usualShareMax) {
		this.#places = places;
		this.#shareMax = shareMax;
	}

	/** Held by anybody. */
	get taken(): number {
		return this.#taken;
	}

	/** Held by nobody. */
	get free(): number {
		return Math.max(0, this.#places() - this.#taken);
	}

	/** @param count of places; bytes of memory may be counted as well. */
	mayTake(owner: Holder, count = 1): boolean {
		const held = this.#held.get(owner) ?? 0;
		const share = Math.floor(this.#shareMax * this.#places());
		return this.free >= count && held + count <= Math.max(1, share);
	}

	/** Places for this owner, also where it may not have them: that is for the caller to say. @returns what gives them back; idempotent. */
	take(owner: Holder, count = 1): () => void {
		this.#count(owner, count);
		let isHeld = true;
		return () => {
			if (isHeld) this.#count(owner, -count);
			isHeld = false;
		};
	}

	/** Who of those that wait may have a place and holds fewest; among equals the first. */
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
