/** A transducer whose scores are a formula, so that sums over alignments can be computed by hand. */

import { HostTensor } from "../../drivers/onnx/host-tensor.js";
import type {
	InferencePort,
	InferenceSession,
	Tensor,
} from "../../runtime/models/inference-port.js";
import { Transducer } from "../../runtime/models/transducer/transducer.js";

/** Score of a token in a frame (its number) after two tokens. */
export type ScoreOf = (
	frame: number,
	before: readonly number[],
	token: number,
) => number;

const port: InferencePort = {
	open: () => Promise.reject(new Error("nothing to open")),
	tensor: (type, data, dims) => new HostTensor(type, data, dims),
};

export function fakeTransducer(vocabulary: number, scoreOf: ScoreOf) {
	let rowsJoined = 0;
	const decoder = sessionOf(["y"], "decoded", ({ y }) => {
		const context = Float32Array.from(y?.data as BigInt64Array, Number);
		return new HostTensor("float32", context, [1, context.length]);
	});
	const joiner = sessionOf(["frame", "decoded"], "logit", (feeds) => {
		const frames = feeds.frame?.data as Float32Array;
		const contexts = feeds.decoded?.data as Float32Array;
		rowsJoined += frames.length;
		const scores = [...frames].flatMap((frame, row) =>
			Array.from({ length: vocabulary }, (_, token) =>
				scoreOf(frame, [...contexts.subarray(2 * row, 2 * row + 2)], token),
			),
		);
		return new HostTensor("float32", Float32Array.from(scores), [
			frames.length,
			vocabulary,
		]);
	});
	return {
		transducer: new Transducer(port, decoder, joiner, 2, vocabulary),
		rowsJoined: () => rowsJoined,
	};
}

function sessionOf(
	inputNames: readonly string[],
	output: string,
	run: (feeds: Readonly<Record<string, Tensor>>) => Tensor,
): InferenceSession {
	return {
		inputNames,
		inputs: [],
		outputNames: [output],
		run: async (feeds) => ({ [output]: run(feeds) }),
		close: async () => {},
	};
}

/** Frames that are their own numbers: [count, 1] */
export function numberedFrames(count: number): Float32Array {
	return Float32Array.from({ length: count }, (_, frame) => frame);
}
