/** Random numbers of a seed: the same for ever, on every machine. */

/** Uniform in [0, 1). */
export type Random = () => number;

/** mulberry32 (public domain): seeds that follow each other give numbers that have nothing in common. */
export function randomOf(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** @returns a whole number from 0 to `limit` - 1. */
export function below(random: Random, limit: number): number {
	return Math.floor(random() * limit);
}

export function pick<T>(random: Random, items: readonly T[]): T {
	return items[below(random, items.length)] as T;
}

/** @returns 0 to `most` things. */
export function several<T>(random: Random, most: number, draw: () => T): T[] {
	return Array.from({ length: below(random, most + 1) }, draw);
}
