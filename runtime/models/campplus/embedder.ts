/**
 * CAM++ (in the graph of scripts/models/campplus/graph.ts) over the inference port: windows of audio in, the voice embedding of each as a unit vector in 192
 * dimensions out. Measured on one core with windows of 1.6 s: 14.9 ms each alone, 11.0 ms in batches of 8.
 */

import assert from "node:assert";
import { sampleRateHz } from "../../audio/sample-rate.js";
import { expectNames } from "../graph-checks.js";
import type { InferencePort, InferenceSession } from "../inference-port.js";
import { withGraph } from "../open-graphs.js";

const input = "wav";
const output = "emb";
/** Larger batches are slower per window, and take memory. */
const batchMax = 8;

export interface VoiceEmbedder {
	/**
	 * @param windows of equal length, mono, 16 kHz, [-1, 1], finite.
	 * @returns an embedding for each, of norm 1 (zeros where the model's output is zero or not finite).
	 */
	embed(windows: readonly Float32Array[]): Promise<Float32Array[]>;
	close(): Promise<void>;
}

export interface EmbedderSource {
	readonly path: string;
	readonly dimensions: number;
	readonly windowSecondsMax: number;
}

/** @throws when the graph is not CAM++. */
export async function openCampplus(
	port: InferencePort,
	{ path, dimensions, windowSecondsMax }: EmbedderSource,
	options: { readonly threads: number },
): Promise<VoiceEmbedder> {
	const session = await withGraph(port, path, options, (opened) => {
		expectNames(path, "CAM++", opened, { inputs: [input], outputs: [output] });
		return opened;
	});
	const samplesMax = windowSecondsMax * sampleRateHz;
	return {
		async embed(windows) {
			const embeddings: Float32Array[] = [];
			for (let first = 0; first < windows.length; first += batchMax) {
				const batch = windows.slice(first, first + batchMax);
				const samples = batch[0]?.length ?? 0;
				assert(
					samples <= samplesMax,
					`${samples} samples are too many for a window`,
				);
				const values = await run(port, session, batch);
				for (let i = 0; i < batch.length; i++)
					embeddings.push(
						direction(values.subarray(i * dimensions, (i + 1) * dimensions)),
					);
			}
			return embeddings;
		},
		close: () => session.close(),
	};
}

/** @returns [batch, dimensions] */
async function run(
	port: InferencePort,
	session: InferenceSession,
	batch: readonly Float32Array[],
): Promise<Float32Array> {
	const samples = batch[0]?.length ?? 0;
	const joined = new Float32Array(batch.length * samples);
	for (const [i, window] of batch.entries()) {
		assert(
			window.length === samples,
			"the windows of a batch must have equal lengths",
		);
		joined.set(window, i * samples);
	}
	const wav = port.tensor("float32", joined, [batch.length, samples]);
	const found = await session.run({ [input]: wav }, [output]);
	const tensor = found[output];
	assert(tensor);
	const values = Float32Array.from(tensor.data as Float32Array);
	tensor.dispose();
	return values;
}

function direction(values: Float32Array): Float32Array {
	let squares = 0;
	for (const value of values) squares += value * value;
	const length = Math.sqrt(squares);
	return length > 0 && Number.isFinite(length)
		? values.map((value) => value / length)
		: new Float32Array(values.length);
}
