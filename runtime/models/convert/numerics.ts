/**
 * What a graph asks of a scheme of numbers: how weights are stored and multiplied. One implementation per `--quantize` choice (quantization.ts).
 */
import type { GraphBuilder, Value } from "./graph-builder.js";
import type { Linear } from "./linear.js";

/** Where a layer's input comes from: a scheme may know its range. */
export type InputKind = "plain" | "gelu";

export interface Numerics {
	/** x [..., columns] -> [..., rows], bias added where the layer has one. */
	linear(
		graph: GraphBuilder,
		x: Value,
		linear: Linear,
		input?: InputKind,
	): Value;
	/** Rows of a layer's weights by number: ids [R,L] -> [R,L,columns]. The weights are stored once for this and `linear`. */
	gatherRows(graph: GraphBuilder, ids: Value, linear: Linear): Value;
}

export function addBias(
	graph: GraphBuilder,
	product: Value,
	{ name, rows, bias }: Linear,
): Value {
	if (!bias) return product;
	// not Add: ONNX Runtime would fuse it with what follows into kernels that are slower on CPUs (BiasGelu, SkipLayerNormalization)
	return graph.op("Sum", [product, graph.floats(`${name}/bias`, [rows], bias)]);
}
