/**
 * pyannote's segmentation (in the graph of scripts/models/segmentation/graph.ts) over the inference port: up to 10 s of audio in, the active speakers out.
 * Measured on one core: 30 ms for 10 s.
 */
import assert from "node:assert";
import { expectNames } from "../graph-checks.js";
import type { InferencePort, InferenceSession } from "../inference-port.js";
import { withGraph } from "../open-graphs.js";

const input = "wav";
const output = "classes";
export const classCount = 7;
/** Samples between the centres of two frames, and the first frame's centre. */
export const frameSamples = 270;
export const firstFrameSample = 495;
/** Fewer samples give no frame that can be normalised. */
const samplesMin = 4000;

export interface SegmentationModel {
	/**
	 * @param samples mono, 16 kHz, [-1, 1], finite; up to 10 s.
	 * @returns Float32Array [frames, 7]: for each frame the probabilities of no speech, speaker 1, 2, 3 alone, 1 and 2, 1 and 3, 2 and 3. The numbering
	 *   of speakers differs between calls.
	 */
	classesOf(samples: Float32Array): Promise<Float32Array>;
	close(): Promise<void>;
}

/** @param path of `segmentation.onnx`. @throws when the graph is not a speech segmentation. */
export async function openSegmentation(
	port: InferencePort,
	path: string,
): Promise<SegmentationModel> {
	// its recurrent layers are sequential
	return withGraph(port, path, { threads: 1 }, (session) => {
		const names = { inputs: [input], outputs: [output] };
		expectNames(path, "a speech segmentation", session, names);
		return {
			classesOf: (samples) => run(port, session, samples),
			close: () => session.close(),
		};
	});
}

async function run(
	port: InferencePort,
	session: InferenceSession,
	samples: Float32Array,
): Promise<Float32Array> {
	const wav = new Float32Array(Math.max(samplesMin, samples.length));
	wav.set(samples);
	const found = await session.run(
		{ [input]: port.tensor("float32", wav, [1, wav.length]) },
		[output],
	);
	const tensor = found[output];
	assert(tensor);
	const classes = Float32Array.from(tensor.data as Float32Array);
	tensor.dispose();
	return classes;
}
