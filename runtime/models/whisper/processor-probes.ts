/**
 * Inputs on which a processor must match the CPU before it is trusted with Whisper's graphs: one second of noise, and two decoder steps over it,
 * the second with a past and two rows.
 */
import {
	elementCount,
	type InferencePort,
	type ProcessorProbe,
	type Tensor,
} from "../inference-port.js";
import { type StepOutput, WhisperDecoder } from "./decoder.js";
import { encoderNames, layerName } from "./graphs.js";
import type { WhisperShape } from "./shape.js";

const frames = 100;
const positions = frames / 2;
/** Half precision and another order of summation stay below 0.01; broken results are far above. */
const toleranceMax = 0.02;

export function encoderProbe({ mels }: WhisperShape): ProcessorProbe {
	return {
		toleranceMax,
		async answers(port, session) {
			const mel = noise(port, [1, mels, frames], 0.5);
			const outputs = await session.run(
				{ [encoderNames.mel]: mel },
				session.outputNames,
			);
			return joined(session.outputNames.map((name) => outputs[name]));
		},
	};
}

export function decoderProbe(shape: WhisperShape): ProcessorProbe {
	return {
		toleranceMax,
		async answers(port, session) {
			const decoder = new WhisperDecoder(port, session, shape);
			const bias = decoder.biasTensor([]);
			const run = decoder.begin(crossOf(port, shape));
			const { startOfTranscript, transcribe, noTimestamps } = shape.special;
			const extraIds = [0, 1, 2, 3];
			const first = await run.step({
				tokens: [startOfTranscript, transcribe, noTimestamps],
				parents: [0],
				bias,
				extraIds: extraIds,
			});
			const second = await run.step({
				tokens: [10, 20],
				parents: [0, 0],
				bias,
				extraIds: [...extraIds, ...extraIds],
			});
			run.close();
			return Float32Array.from([...scoresOf(first), ...scoresOf(second)]);
		},
	};
}

/** Ids are not compared: the order of two equally likely tokens is arbitrary. */
function scoresOf({ logp, extraLogp }: StepOutput): number[] {
	return [...logp, ...extraLogp];
}

function crossOf(port: InferencePort, shape: WhisperShape) {
	const { heads, state, decoderLayers } = shape;
	const size = state / heads;
	const cross: Record<string, Tensor> = {};
	for (let layer = 0; layer < decoderLayers; layer++) {
		cross[layerName("cross_k", layer)] = noise(
			port,
			[1, heads, size, positions],
			1,
		);
		cross[layerName("cross_v", layer)] = noise(
			port,
			[1, heads, positions, size],
			1,
		);
	}
	return cross;
}

/** Always the same values, between -peak and peak. */
function noise(
	port: InferencePort,
	dims: readonly number[],
	peak: number,
): Tensor {
	const length = elementCount(dims);
	const values = Float32Array.from(
		{ length },
		(_, i) => peak * Math.sin(i * (i % 977)),
	);
	return port.tensor("float32", values, dims);
}

function joined(tensors: readonly (Tensor | undefined)[]): Float32Array {
	const values: number[] = [];
	for (const tensor of tensors) {
		if (tensor) for (const value of tensor.data) values.push(Number(value));
		tensor?.dispose();
	}
	return Float32Array.from(values);
}
