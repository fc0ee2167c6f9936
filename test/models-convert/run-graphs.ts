/** Runs a converted package through ONNX Runtime, as the recognizer would. */
import { join } from "node:path";
import { openOnnx } from "../../drivers/onnx/session.js";
import type { Tensor } from "../../runtime/models/inference-port.js";
import { layerName } from "../../runtime/models/whisper/graphs.js";

export type Shape = {
	readonly heads: number;
	readonly decoderLayers: number;
	readonly vocabulary: number;
};
export type Outputs = Record<string, Tensor>;

export type StepInput = {
	/** [R][L] */
	readonly tokens: readonly (readonly number[])[];
	readonly parents: readonly number[];
	readonly positions: readonly number[];
	readonly bias?: Float32Array;
	/** The same for every row and position. */
	readonly extra?: readonly number[];
	/** Outputs of the previous step. */
	readonly past?: Outputs;
};

export type Graphs = Awaited<ReturnType<typeof openGraphs>>;

export async function openGraphs(folder: string, shape: Shape) {
	const port = openOnnx();
	const encoder = await port.open(join(folder, "encoder.onnx"), { threads: 1 });
	const decoder = await port.open(join(folder, "decoder.onnx"), { threads: 1 });
	const ints = (values: readonly number[], dims: readonly number[]) =>
		port.tensor("int32", Int32Array.from(values), dims);
	return {
		/** @param mel [A, mels, T] */
		encode: (mel: Float32Array, dims: readonly number[]): Promise<Outputs> =>
			encoder.run(
				{ mel: port.tensor("float32", mel, dims) },
				encoder.outputNames,
			),
		step: (cross: Outputs, input: StepInput): Promise<Outputs> => {
			const { tokens, parents, positions, past } = input;
			const extra = input.extra ?? [];
			const places = tokens.length * positions.length;
			const [segments = 0, , , frames = 0] = cross.cross_k_0?.dims ?? [];
			const feeds: Outputs = {
				cross_bias: port.tensor(
					"float32",
					new Float32Array(segments * frames),
					[segments, frames],
				),
				...cross,
				tokens: ints(tokens.flat(), [tokens.length, tokens[0]?.length ?? 0]),
				parents: ints(parents, [tokens.length]),
				positions: ints(positions, [positions.length]),
				bias: port.tensor(
					"float32",
					input.bias ?? new Float32Array(shape.vocabulary),
					[shape.vocabulary],
				),
				extra_ids: ints(Array.from({ length: places }, () => extra).flat(), [
					tokens.length,
					positions.length,
					extra.length,
				]),
			};
			for (let layer = 0; layer < shape.decoderLayers; layer++)
				for (const kind of ["k", "v"] as const)
					feeds[layerName(`past_${kind}`, layer)] =
						past?.[layerName(`present_${kind}`, layer)] ??
						port.tensor("float32", new Float32Array(0), [
							1,
							shape.heads,
							0,
							64,
						]);
			return decoder.run(feeds, decoder.outputNames);
		},
		close: async () => {
			await encoder.close();
			await decoder.close();
		},
	};
}

export function floats(outputs: Outputs, name: string): Float32Array {
	return outputs[name]?.data as Float32Array;
}

export function ids(outputs: Outputs, name: string): Int32Array {
	return outputs[name]?.data as Int32Array;
}
