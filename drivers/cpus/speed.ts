/**
 * How fast the calling thread computes: sums of products, as a model's layers are, on numbers that fit in the L1 cache. Takes some milliseconds.
 */
const size = 2048;
/** About a millisecond of a slow core each. */
const rounds = 200;
/** The best of them counts: other work may have the CPU for a while. */
const tries = 5;

/** @returns in any unit, comparable within a process. */
export function speedOf(): number {
	const a = new Float64Array(size).fill(0.5);
	const b = new Float64Array(size).fill(0.25);
	compute(a, b); // the compiler of JavaScript takes its time first
	let most = 0;
	for (let i = 0; i < tries; i++) {
		const since = performance.now();
		if (compute(a, b) <= 0) throw new Error("a sum is wrong");
		most = Math.max(most, 1 / (performance.now() - since));
	}
	return most;
}

function compute(a: Float64Array, b: Float64Array): number {
	let one = 0;
	let two = 0;
	let three = 0;
	let four = 0;
	for (let round = 0; round < rounds; round++)
		for (let i = 0; i < size; i += 4) {
			one += (a[i] as number) * (b[i] as number);
			two += (a[i + 1] as number) * (b[i + 1] as number);
			three += (a[i + 2] as number) * (b[i + 2] as number);
			four += (a[i + 3] as number) * (b[i + 3] as number);
		}
	return one + two + three + four;
}
