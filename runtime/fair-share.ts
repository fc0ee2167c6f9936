/**
 * Who holds how many of the few places that there are (recognition slots, places in a queue, uploads, callbacks under way), and who may have one more.
 *
 * - An owner holds at most a share of what the others leave it, three quarters unless told otherwise: alone it never holds the last free quarter, nor the last place.
 * - Who holds none gets whatever is free, the last place as well. So it takes several owners to fill them all, and a lone place goes to whoever comes first.
 * - Of those that wait, who holds fewest is next.
 */

export const usualShareMax = 0.75;

export class FairShare<Owner = string> {
	readonly #places: () => number;
	readonly #shareMax: number;
	readonly #held = new Map<Owner, number>();
	#taken = 0;

	/**
	 * @param places asked each time: they may become fewer than are held.
	 * @param shareMax above 0, at most 1, which is no bound at all.
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

	mayTake(owner: Owner): boolean {
		const { free } = this;
		const held = this.#held.get(owner) ?? 0;
		if (held === 0) return free > 0;
		return free > 0 && held + 1 <= this.#shareMax * (held + free);
	}

	/** One place for this owner, also where it may not have it: that is for the caller to say. @returns what gives it back; idempotent. */
	take(owner: Owner): () => void {
		this.#count(owner, 1);
		let isHeld = true;
		return () => {
			if (isHeld) this.#count(owner, -1);
			isHeld = false;
		};
	}

	/** Who of those that wait may have a place and holds fewest; among equals the first. */
	next(waiting: Iterable<Owner>): Owner | undefined {
		let next: Owner | undefined;
		let fewest = Number.POSITIVE_INFINITY;
		for (const owner of waiting) {
			const held = this.#held.get(owner) ?? 0;
			if (held >= fewest || !this.mayTake(owner)) continue;
			next = owner;
			fewest = held;
		}
		return next;
	}

	#count(owner: Owner, change: 1 | -1): void {
		this.#taken += change;
		const held = (this.#held.get(owner) ?? 0) + change;
		if (held === 0) this.#held.delete(owner);
		else this.#held.set(owner, held);
	}
}
