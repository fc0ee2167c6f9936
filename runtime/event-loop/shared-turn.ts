/**
 * The time that long work has in one turn of the event loop: a slice for all of it together, however many callers have some. Work goes on at once while this
 * turn has time left, which is the rule; else it waits for its place in a later one.
 *
 * Who goes on alternates from turn to turn, so that nothing waits for ever and a few bytes do not wait for megabytes:
 * - in one, what came first, to its end;
 * - in the next, of the short work, what has begun, or else the shortest.
 * So at most two have begun and are not finished, and of what waits there is no half of a result, which may be fifty times as large as its text.
 */

/** Shorter work takes a few slices at most: it is what others do not wait for long. */
const shortUnits = 64 * 1024;

/** Of work that is done in slices. */
export interface Place {
	/** Counted up. */
	readonly arrival: number;
	/** What there is to do, as characters of JSON that take as long; infinite where nobody knows. */
	readonly units: number;
	/** Something is half done. */
	hasBegun: boolean;
}

export class SharedTurn {
	readonly #sliceMs: number;
	/** What goes on in a later turn, and how. */
	readonly #waiting = new Map<Place, () => void>();
	#arrivals = 0;
	/** Of the slice of this turn, in the clock of `performance`; undefined while nothing has used it. */
	#endsAtMs: number | undefined;
	#isForShort = false;

	constructor(sliceMs: number) {
		this.#sliceMs = sliceMs;
	}

	/** Nothing more may be done in this turn of the event loop. Asking begins its slice. */
	get isOver(): boolean {
		return performance.now() >= (this.#endsAtMs ?? this.#begin());
	}

	place(units: number): Place {
		return { arrival: this.#arrivals++, units, hasBegun: false };
	}

	/** @param goOn is called once, in a later turn. @returns leaves the queue. */
	enter(place: Place, goOn: () => void): () => void {
		if (this.#endsAtMs === undefined) this.#begin();
		this.#waiting.set(place, goOn);
		return () => this.#waiting.delete(place);
	}

	/** Resolves in a later turn, where the work goes on. Rejects with the reason of the signal, for whose work nobody waits any more. */
	wait(place: Place, signal?: AbortSignal): Promise<void> {
		return new Promise((resolve, reject) => {
			signal?.throwIfAborted();
			const leave = this.enter(place, () => {
				signal?.removeEventListener("abort", onAbort);
				resolve();
			});
			const onAbort = () => {
				leave();
				reject(signal?.reason);
			};
			signal?.addEventListener("abort", onAbort, { once: true });
		});
	}

	#begin(): number {
		setImmediate(() => this.#onNextTurn());
		this.#endsAtMs = performance.now() + this.#sliceMs;
		return this.#endsAtMs;
	}

	#onNextTurn(): void {
		this.#endsAtMs = undefined;
		if (this.#waiting.size === 0) return;
		this.#isForShort = !this.#isForShort;
		this.#begin();
		this.#admit();
	}

	/** One after the other: what the first one's caller does with its result takes time as well. */
	#admit(): void {
		const next = this.#next();
		if (!next) return;
		const goOn = this.#waiting.get(next);
		this.#waiting.delete(next);
		// when nothing is left to do for the first; also where it throws
		queueMicrotask(() =>
			process.nextTick(() => {
				if (!this.isOver) this.#admit();
			}),
		);
		goOn?.();
	}

	#next(): Place | undefined {
		let oldest: Place | undefined;
		let shortest: Place | undefined;
		for (const place of this.#waiting.keys()) {
			if (!oldest || place.arrival < oldest.arrival) oldest = place;
			if (place.units > shortUnits) continue;
			if (!shortest || isShorter(place, shortest)) shortest = place;
		}
		return this.#isForShort ? (shortest ?? oldest) : oldest;
	}
}

function isShorter(one: Place, other: Place): boolean {
	if (one.hasBegun !== other.hasBegun) return one.hasBegun;
	return one.units === other.units
		? one.arrival < other.arrival
		: one.units < other.units;
}
