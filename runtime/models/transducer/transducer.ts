/**
 * The decoder and the joiner of a transducer with a stateless decoder (Ghodsi et al. 2020, "RNN-Transducer with Stateless Prediction Network"): the decoder
 * turns the last tokens into a prediction, the joiner turns a frame and a prediction into scores of every token.
 */

import { toLogProbabilities } from "../../search/log-probability.js";
import {
	elementCount,
	type InferencePort,
	type InferenceSession,
	type Tensor,
} from "../inference-port.js";
import { ModelFault } from "../model-fault.js";
import { likeliestIn } from "../offline/score-rows.js";
import type { Emitted, LikelyTokens } from "./beam.js";

/** Cached predictions: words recur, and most frames add no token to a hypothesis. */
const predictionsMax = 4096;
/** Padding before the first token. */
const noToken = -1;
export const blank = 0;
/** Ends of a joiner that earshot has rewritten (convert/zipformer/joiner-graph.ts). */
export const manyRows = {
	frames: "frames",
	predictions: "predictions",
	frameOf: "frame_of",
	predictionOf: "prediction_of",
	logp: "log_probabilities",
} as const;

/** The frames or the predictions that are joined. */
export interface JoinedSide {
	/** [any number, width] */
	readonly values: Float32Array;
	readonly width: number;
	/** Which of them is in each row of the result. */
	readonly rows: Int32Array;
}

export class Transducer {
	readonly #port: InferencePort;
	readonly #decoder: InferenceSession;
	readonly #joiner: InferenceSession;
	readonly #predictions = new Map<string, Float32Array>();
	/** Whether the decoder takes several contexts in a run. */
	readonly #decodesMany: boolean;
	/** Whether more rows in a run of the joiner cost little, and change nothing: rewritten joiners. */
	readonly joinsMany: boolean;

	constructor(
		port: InferencePort,
		decoder: InferenceSession,
		joiner: InferenceSession,
		/** Previous tokens that the decoder takes as input. */
		readonly contextSize: number,
		readonly vocabulary: number,
	) {
		this.#port = port;
		this.#decoder = decoder;
		this.#joiner = joiner;
		this.#decodesMany = typeof decoder.inputs[0]?.dims[0] === "string";
		this.joinsMany = joiner.inputNames.includes(manyRows.frameOf);
		const joined = this.joinsMany ? 4 : 2;
		if (decoder.inputNames.length !== 1 || joiner.inputNames.length !== joined)
			throw new ModelFault(
				"decoder and joiner are not a transducer's: they must have one and two inputs",
			);
	}

	/** The decoder's input before the first token. */
	get start(): readonly number[] {
		return [...Array(this.contextSize - 1).fill(noToken), blank];
	}

	/** The decoder's input after a hypothesis' tokens. @param last the latest of them. */
	contextAfter(last: Emitted | undefined): readonly number[] {
		const context: number[] = [];
		for (let at = last; at && context.length < this.contextSize; at = at.before)
			context.unshift(at.token);
		return [...this.start, ...context].slice(-this.contextSize);
	}

	/** @param contexts the last `contextSize` tokens each. @returns shared arrays; do not modify them. */
	async predict(
		contexts: readonly (readonly number[])[],
	): Promise<Float32Array[]> {
		const found = new Map<string, Float32Array>();
		const unknown = new Map<string, readonly number[]>();
		const keys = contexts.map((context) => {
			const key = context.join(" ");
			const known = this.#predictions.get(key);
			if (known) found.set(key, known);
			else unknown.set(key, context);
			return key;
		});
		if (unknown.size > 0) {
			const computed = await this.#decode([...unknown.values()]);
			if (this.#predictions.size + unknown.size > predictionsMax)
				this.#predictions.clear();
			[...unknown.keys()].forEach((key, i) => {
				const prediction = computed[i] as Float32Array;
				this.#predictions.set(key, prediction);
				found.set(key, prediction);
			});
		}
		return keys.map((key) => found.get(key) as Float32Array);
	}

	/** @returns natural log-probabilities: [rows, vocabulary] */
	async logProbabilities(
		frames: JoinedSide,
		predictions: JoinedSide,
	): Promise<Float32Array> {
		const found = taken(await this.#joined(frames, predictions));
		this.#expectRows(found.length, frames.rows.length);
		if (!this.joinsMany)
			for (let at = 0; at < found.length; at += this.vocabulary)
				toLogProbabilities(found.subarray(at, at + this.vocabulary));
		return found;
	}

	/** @param most tokens of each row. @returns its likeliest ones, best first */
	async likeliest(
		frames: JoinedSide,
		predictions: JoinedSide,
		most: number,
	): Promise<LikelyTokens[]> {
		const output = await this.#joined(frames, predictions);
		try {
			const count = frames.rows.length;
			this.#expectRows(elementCount(output.dims), count);
			const { tokens, scores, logSums } = likeliestIn(output, {
				first: 0,
				count,
				most,
				summed: !this.joinsMany,
			});
			return Array.from({ length: count }, (_, row) => ({
				tokens: tokens.subarray(row * most, (row + 1) * most),
				logps: scores
					.subarray(row * most, (row + 1) * most)
					.map((score) => score - (logSums[row] as number)),
			}));
		} finally {
			output.dispose();
		}
	}

	#expectRows(size: number, rows: number): void {
		if (size !== rows * this.vocabulary)
			throw new ModelFault(
				`the joiner scores ${size / rows} tokens, but the manifest has ${this.vocabulary}`,
			);
	}

	async #decode(
		contexts: readonly (readonly number[])[],
	): Promise<Float32Array[]> {
		if (this.#decodesMany) {
			const all = await this.#decodeOnce(contexts);
			const width = all.length / contexts.length;
			return contexts.map((_, i) => all.slice(i * width, (i + 1) * width));
		}
		const predictions: Float32Array[] = [];
		for (const context of contexts)
			predictions.push(await this.#decodeOnce([context]));
		return predictions;
	}

	async #decodeOnce(
		contexts: readonly (readonly number[])[],
	): Promise<Float32Array> {
		const [input = ""] = this.#decoder.inputNames;
		const [output = ""] = this.#decoder.outputNames;
		const tokens = BigInt64Array.from(contexts.flat(), BigInt);
		const dims = [contexts.length, this.contextSize];
		const feed = this.#port.tensor("int64", tokens, dims);
		const found = await this.#decoder.run({ [input]: feed }, [output]);
		return taken(returned(found[output]));
	}

	/** @returns scores, or with a joiner that earshot has rewritten log-probabilities: [rows, vocabulary] */
	#joined(frames: JoinedSide, predictions: JoinedSide): Promise<Tensor> {
		return this.joinsMany
			? this.#joinMany(frames, predictions)
			: this.#joinRows(frames, predictions);
	}

	async #joinMany(
		frames: JoinedSide,
		predictions: JoinedSide,
	): Promise<Tensor> {
		const valuesOf = ({ values, width }: JoinedSide) =>
			this.#port.tensor("float32", values, [values.length / width, width]);
		const rowsOf = ({ rows }: JoinedSide) =>
			this.#port.tensor("int32", rows, [rows.length]);
		const found = await this.#joiner.run(
			{
				[manyRows.frames]: valuesOf(frames),
				[manyRows.predictions]: valuesOf(predictions),
				[manyRows.frameOf]: rowsOf(frames),
				[manyRows.predictionOf]: rowsOf(predictions),
			},
			[manyRows.logp],
		);
		return returned(found[manyRows.logp]);
	}

	/** With a joiner as it is published: a frame and a prediction for every row. */
	async #joinRows(
		frames: JoinedSide,
		predictions: JoinedSide,
	): Promise<Tensor> {
		const [frameInput = "", predictionInput = ""] = this.#joiner.inputNames;
		const [output = ""] = this.#joiner.outputNames;
		const found = await this.#joiner.run(
			{
				[frameInput]: this.#repeated(frames),
				[predictionInput]: this.#repeated(predictions),
			},
			[output],
		);
		return returned(found[output]);
	}

	#repeated({ values, width, rows }: JoinedSide): Tensor {
		const repeated = new Float32Array(rows.length * width);
		rows.forEach((it, row) => {
			repeated.set(values.subarray(it * width, (it + 1) * width), row * width);
		});
		return this.#port.tensor("float32", repeated, [rows.length, width]);
	}
}

/** Copies the values: the memory of an output ends with it. */
function taken(tensor: Tensor): Float32Array {
	const values = new Float32Array(elementCount(tensor.dims));
	tensor.copyTo(values);
	tensor.dispose();
	return values;
}

function returned(tensor: Tensor | undefined): Tensor {
	if (!tensor) throw new ModelFault("the graph returned no output");
	return tensor;
}
