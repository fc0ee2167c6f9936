/**
 * Silero VAD (version 5 and 6, the same graph) over the inference port. The model is shared; each stream gets a detector with its own state.
 */
import assert from "node:assert";
import type { SpeechDetector } from "../../segmentation/speech-detector.js";
import type {
	InferencePort,
	InferenceSession,
	Tensor,
} from "../inference-port.js";
import { Ear } from "./ear.js";

/** 32 ms at 16 kHz: the model knows no other length. */
const windowSamples = 512;
/** The end of the window before goes in front of each. */
const contextSamples = 64;
const stateDims = [2, 1, 128] as const;
const stateFloats = 2 * 1 * 128;

const names = {
	inputs: ["input", "state", "sr"],
	outputs: ["output", "stateN"],
} as const;

export interface SileroModel {
	createDetector(): SpeechDetector;
	close(): Promise<void>;
}

/** @param path of `silero_vad.onnx`. @throws when it is another graph. */
export async function openSilero(
	port: InferencePort,
	path: string,
): Promise<SileroModel> {
	// one window is too little work to share between threads
	const session = await port.open(path, { threads: 1 });
	for (const name of names.inputs)
		if (!session.inputNames.includes(name))
			throw new Error(`${path} is no Silero VAD: it has no input ${name}`);
	for (const name of names.outputs)
		if (!session.outputNames.includes(name))
			throw new Error(`${path} is no Silero VAD: it has no output ${name}`);
	return {
		createDetector: () => new SileroDetector(port, session),
		close: () => session.close(),
	};
}

class SileroDetector implements SpeechDetector {
	readonly windowSamples = windowSamples;
	readonly #session: InferenceSession;
	readonly #ear = new Ear();
	/** [context + window], as heard, before amplification. */
	readonly #heard = new Float32Array(contextSamples + windowSamples);
	/** The same amplified: the memory behind the input tensor. */
	readonly #input = new Float32Array(contextSamples + windowSamples);
	readonly #state = new Float32Array(stateFloats);
	/** Made once: they share the arrays' memory. */
	readonly #feeds: Readonly<Record<string, Tensor>>;

	constructor(port: InferencePort, session: InferenceSession) {
		this.#session = session;
		this.#feeds = {
			input: port.tensor("float32", this.#input, [1, this.#input.length]),
			state: port.tensor("float32", this.#state, stateDims),
			sr: port.tensor("int64", BigInt64Array.of(16_000n), []),
		};
	}

	async accept(windows: Float32Array): Promise<Float32Array> {
		const count = windows.length / windowSamples;
		assert(Number.isInteger(count), `${windows.length} samples are no windows`);
		const probabilities = new Float32Array(count);
		for (let i = 0; i < count; i++) {
			const start = i * windowSamples;
			const window = windows.subarray(start, start + windowSamples);
			probabilities[i] = await this.#step(window);
		}
		return probabilities;
	}

	reset(): void {
		this.#ear.reset();
		this.#heard.fill(0);
		this.#state.fill(0);
	}

	async #step(window: Float32Array): Promise<number> {
		const heard = this.#heard;
		heard.copyWithin(0, windowSamples); // the last window's end
		heard.set(window, contextSamples);
		const gain = this.#ear.hear(heard.subarray(contextSamples));
		for (let i = 0; i < heard.length; i++)
			this.#input[i] = (heard[i] as number) * gain;
		const { output, stateN } = await this.#session.run(
			this.#feeds,
			names.outputs,
		);
		assert(output && stateN);
		const probability = output.data[0] as number;
		this.#state.set(stateN.data as Float32Array);
		output.dispose();
		stateN.dispose();
		return probability;
	}
}
