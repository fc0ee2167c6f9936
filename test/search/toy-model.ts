import { randomOf } from "../fuzz/random.js";

/** @returns log-probabilities of what comes next after a text: any, but always the same. */
export function toyModel(
	seed: number,
	tokens: number,
): (text: string) => readonly number[] {
	const random = randomOf(seed);
	const table = new Map<string, readonly number[]>();
	return (text) => {
		const known = table.get(text);
		if (known) return known;
		const weights = Array.from({ length: tokens }, () => random() ** 3 + 1e-3);
		const sum = weights.reduce((a, b) => a + b);
		const next = weights.map((weight) => Math.log(weight / sum));
		table.set(text, next);
		return next;
	};
}
