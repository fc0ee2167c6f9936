/**
 * Continuous integrate-and-fire (Dong and Xu 2020, "CIF: Continuous Integrate-and-Fire for End-to-End Speech Recognition"): the encoder gives each frame a
 * weight; weights are added up, and whenever they reach one a token fires, whose embedding is the weighted sum of its frames. It goes on from chunk to chunk.
 *
 * Pure, and independent of any model; single precision as the original, because a sum close to one decides whether there is a token.
 */
export interface Integrated {
	/** Weighted sum of the frames since the last token: [width] */
	readonly hidden: Float32Array;
	/** Sum of their weights, below one. */
	readonly weight: number;
}

export interface Fired extends Integrated {
	/** Embeddings of the tokens: [count, width] */
	readonly embeddings: Float32Array;
	/** The frame at which each token fired. */
	readonly frames: readonly number[];
}

const threshold = 1;

/** @param values [weights.length, width] @param before what the chunk before left; unchanged. */
export function integrateAndFire(
	values: Float32Array,
	weights: Float32Array,
	before: Integrated,
): Fired {
	const width = before.hidden.length;
	const hidden = before.hidden.slice();
	const embeddings: Float32Array[] = [];
	const frames: number[] = [];
	let sum = before.weight;
	weights.forEach((weight, i) => {
		const frame = values.subarray(i * width, (i + 1) * width);
		if (Math.fround(sum + weight) < threshold) {
			sum = Math.fround(sum + weight);
			addScaled(hidden, frame, weight);
			return;
		}
		addScaled(hidden, frame, Math.fround(threshold - sum));
		embeddings.push(hidden.slice());
		frames.push(i);
		sum = Math.fround(sum + Math.fround(weight - threshold));
		hidden.fill(0);
		addScaled(hidden, frame, sum);
	});
	const all = new Float32Array(embeddings.length * width);
	embeddings.forEach((it, i) => {
		all.set(it, i * width);
	});
	return { hidden, weight: sum, embeddings: all, frames };
}

function addScaled(
	sum: Float32Array,
	values: Float32Array,
	factor: number,
): void {
	for (let i = 0; i < sum.length; i++)
		sum[i] = (sum[i] as number) + (values[i] as number) * factor;
}
