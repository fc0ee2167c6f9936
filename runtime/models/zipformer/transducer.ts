/**
 * The decoder and the joiner of a transducer with a stateless decoder (Ghodsi et al. 2020, "RNN-Transducer with Stateless Prediction Network"): the decoder
 * turns the last tokens into a prediction, the joiner turns a frame and predictions into scores of every token.
 */
import type { InferencePort, InferenceSession } from "../inference-port.js";
import { ModelFault } from "../model-fault.js";
import type { Emitted } from "./beam.js";

/** Cached predictions: words recur, and most frames add no token to a hypothesis. */
const predictionsMax = 4096;
/** Padding before the first token. */
const noToken = -1;
export const blank = 0;

export class Transducer {
	readonly #port: InferencePort;
	readonly #decoder: InferenceSession;
	readonly #joiner: InferenceSession;
	readonly #predictions = new Map<string, Float32Array>();

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
		if (decoder.inputNames.length !== 1 || joiner.inputNames.length !== 2)
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

	/** @param context the last `contextSize` tokens. @returns a shared array; do not modify it. */
	async predict(context: readonly number[]): Promise<Float32Array> {
		const key = context.join(" ");
		const known = this.#predictions.get(key);
		if (known) return known;
		const [input = ""] = this.#decoder.inputNames;
		const [output = ""] = this.#decoder.outputNames;
		const tokens = BigInt64Array.from(context, BigInt);
		const feed = this.#port.tensor("int64", tokens, [1, context.length]);
		const found = await this.#decoder.run({ [input]: feed }, [output]);
		const prediction = copied(found[output]);
		if (this.#predictions.size >= predictionsMax) this.#predictions.clear();
		this.#predictions.set(key, prediction);
		return prediction;
	}

	/**
	 * @param frame of the encoder. @param predictions one per hypothesis.
	 * @returns [predictions, vocabulary], before the softmax.
	 */
	async join(
		frame: Float32Array,
		predictions: readonly Float32Array[],
	): Promise<Float32Array> {
		const rows = predictions.length;
		const frames = new Float32Array(rows * frame.length);
		const width = predictions[0]?.length ?? 0;
		const predicted = new Float32Array(rows * width);
		predictions.forEach((prediction, row) => {
			frames.set(frame, row * frame.length);
			predicted.set(prediction, row * width);
		});
		return this.joinRows(frames, predicted, rows);
	}

	/**
	 * Joins each frame with the prediction of the same row.
	 * @param frames [rows, width of a frame]. @param predictions [rows, width of a prediction].
	 * @returns [rows, vocabulary], before the softmax.
	 */
	async joinRows(
		frames: Float32Array,
		predictions: Float32Array,
		rows: number,
	): Promise<Float32Array> {
		const [frameInput = "", predictionInput = ""] = this.#joiner.inputNames;
		const [output = ""] = this.#joiner.outputNames;
		const tensorOf = (values: Float32Array) =>
			this.#port.tensor("float32", values, [rows, values.length / rows]);
		const found = await this.#joiner.run(
			{
				[frameInput]: tensorOf(frames),
				[predictionInput]: tensorOf(predictions),
			},
			[output],
		);
		const logits = copied(found[output]);
		if (logits.length !== rows * this.vocabulary)
			throw new ModelFault(
				`the joiner scores ${logits.length / rows} tokens, but the manifest has ${this.vocabulary}`,
			);
		return logits;
	}
}

function copied(
	tensor: Awaited<ReturnType<InferenceSession["run"]>>[string] | undefined,
): Float32Array {
	if (!tensor) throw new ModelFault("the graph returned no output");
	const values = (tensor.data as Float32Array).slice();
	tensor.dispose();
	return values;
}
