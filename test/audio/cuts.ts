/**
 * Inputs split anywhere: a streaming part must give the same results for any split.
 */
import type { Random } from "../fuzz/random.js";

interface Sliceable<T> {
	readonly length: number;
	subarray(start: number, end: number): T;
}

/** Lengths of 0 to `longest` with a sum of at least `total`. */
export function someLengths(
	random: Random,
	total: number,
	longest: number,
): number[] {
	const lengths: number[] = [];
	for (let end = 0; end < total; ) {
		const length = Math.floor(random() ** 3 * (longest + 1));
		lengths.push(length);
		end += length;
	}
	return lengths;
}

/** Pieces of these lengths that make up the whole; views of it. */
export function cutAt<T extends Sliceable<T>>(
	whole: T,
	lengths: readonly number[],
): T[] {
	let start = 0;
	return lengths.map((length) => {
		const end = Math.min(whole.length, start + length);
		const piece = whole.subarray(start, end);
		start = end;
		return piece;
	});
}

export function cutAnywhere<T extends Sliceable<T>>(
	whole: T,
	longest: number,
	random: Random,
): T[] {
	return cutAt(whole, someLengths(random, whole.length, longest));
}
