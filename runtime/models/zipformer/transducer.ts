/**
 * The decoder and the joiner of a transducer with a stateless decoder (Ghodsi et al. 2020, "RNN-Transducer with Stateless Prediction Network"): what was
 * said last, as a prediction; a frame and predictions, as scores of every token.
 */
import type { InferencePort, InferenceSession } from "../inference-port.js";
import { ModelFault } from "../model-fault.js";

/** Predictions remembered: a few words are said again and again, and of every hypothesis most frames say nothing new. */
const predictionsMax = 4096;
/** Before the first token. */
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
		/** Tokens that the decoder looks back on. */
		readonly contextSize: number,
		readonly vocabulary: number,
	) {
		this.#port = port;
		this.#decoder = decoder;
		this.#joiner = joiner;
		if (decoder.inputNames.length !== 1 || joiner.inputNames.length !== 2)
			throw new ModelFault(
				"decoder and joiner are no transducer's: one input and two are wanted",
			);
	}

	/** What the decoder is asked with before anything was said. */
	get start(): readonly number[] {
		return [...Array(this.contextSize - 1).fill(noToken), blank];
	}

	/** @param context the last `contextSize` tokens. @returns shared, not to be changed. */
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
	 * @param frame of the encoder. @param predictions one for each hypothesis.
	 * @returns [predictions, vocabulary], before their softmax.
	 */
	async join(
		frame: Float32Array,
		predictions: readonly Float32Array[],
	): Promise<Float32Array> {
		const rows = predictions.length;
		const frames = new Float32Array(rows * frame.length);
		const width = predictions[0]?.length ?? 0;
		const said = new Float32Array(rows * width);
		predictions.forEach((prediction, row) => {
			frames.set(frame, row * frame.length);
			said.set(prediction, row * width);
		});
		const [heardName = "", saidName = ""] = this.#joiner.inputNames;
		const [output = ""] = this.#joiner.outputNames;
		const found = await this.#joiner.run(
			{
				[heardName]: this.#port.tensor("float32", frames, [rows, frame.length]),
				[saidName]: this.#port.tensor("float32", said, [rows, width]),
			},
			[output],
		);
		const logits = copied(found[output]);
		if (logits.length !== rows * this.vocabulary)
			throw new ModelFault(
				`the joiner scores ${logits.length / rows} tokens, the manifest says ${this.vocabulary}`,
			);
		return logits;
	}
}

function copied(
	tensor: Awaited<ReturnType<InferenceSession["run"]>>[string] | undefined,
): Float32Array {
	if (!tensor) throw new ModelFault("the graph gave no answer");
	const values = Float32Array.from(tensor.data as Float32Array);
	tensor.dispose();
	return values;
}
