/** The sizes of a zipformer encoder as its exporter wrote them down, and those that follow. */
import type { Value } from "../graph-builder.js";
import { badSource } from "../weights.js";
import type { ExportedWeights } from "./exported-weights.js";

/** A stack of the encoder: one layer that sees every `factor`th frame. */
export interface StackSizes {
	/** Frames that are joined to one. */
	readonly factor: number;
	/** Frames of a chunk, and of what it sees before itself. */
	readonly chunk: number;
	readonly left: number;
	readonly heads: number;
	/** Of a head. */
	readonly queries: number;
	readonly values: number;
	/** Of the projection of relative positions, of a head. */
	readonly positions: number;
	/** Hidden values of the attention that multiplies. */
	readonly gated: number;
	/** Taps of the convolutions that see nothing later than their frame. */
	readonly taps: number;
}

export interface StackParts extends StackSizes {
	/** Of its layer in training, and its number. */
	readonly name: string;
	readonly number: number;
	readonly width: number;
	/** How many chunks there are. */
	readonly chunks: Value;
	/** [chunks, 1, 1, left + chunk] */
	readonly mask: Value;
	/** Of relative positions: [heads, 1, positions, 2 chunk + left - 1] */
	readonly projection: Float32Array;
}

export interface ZipformerSizes {
	readonly mels: number;
	/** Feature frames that a chunk moves on by, and those it needs in all. */
	readonly hopFrames: number;
	readonly chunkFrames: number;
	readonly width: number;
	readonly stacks: readonly StackSizes[];
}

/** Feature frames for each frame of the stacks. */
export const framesJoined = 2;

/** @throws SourceError when the graph has another structure than those that can be rewritten */
export function sizesOf(weights: ExportedWeights): ZipformerSizes {
	const lists = {
		layers: weights.sizes("num_encoder_layers"),
		widths: weights.sizes("encoder_dims"),
		kernels: weights.sizes("cnn_module_kernels"),
		lefts: weights.sizes("left_context_len"),
		queries: weights.sizes("query_head_dims"),
		values: weights.sizes("value_head_dims"),
		heads: weights.sizes("num_heads"),
	};
	const [hopFrames = 0] = weights.sizes("decode_chunk_len");
	const [chunkFrames = 0] = weights.sizes("T");
	const [width = 0] = lists.widths;
	const [longest = 0] = lists.lefts;
	const base = hopFrames / framesJoined;
	if (lists.widths.some((it) => it !== width))
		throw badSource("its stacks have different widths");
	if (lists.layers.some((it) => it !== 1))
		throw badSource("its stacks have several layers");
	const positions = weights.positions();
	const stacks = lists.lefts.map((left, i): StackSizes => {
		const factor = longest / left;
		const [heads = 0, , size = 0, count] = positions[i]?.dims ?? [];
		const chunk = base / factor;
		if (!Number.isInteger(chunk) || count !== 2 * chunk + left - 1)
			throw badSource(`stack ${i} has other positions than its chunks`);
		const prefix = layerOf(i);
		return {
			factor,
			chunk,
			left,
			heads,
			queries: lists.queries[i] ?? 0,
			values: lists.values[i] ?? 0,
			positions: size,
			gated: weights.matrix(`${prefix}.nonlin_attention.out_proj`).inputs,
			taps: ((lists.kernels[i] ?? 0) + 1) / 2,
		};
	});
	return { mels: 80, hopFrames, chunkFrames, width, stacks };
}

/** The name of a stack's layer in training. */
export function layerOf(stack: number): string {
	const name = `encoder.encoders.${stack}`;
	return stack === 0 ? `${name}.layers.0` : `${name}.encoder.layers.0`;
}
