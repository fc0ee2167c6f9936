/** Arithmetic of scores and log-probabilities for searches over tokens. */

/** Ids of the highest scores, best first; of equal scores the lower id first. */
export function likeliest(scores: Float32Array, most: number): number[] {
	const found: number[] = [];
	let least = Number.NEGATIVE_INFINITY;
	for (let token = 0; token < scores.length; token++) {
		const score = scores[token] as number;
		if (found.length === most && !(score > least)) continue;
		let at = found.length;
		while (at > 0 && score > (scores[found[at - 1] as number] as number)) at--;
		found.splice(at, 0, token);
		if (found.length > most) found.pop();
		least = scores[found.at(-1) as number] as number;
	}
	return found;
}

export function logSumOf(scores: Float32Array): number {
	let max = Number.NEGATIVE_INFINITY;
	for (const score of scores) if (score > max) max = score;
	let sum = 0;
	for (const score of scores) sum += Math.exp(score - max);
	return max + Math.log(sum);
}

export function logAdd(a: number, b: number): number {
	const [high, low] = a > b ? [a, b] : [b, a];
	return low === Number.NEGATIVE_INFINITY
		? high
		: high + Math.log1p(Math.exp(low - high));
}
