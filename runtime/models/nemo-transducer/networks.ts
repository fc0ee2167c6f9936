/**
 * The prediction network (an LSTM over the tokens) and the joiner of a NeMo transducer. Their inputs and outputs are used by place, as sherpa-onnx does
 * (offline-transducer-nemo-model.cc): targets, their length and two states; and frames and predictions, channels before time.
 */

import { expectGraph } from "../graph-checks.js";
import type {
	InferencePort,
	InferenceSession,
	Tensor,
} from "../inference-port.js";
import { ModelFault } from "../model-fault.js";
import { refuseInfinite } from "../offline/encoded-frames.js";
import type { NemoTransducerShape } from "./shape.js";

/** Two states of the LSTM: [layers, 1, hidden] each. */
export type PredictionState = readonly [Float32Array, Float32Array];

/** The prediction after some tokens. */
export interface Prediction {
	/** [hidden] */
	readonly output: Float32Array;
	readonly state: PredictionState;
}

export class NemoNetworks {
	readonly #port: InferencePort;
	readonly #decoder: InferenceSession;
	readonly #joiner: InferenceSession;
	readonly #shape: NemoTransducerShape;
	/** The joiner takes several rows. */
	readonly #takesRows: boolean;

	/** @throws ModelFault when the graphs are not such networks. */
	constructor(
		port: InferencePort,
		decoder: InferenceSession,
		joiner: InferenceSession,
		shape: NemoTransducerShape,
	) {
		expectGraph("the decoder", decoder, 4, 4);
		expectGraph("the joiner", joiner, 2, 1);
		this.#port = port;
		this.#decoder = decoder;
		this.#joiner = joiner;
		this.#shape = shape;
		this.#takesRows = joiner.inputs.every(
			({ dims }) => typeof dims[0] === "string",
		);
	}

	get initialState(): PredictionState {
		const size = this.#shape.layers * this.#shape.hidden;
		return [new Float32Array(size), new Float32Array(size)];
	}

	async predict(token: number, state: PredictionState): Promise<Prediction> {
		const { layers, hidden } = this.#shape;
		const names = this.#decoder.inputNames;
		const number = (value: number, dims: number[]) =>
			this.#port.tensor("int32", Int32Array.of(value), dims);
		const stateOf = (values: Float32Array) =>
			this.#port.tensor("float32", values, [layers, 1, hidden]);
		const [output = "", , first = "", second = ""] = this.#decoder.outputNames;
		const found = await this.#decoder.run(
			{
				[names[0] as string]: number(token, [1, 1]),
				[names[1] as string]: number(1, [1]),
				[names[2] as string]: stateOf(state[0]),
				[names[3] as string]: stateOf(state[1]),
			},
			[output, first, second],
		);
		const values = taken("the decoder", found[output]);
		const next: PredictionState = [
			taken("the decoder", found[first]),
			taken("the decoder", found[second]),
		];
		if (next[0].length !== layers * hidden)
			throw new ModelFault(
				`the decoder's state has ${next[0].length} values, but the manifest has ${layers} layers of ${hidden}`,
			);
		return { output: values, state: next };
	}

	/**
	 * @param frames of the encoder, one for each prediction.
	 * @returns for each, scores of the tokens, and behind them those of durations where the model has them.
	 */
	async join(
		frames: readonly Float32Array[],
		predictions: readonly Float32Array[],
	): Promise<readonly Float32Array[]> {
		if (this.#takesRows) return this.#joinRows(frames, predictions);
		const scores: Float32Array[] = [];
		for (const [i, frame] of frames.entries())
			scores.push(
				...(await this.#joinRows([frame], [predictions[i] as Float32Array])),
			);
		return scores;
	}

	async #joinRows(
		frames: readonly Float32Array[],
		predictions: readonly Float32Array[],
	): Promise<readonly Float32Array[]> {
		const [frameInput = "", predictionInput = ""] = this.#joiner.inputNames;
		const [output = ""] = this.#joiner.outputNames;
		const found = await this.#joiner.run(
			{
				[frameInput]: this.#rowsOf(frames),
				[predictionInput]: this.#rowsOf(predictions),
			},
			[output],
		);
		const scores = taken("the joiner", found[output]);
		const width = scores.length / frames.length;
		if (width < this.#shape.vocabulary)
			throw new ModelFault(
				`the joiner scores ${width} tokens, but the manifest has ${this.#shape.vocabulary}`,
			);
		return frames.map((_, i) => scores.subarray(i * width, (i + 1) * width));
	}

	/** [rows, width, 1] */
	#rowsOf(rows: readonly Float32Array[]): Tensor {
		const width = rows[0]?.length ?? 0;
		const values = new Float32Array(rows.length * width);
		rows.forEach((row, i) => {
			values.set(row, i * width);
		});
		return this.#port.tensor("float32", values, [rows.length, width, 1]);
	}
}

function taken(what: string, tensor: Tensor | undefined): Float32Array {
	if (tensor?.type !== "float32")
		throw new ModelFault(`${what} returned no scores`);
	const values = tensor.data as Float32Array;
	tensor.dispose();
	refuseInfinite(what, values);
	return values;
}
