/** Arithmetic of scores and log-probabilities for searches over tokens. */

/** Ids of the highest scores, best first; of equal scores the lower id first. @param from lower scores are left out. */
export function likeliest(
	scores: Float32Array,
	most: number,
	from = Number.NEGATIVE_INFINITY,
): number[] {
	const found: number[] = [];
	let least = from;
	for (let token = 0; token < scores.length; token++) {
		const score = scores[token] as number;
		if (found.length === most ? !(score > least) : score < from) continue;
		let at = found.length;
		while (at > 0 && score > (scores[found[at - 1] as number] as number)) at--;
		found.splice(at, 0, token);
		if (found.length > most) found.pop();
		if (found.length === most)
			least = scores[found[most - 1] as number] as number;
	}
	return found;
}

/** Id of the highest score, of equal ones the lowest; undefined without scores. A loop with one comparison: vocabularies have up to 40,000 tokens. */
export function likeliestOne(scores: Float32Array): number | undefined {
	let best = 0;
	let most = Number.NEGATIVE_INFINITY;
	for (let token = 0; token < scores.length; token++) {
		const score = scores[token] as number;
		if (score > most) {
			most = score;
			best = token;
		}
	}
	return scores.length === 0 ? undefined : best;
}

export function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

export function logAdd(a: number, b: number): number {
	const [high, low] = a > b ? [a, b] : [b, a];
	return low === Number.NEGATIVE_INFINITY
		? high
		: high + Math.log1p(Math.exp(low - high));
}

/** Scores this far below the largest no longer add to a sum. */
const negligible = 16;
/** exp(-i / expSteps), so that sums over a vocabulary cost less; linear between the steps, within two millionths. */
const expSteps = 256;
const expTable = Float64Array.from(
	{ length: negligible * expSteps + 2 },
	(_, i) => Math.exp(-i / expSteps),
);

/** Natural logarithm of the sum of exp(score). */
export function logSumOf(scores: Float32Array): number {
	let max = Number.NEGATIVE_INFINITY;
	for (let i = 0; i < scores.length; i++)
		if ((scores[i] as number) > max) max = scores[i] as number;
	let sum = 0;
	for (let i = 0; i < scores.length; i++) {
		const below = (max - (scores[i] as number)) * expSteps;
		if (below >= negligible * expSteps) continue;
		const step = below | 0;
		const high = expTable[step] as number;
		sum += high + (below - step) * ((expTable[step + 1] as number) - high);
	}
	return max + Math.log(sum);
}

/** Above it, a token of a normalized row is the likeliest. */
export const logHalf = -Math.LN2;

/** Turns scores into natural log-probabilities, in place. */
export function toLogProbabilities(scores: Float32Array): void {
	const total = logSumOf(scores);
	for (let i = 0; i < scores.length; i++)
		scores[i] = (scores[i] as number) - total;
}
