/**
 * Inputs cut anywhere: the property that every streaming part has to keep is that the cuts make no difference.
 */
import { seededRandom } from "./signals.js";

interface Sliceable<T> {
	readonly length: number;
	subarray(start: number, end: number): T;
}

/** Pieces of 0 to `longest` items that make up the whole; views of it. */
export function cutAnywhere<T extends Sliceable<T>>(
	whole: T,
	longest: number,
	seed: number,
): T[] {
	const random = seededRandom(seed);
	const pieces: T[] = [];
	for (let start = 0; start < whole.length; ) {
		const length = Math.floor(random() ** 3 * (longest + 1));
		pieces.push(whole.subarray(start, Math.min(whole.length, start + length)));
		start += length;
	}
	return pieces;
}

/** Seeds of one run; printed by the tests. EARSHOT_TEST_SEED repeats one. */
export function runSeeds(count: number): number[] {
	const first = Number(process.env.EARSHOT_TEST_SEED ?? 20_240_611);
	return Array.from({ length: count }, (_, i) => first + i * 7919);
}
