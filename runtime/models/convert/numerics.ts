/**
 * A numeric format for graphs: how weights are stored and multiplied. One implementation per `--storage` choice (quantization.ts).
 */
import type { GraphBuilder, Value } from "./graph-builder.js";
import type { Linear } from "./linear.js";

export type LayerUse = {
	/** The input comes from a GELU: a format may make use of its range. */
	readonly followsGelu?: boolean;
	/** The output passes through a GELU. */
	readonly endsInGelu?: boolean;
};

/** Tokens that may be chosen, and those whose scores are asked for: `bias` and `extra_ids` of a decoder (../whisper/graphs.ts). */
export type TokenChoice = { readonly bias: Value; readonly extraIds: Value };

export interface Numerics {
	/** Whether graphs use only standard operators, without our kernels: they are exact, or for another processor. */
	readonly isPlain: boolean;
	/** x [..., columns] -> [..., rows], bias added where the layer has one. */
	linear(graph: GraphBuilder, x: Value, linear: Linear, use?: LayerUse): Value;
	/** As `linear` and `addTopLogProbs` (top-log-probs.ts), in one pass where a device can. Absent where the format has no function for it. */
	topLogProbs?(
		graph: GraphBuilder,
		x: Value,
		linear: Linear,
		choice: TokenChoice,
		outputNames: readonly Value[],
	): void;
	/** Rows of a layer's weights by number: ids [R,L] -> [R,L,columns]. The weights are stored once for this and `linear`. */
	gatherRows(graph: GraphBuilder, ids: Value, linear: Linear): Value;
	/** As `linear`, with some of the layer's outputs only. Absent where the format has no use for it. */
	linearOfRows?(
		graph: GraphBuilder,
		x: Value,
		linear: Linear,
		ids: readonly number[],
	): Value;
}

export function addBias(
	graph: GraphBuilder,
	product: Value,
	{ name, rows, bias }: Linear,
): Value {
	if (!bias) return product;
	// not Add: ONNX Runtime would fuse it with the next operator into kernels that are slower on CPUs (BiasGelu, SkipLayerNormalization)
	return graph.op("Sum", [product, graph.floats(`${name}/bias`, [rows], bias)]);
}

export function addEnding(
	graph: GraphBuilder,
	x: Value,
	{ endsInGelu = false }: LayerUse,
): Value {
	return endsInGelu ? (graph.contrib("Gelu", [x])[0] as Value) : x;
}
