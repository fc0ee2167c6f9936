/**
 * A plain implementation of Whisper in double precision, directly from the paper, as the reference for the graphs. One sequence at a time.
 */
import { tiny, type Weights } from "./tiny-whisper.js";

/** Rows of numbers. */
type Rows = Float64Array[];

export type Cross = { readonly keys: Rows; readonly values: Rows };

const { state, heads } = tiny;
const size = state / heads;

export class NaiveWhisper {
	readonly #weights: Weights;

	constructor(weights: Weights) {
		this.#weights = weights;
	}

	/** @param mel [mels][frames] @returns keys and values of each decoder layer. */
	encode(mel: Rows): Cross[] {
		const frames = turn(mel);
		let x = this.#convolve(
			this.#convolve(frames, "encoder/conv1", 1),
			"encoder/conv2",
			2,
		);
		const positions = this.#get("encoder/position_encodings/encodings");
		x = x.map((row, s) =>
			row.map((one, d) => one + (positions[s * state + d] as number)),
		);
		for (let i = 0; i < tiny.encoderLayers; i++) {
			const name = `encoder/layer_${i}`;
			const normed = this.#norm(x, `${name}/self_attention/layer_norm`);
			x = sum(x, this.#selfAttention(normed, `${name}/self_attention`, false));
			x = sum(
				x,
				this.#feedForward(
					this.#norm(x, `${name}/ffn/layer_norm`),
					`${name}/ffn`,
				),
			);
		}
		const out = this.#norm(x, "encoder/layer_norm");
		return Array.from({ length: tiny.decoderLayers }, (_, i) => {
			const both = this.#linear(out, `decoder/layer_${i}/attention/linear_1`);
			return {
				keys: both.map((row) => row.slice(0, state)),
				values: both.map((row) => row.slice(state)),
			};
		});
	}

	/** @returns logits of every position, and the cross-attention [layer][head][position][S]. */
	decode(
		tokens: readonly number[],
		cross: readonly Cross[],
	): { logits: Rows; attention: Rows[][] } {
		const embedding = this.#get("decoder/embeddings/weight");
		const positions = this.#get("decoder/position_encodings/encodings");
		let x: Rows = tokens.map((token, t) =>
			Float64Array.from(
				{ length: state },
				(_, d) =>
					(embedding[token * state + d] as number) +
					(positions[t * state + d] as number),
			),
		);
		const attention: Rows[][] = [];
		for (let i = 0; i < tiny.decoderLayers; i++) {
			const name = `decoder/layer_${i}`;
			x = sum(
				x,
				this.#selfAttention(
					this.#norm(x, `${name}/self_attention/layer_norm`),
					`${name}/self_attention`,
					true,
				),
			);
			const queries = this.#linear(
				this.#norm(x, `${name}/attention/layer_norm`),
				`${name}/attention/linear_0`,
			);
			const { keys, values } = cross[i] as Cross;
			const { mixed, weights } = attend(queries, keys, values, false);
			attention.push(weights);
			x = sum(x, this.#linear(mixed, `${name}/attention/linear_2`));
			x = sum(
				x,
				this.#feedForward(
					this.#norm(x, `${name}/ffn/layer_norm`),
					`${name}/ffn`,
				),
			);
		}
		const out = this.#norm(x, "decoder/layer_norm");
		const logits = out.map((row) => {
			const scores = new Float64Array(tiny.vocabulary);
			for (let v = 0; v < scores.length; v++) {
				let score = 0;
				for (let d = 0; d < state; d++)
					score += (row[d] as number) * (embedding[v * state + d] as number);
				scores[v] = score;
			}
			return scores;
		});
		return { logits, attention };
	}

	#get(name: string): Float32Array {
		const found = this.#weights.get(name);
		if (!found) throw new Error(`no ${name}`);
		return found.values;
	}

	#linear(x: Rows, name: string): Rows {
		const weight = this.#get(`${name}/weight`);
		const bias = this.#get(`${name}/bias`);
		return x.map((row) =>
			Float64Array.from(bias, (start, out) => {
				let total = start;
				for (let k = 0; k < row.length; k++)
					total +=
						(row[k] as number) * (weight[out * row.length + k] as number);
				return total;
			}),
		);
	}

	#norm(x: Rows, name: string): Rows {
		const gamma = this.#get(`${name}/gamma`);
		const beta = this.#get(`${name}/beta`);
		return x.map((row) => {
			const mean = row.reduce((a, b) => a + b, 0) / row.length;
			const variance =
				row.reduce((a, b) => a + (b - mean) ** 2, 0) / row.length;
			const deviation = Math.sqrt(variance + 1e-5);
			return row.map(
				(one, d) =>
					((one - mean) / deviation) * (gamma[d] as number) +
					(beta[d] as number),
			);
		});
	}

	#selfAttention(x: Rows, name: string, causal: boolean): Rows {
		const all = this.#linear(x, `${name}/linear_0`);
		const part = (i: number) =>
			all.map((row) => row.slice(i * state, (i + 1) * state));
		const { mixed } = attend(part(0), part(1), part(2), causal);
		return this.#linear(mixed, `${name}/linear_1`);
	}

	#feedForward(x: Rows, name: string): Rows {
		return this.#linear(
			this.#linear(x, `${name}/linear_0`).map((row) => row.map(gelu)),
			`${name}/linear_1`,
		);
	}

	/** Three taps, one frame of zeros on either side, GELU. */
	#convolve(x: Rows, name: string, stride: number): Rows {
		const weight = this.#get(`${name}/weight`);
		const bias = this.#get(`${name}/bias`);
		const channels = x[0]?.length ?? 0;
		const out: Rows = [];
		for (let t = 0; t < x.length; t += stride)
			out.push(
				Float64Array.from(bias, (start, o) => {
					let total = start;
					for (let tap = 0; tap < 3; tap++) {
						const row = x[t + tap - 1];
						if (row)
							for (let c = 0; c < channels; c++)
								total +=
									(row[c] as number) *
									(weight[(o * channels + c) * 3 + tap] as number);
					}
					return gelu(total);
				}),
			);
		return out;
	}
}

function attend(
	queries: Rows,
	keys: Rows,
	values: Rows,
	causal: boolean,
): { mixed: Rows; weights: Rows[] } {
	const mixed: Rows = queries.map(() => new Float64Array(state));
	const weights: Rows[] = [];
	for (let head = 0; head < heads; head++) {
		const from = head * size;
		weights.push(
			queries.map((query, t) => {
				const seen = causal ? keys.slice(0, t + 1) : keys;
				const row = softmax(
					seen.map((key) => {
						let dot = 0;
						for (let d = from; d < from + size; d++)
							dot += (query[d] as number) * (key[d] as number);
						return dot / Math.sqrt(size);
					}),
				);
				for (const [s, weight] of row.entries())
					for (let d = from; d < from + size; d++)
						(mixed[t] as Float64Array)[d] =
							((mixed[t] as Float64Array)[d] as number) +
							weight * (values[s]?.[d] as number);
				return row;
			}),
		);
	}
	return { mixed, weights };
}

function softmax(scores: number[]): Float64Array {
	const peak = Math.max(...scores);
	const exps = scores.map((one) => Math.exp(one - peak));
	const total = exps.reduce((a, b) => a + b, 0);
	return Float64Array.from(exps, (one) => one / total);
}

export function logSoftmax(logits: Float64Array): Float64Array {
	const peak = logits.reduce(
		(a, b) => Math.max(a, b),
		Number.NEGATIVE_INFINITY,
	);
	let total = 0;
	for (const one of logits) total += Math.exp(one - peak);
	const lse = peak + Math.log(total);
	return logits.map((one) => one - lse);
}

function gelu(x: number): number {
	return (x / 2) * (1 + erf(x / Math.SQRT2));
}

/** Its series: enough terms for |x| < 6; beyond that it is 1. */
function erf(x: number): number {
	if (Math.abs(x) > 5) return Math.sign(x);
	let term = x;
	let total = x;
	for (let n = 1; n < 120; n++) {
		term *= (-x * x) / n;
		total += term / (2 * n + 1);
	}
	return (2 / Math.sqrt(Math.PI)) * total;
}

function sum(a: Rows, b: Rows): Rows {
	return a.map((row, i) => row.map((one, d) => one + (b[i]?.[d] as number)));
}

function turn(rows: Rows): Rows {
	return Array.from(rows[0] ?? [], (_, t) =>
		Float64Array.from(rows, (row) => row[t] as number),
	);
}
