/**
 * The decoder's look at the sound. Rows of one segment are contiguous and share its keys and values: [R,L] turns into [A, R/A, L] and back, and keys and
 * values are the same for all R/A. Each row is a product of its own, because ONNX Runtime copies the keys for a product of two to a dozen rows and reads
 * them where they lie for one: three products of one row take half the time of one of three (BENCHMARKS.md).
 */
import { layerName } from "../whisper/graphs.js";
import type { GraphBuilder, Value } from "./graph-builder.js";
import { linearOf, scaledLinear } from "./linear.js";
import { type GraphPlan, headSize } from "./whisper-sizes.js";

type Place = {
	readonly layer: number;
	/** [R,L], for its shape. */
	readonly tokens: Value;
	/** [A,1,1,1,S]: see `cross_bias`. */
	readonly bias: Value;
	/** Heads of this layer whose attention is an output. */
	readonly watchedHeads: readonly number[];
};

type Heard = {
	/** [R,L,state] */
	readonly heard: Value;
	/** [R,heads,L,S] */
	readonly watched: Value | undefined;
};

export function addCrossAttention(
	graph: GraphBuilder,
	{ source, sizes, numerics }: GraphPlan,
	x: Value,
	place: Place,
): Heard {
	const { layer, tokens, bias, watchedHeads } = place;
	const name = `decoder/layer_${layer}/attention`;
	const keys = layerName("cross_k", layer);
	const values = layerName("cross_v", layer);
	const query = linearOf(source, `${name}/linear_0`);
	// the scores' scale goes into the weights
	const scaled = scaledLinear(query, 1 / Math.sqrt(headSize));
	const q = numerics.linear(graph, x, scaled);
	const segments = graph.op("Shape", [keys], { start: 0, end: 1 });
	const length = graph.op("Shape", [tokens], { start: 1, end: 2 });
	const perHead = shapeOf(
		graph,
		segments,
		graph.ints(-1),
		length,
		graph.ints(sizes.heads, headSize),
	);
	const queries = graph.op(
		"Transpose",
		[graph.op("Reshape", [q, perHead])],
		{ perm: [0, 3, 1, 2, 4] }, // [A,H,R/A,L,D]
	);
	const ofAllRows = (x: Value) => graph.op("Unsqueeze", [x, graph.ints(2)]);
	const scores = graph.op("MatMul", [queries, ofAllRows(keys)]);
	const heard = graph.op("Add", [scores, bias]);
	const weights = graph.op("Softmax", [heard], { axis: -1 }); // [A,H,R/A,L,S]
	const mixed = graph.op("MatMul", [weights, ofAllRows(values)]);
	const turned = graph.op("Transpose", [mixed], { perm: [0, 2, 3, 1, 4] });
	const rows = shapeOf(
		graph,
		graph.op("Shape", [tokens]),
		graph.ints(sizes.state),
	);
	const joined = graph.op("Reshape", [turned, rows]);
	const out = linearOf(source, `${name}/linear_2`);
	return {
		heard: numerics.linear(graph, joined, out),
		watched:
			watchedHeads.length > 0
				? addWatched(graph, weights, length, watchedHeads)
				: undefined,
	};
}

/** weights [A,H,R/A,L,S] -> [R,heads,L,S]. */
function addWatched(
	graph: GraphBuilder,
	weights: Value,
	length: Value,
	heads: readonly number[],
): Value {
	const chosen = graph.op("Gather", [weights, graph.ints(...heads)], {
		axis: 1,
	});
	const turned = graph.op("Transpose", [chosen], { perm: [0, 2, 1, 3, 4] });
	const positions = graph.op("Shape", [weights], { start: 4, end: 5 });
	const joined = shapeOf(
		graph,
		graph.ints(-1, heads.length),
		length,
		positions,
	);
	return graph.op("Reshape", [turned, joined]);
}

function shapeOf(graph: GraphBuilder, ...parts: Value[]): Value {
	return graph.op("Concat", parts, { axis: 0 });
}
