/**
 * Silero VAD (version 6, in the graph of scripts/models/silero/graph.ts) over the inference port. The model is shared; each stream gets a detector with
 * its own state.
 */
import assert from "node:assert";
import {
	type SpeechDetector,
	windowSamples,
} from "../../segmentation/speech-detector.js";
import { expectNames } from "../graph-checks.js";
import type { InferencePort, InferenceSession } from "../inference-port.js";
import { withGraph } from "../open-graphs.js";
import { DetectorFrontEnd } from "./front-end.js";

/** The last samples of the previous window, which precede each window in the input. */
const contextSamples = 64;
const inputSamples = contextSamples + windowSamples;
/** Windows per run: 2 s of audio. */
const batchMax = 64;
const stateDims = [2, 1, 128] as const;
const stateFloats = 2 * 1 * 128;

const names = {
	inputs: ["input", "state"],
	outputs: ["output", "stateN"],
} as const;

export interface SileroModel {
	createDetector(): SpeechDetector;
	close(): Promise<void>;
}

/** @param path of `silero_vad.onnx`. @throws when the graph is not Silero VAD. */
export async function openSilero(
	port: InferencePort,
	path: string,
): Promise<SileroModel> {
	// one window is too little work to share between threads
	return withGraph(port, path, { threads: 1 }, (session) => {
		expectNames(path, "Silero VAD", session, names);
		return {
			createDetector: () => new SileroDetector(port, session),
			close: () => session.close(),
		};
	});
}

class SileroDetector implements SpeechDetector {
	readonly windowSamples = windowSamples;
	readonly strideWindows = 1;
	readonly #port: InferencePort;
	readonly #session: InferenceSession;
	readonly #frontEnd = new DetectorFrontEnd();
	/** The end of the previous window and the current one, before amplification. */
	readonly #windowWithContext = new Float32Array(inputSamples);
	/** [2, 1, 128] */
	readonly #state = new Float32Array(stateFloats);

	constructor(port: InferencePort, session: InferenceSession) {
		this.#port = port;
		this.#session = session;
	}

	async accept(windows: Float32Array): Promise<Float32Array> {
		const count = windows.length / windowSamples;
		assert(
			Number.isInteger(count),
			`${windows.length} samples are not whole windows`,
		);
		const probabilities = new Float32Array(count);
		for (let first = 0; first < count; first += batchMax) {
			const end = Math.min(count, first + batchMax);
			const batch = windows.subarray(
				first * windowSamples,
				end * windowSamples,
			);
			probabilities.set(await this.#answer(batch), first);
		}
		return probabilities;
	}

	async finish(): Promise<Float32Array> {
		return new Float32Array(0); // no window is pending
	}

	reset(): void {
		this.#frontEnd.reset();
		this.#windowWithContext.fill(0);
		this.#state.fill(0);
	}

	async #answer(windows: Float32Array): Promise<Float32Array> {
		const input = this.#inputOf(windows);
		const { output, stateN } = await this.#session.run(
			{
				input: this.#port.tensor("float32", input, [
					input.length / inputSamples,
					inputSamples,
				]),
				state: this.#port.tensor("float32", this.#state, stateDims),
			},
			names.outputs,
		);
		assert(output && stateN);
		const probabilities = Float32Array.from(output.data as Float32Array);
		this.#state.set(stateN.data as Float32Array);
		output.dispose();
		stateN.dispose();
		return probabilities;
	}

	/** @returns [windows, 576]: each window preceded by the end of the previous one, amplified by the front end. */
	#inputOf(windows: Float32Array): Float32Array {
		const count = windows.length / windowSamples;
		const input = new Float32Array(count * inputSamples);
		const windowWithContext = this.#windowWithContext;
		for (let i = 0; i < count; i++) {
			const start = i * windowSamples;
			windowWithContext.copyWithin(0, windowSamples); // the previous window's end
			windowWithContext.set(
				windows.subarray(start, start + windowSamples),
				contextSamples,
			);
			const gain = this.#frontEnd.process(
				windowWithContext.subarray(contextSamples),
			);
			for (let j = 0; j < inputSamples; j++)
				input[i * inputSamples + j] = (windowWithContext[j] as number) * gain;
		}
		return input;
	}
}
