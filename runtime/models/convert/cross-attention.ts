/**
 * The decoder's look at the sound. Rows of one segment are contiguous and share its keys and values, so they become positions of one batch entry:
 * [R,L] turns into [A, R/A * L] and back.
 */
import { layerName } from "../whisper/graphs.js";
import type { GraphBuilder, Value } from "./graph-builder.js";
import { linearOf, scaledLinear } from "./linear.js";
import { type GraphPlan, headSize } from "./whisper-sizes.js";

type Place = {
	readonly layer: number;
	/** [R,L], for its shape. */
	readonly tokens: Value;
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
	const { layer, tokens, watchedHeads } = place;
	const name = `decoder/layer_${layer}/attention`;
	const keys = layerName("cross_k", layer);
	const values = layerName("cross_v", layer);
	const query = linearOf(source, `${name}/linear_0`);
	// the scores' scale goes into the weights
	const scaled = scaledLinear(query, 1 / Math.sqrt(headSize));
	const q = numerics.linear(graph, x, scaled);
	const segments = graph.op("Shape", [keys], { start: 0, end: 1 });
	const perHead = shapeOf(
		graph,
		segments,
		graph.ints(-1, sizes.heads, headSize),
	);
	const swap = { perm: [0, 2, 1, 3] };
	const queries = graph.op(
		"Transpose",
		[graph.op("Reshape", [q, perHead])],
		swap,
	);
	const scores = graph.op("MatMul", [queries, keys]);
	const weights = graph.op("Softmax", [scores], { axis: -1 }); // [A,H,R/A*L,S]
	const mixed = graph.op("MatMul", [weights, values]);
	const turned = graph.op("Transpose", [mixed], swap);
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
				? addWatched(graph, weights, segments, tokens, watchedHeads)
				: undefined,
	};
}

/** weights [A,H,R/A*L,S] -> [R,heads,L,S]. */
function addWatched(
	graph: GraphBuilder,
	weights: Value,
	segments: Value,
	tokens: Value,
	heads: readonly number[],
): Value {
	const chosen = graph.op("Gather", [weights, graph.ints(...heads)], {
		axis: 1,
	});
	const length = graph.op("Shape", [tokens], { start: 1, end: 2 });
	const positions = graph.op("Shape", [weights], { start: 3, end: 4 });
	const count = heads.length;
	const apart = shapeOf(
		graph,
		segments,
		graph.ints(count, -1),
		length,
		positions,
	);
	const turned = graph.op("Transpose", [graph.op("Reshape", [chosen, apart])], {
		perm: [0, 2, 1, 3, 4],
	});
	const joined = shapeOf(graph, graph.ints(-1, count), length, positions);
	return graph.op("Reshape", [turned, joined]);
}

function shapeOf(graph: GraphBuilder, ...parts: Value[]): Value {
	return graph.op("Concat", parts, { axis: 0 });
}
