/**
 * Attention with heads of 64, as functions of the graph (graph-builder.ts): the encoder's self-attention, and the decoder's self-attention and
 * cross-attention. A kernel for the first need not be more precise than the 8-bit layers around it.
 */
import {
	type GraphBuilder,
	none,
	type OwnFunction,
	type Value,
} from "./graph-builder.js";
import { headSize } from "./whisper-sizes.js";

/** queries, keys and values [A,S,width] -> [A,S,width] */
export function encoderAttention(heads: number): OwnFunction {
	return {
		name: "Attention64",
		inputs: ["queries", "keys", "values"],
		body: (graph, inputs) =>
			graph.contrib("MultiHeadAttention", inputs, { num_heads: heads }),
	};
}

/**
 * Causal attention of the tokens: queries, keys and values side by side [R,L,3 width], past keys and values [Rp,heads,P,64], each row's parent in the past [R]
 * -> [R,L,width], present keys and values [R,heads,P+L,64]
 */
export function selfAttention(heads: number): OwnFunction {
	return {
		name: "SelfAttention64",
		inputs: ["all", "past_keys", "past_values", "parents"],
		body: (graph, [all, keys, values, parents]) => {
			const split = { axis: -1, num_outputs: 3 };
			const ofParents = (past: Value | undefined) =>
				graph.op("Gather", [past as Value, parents as Value], { axis: 0 });
			return graph.contrib(
				"MultiHeadAttention",
				[
					...graph.ops("Split", [all as Value], 3, split),
					none, // bias
					none, // padding mask
					none, // attention bias
					ofParents(keys),
					ofParents(values),
				],
				{ num_heads: heads, unidirectional: 1 },
				3,
			);
		},
	};
}

/**
 * Rows of one segment are contiguous and share its keys and values: [R,L] becomes [A, R/A, L] and back, and keys and values are the same for all R/A. Each
 * row is a separate product, because ONNX Runtime copies the keys for a product of two to a dozen rows and reads them in place for one: three products
 * of one row take half the time of one product of three rows (docs/benchmarks/rejected.md).
 *
 * queries [R,L,width], scaled; keys [A,heads,64,S]; values [A,heads,S,64]; bias [A,S] -> [R,L,width]
 */
export const crossAttention: OwnFunction = {
	name: "CrossAttention64",
	inputs: ["queries", "keys", "values", "bias"],
	body: (graph, inputs) => [
		addAttention(graph, inputs as CrossAttentionInputs).attended,
	],
};

/** Cross-attention that also returns the attention weights of some heads: heads [h] -> weights [R,h,L,S] */
export const watchedCrossAttention: OwnFunction = {
	name: "WatchedCrossAttention64",
	inputs: [...crossAttention.inputs, "heads"],
	body: (graph, inputs) => {
		const [queries, keys] = inputs as CrossAttentionInputs;
		const { attended, weights } = addAttention(
			graph,
			inputs as CrossAttentionInputs,
		);
		return [
			attended,
			addWatched(graph, weights, queries, keys, inputs[4] as Value),
		];
	},
};

type CrossAttentionInputs = readonly [
	queries: Value,
	keys: Value,
	values: Value,
	bias: Value,
];

/** @returns weights [A,heads,R/A,L,S] */
function addAttention(
	graph: GraphBuilder,
	[queries, keys, values, bias]: CrossAttentionInputs,
): { attended: Value; weights: Value } {
	const perHead = shapeOf(
		graph,
		graph.dimension(keys, 0),
		graph.ints(-1),
		graph.dimension(queries, 1),
		graph.dimension(keys, 1),
		graph.ints(headSize),
	);
	const turned = graph.op(
		"Transpose",
		[graph.op("Reshape", [queries, perHead])],
		{ perm: [0, 3, 1, 2, 4] }, // [A,H,R/A,L,D]
	);
	const ofAllRows = (x: Value) => graph.op("Unsqueeze", [x, graph.ints(2)]);
	const scores = graph.op("MatMul", [turned, ofAllRows(keys)]);
	const hidden = graph.op("Unsqueeze", [bias, graph.ints(1, 2, 3)]);
	const weights = graph.op("Softmax", [graph.op("Add", [scores, hidden])], {
		axis: -1,
	});
	const mixed = graph.op("MatMul", [weights, ofAllRows(values)]);
	const back = graph.op("Transpose", [mixed], { perm: [0, 2, 3, 1, 4] });
	const attended = graph.op("Reshape", [back, graph.op("Shape", [queries])]);
	return { attended, weights };
}

/** weights [A,H,R/A,L,S] -> [R,h,L,S] */
function addWatched(
	graph: GraphBuilder,
	weights: Value,
	queries: Value,
	keys: Value,
	heads: Value,
): Value {
	const chosen = graph.op("Gather", [weights, heads], { axis: 1 });
	const turned = graph.op("Transpose", [chosen], { perm: [0, 2, 1, 3, 4] });
	const joined = shapeOf(
		graph,
		graph.dimension(queries, 0),
		graph.op("Shape", [heads]),
		graph.dimension(queries, 1),
		graph.dimension(keys, 3),
	);
	return graph.op("Reshape", [turned, joined]);
}

function shapeOf(graph: GraphBuilder, ...parts: Value[]): Value {
	return graph.op("Concat", parts, { axis: 0 });
}
