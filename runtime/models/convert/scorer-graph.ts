/**
 * Whisper's decoder as a graph that scores many texts at once (names, shapes and meaning: ../whisper/graphs.ts). Texts form a tree, so that what they have
 * in common is computed once, in a single run; the decoder's own graph needs a row for every text and several runs.
 */
import { layerName, scorerNames } from "../whisper/graphs.js";
import { addDecoderLayers, embeddingOf } from "./decoder-parts.js";
import {
	bytesOf,
	GraphBuilder,
	type OwnFunction,
	type Value,
} from "./graph-builder.js";
import { type Linear, linearOf } from "./linear.js";
import { elementTypes, type Graph } from "./onnx-format.js";
import { addConstant, addLayerNorm } from "./transformer-parts.js";
import { badSource } from "./weights.js";
import { type GraphPlan, headSize } from "./whisper-sizes.js";

/** @param vocabulary ids that are scored, ascending. */
export function scorerGraph(
	plan: GraphPlan,
	vocabulary: readonly number[],
): Graph {
	const graph = new GraphBuilder("whisper-scorer", plan.numerics.isPlain);
	const inputs = addInputs(graph, plan);
	const embedding = embeddingOf(plan);
	const embedded = addEmbedding(graph, plan, embedding);
	const { x } = addDecoderLayers(graph, plan, embedded, {
		addSelfAttention: (normed, layer) =>
			addSelfAttention(graph, plan, normed, layer),
		crossBias: scorerNames.crossBias,
		watchedHeads: () => [],
	});
	addScores(graph, plan, inputs, x, embedding, vocabulary);
	return graph.build();
}

type Inputs = { readonly scored: Value; readonly wanted: Value };

function addInputs(
	graph: GraphBuilder,
	{ sizes: { heads, decoderLayers } }: GraphPlan,
): Inputs {
	graph.input(scorerNames.tokens, "int32", [1, "N"]);
	graph.input(scorerNames.depths, "int32", ["N"]);
	graph.input(scorerNames.mask, "float32", ["N", "N"]);
	const inputs = {
		scored: graph.input(scorerNames.scored, "int32", ["M"]),
		wanted: graph.input(scorerNames.wanted, "int32", [1, "M", "E"]),
	};
	graph.input(scorerNames.crossBias, "float32", [1, "S"]);
	for (let layer = 0; layer < decoderLayers; layer++) {
		const keys = [1, heads, headSize, "S"];
		graph.input(layerName("cross_k", layer), "float32", keys);
		const values = [1, heads, "S", headSize];
		graph.input(layerName("cross_v", layer), "float32", values);
	}
	return inputs;
}

function addEmbedding(
	graph: GraphBuilder,
	{ source, numerics }: GraphPlan,
	embedding: Linear,
): Value {
	const embedded = numerics.gatherRows(graph, scorerNames.tokens, embedding);
	const name = "decoder/position_encodings/encodings";
	const table = addConstant(graph, source, name);
	const rows = graph.op("Gather", [table, scorerNames.depths]);
	return graph.op("Sum", [embedded, rows]);
}

function addSelfAttention(
	graph: GraphBuilder,
	{ source, sizes, numerics }: GraphPlan,
	x: Value,
	layer: number,
): Value {
	const name = `decoder/layer_${layer}/self_attention`;
	const all = numerics.linear(graph, x, linearOf(source, `${name}/linear_0`));
	const inputs = [all, scorerNames.mask];
	const [attended] = graph.call(treeAttention(sizes.heads), inputs);
	const out = linearOf(source, `${name}/linear_1`);
	return numerics.linear(graph, attended as Value, out);
}

/** queries, keys and values side by side [1,N,3 width], mask [N,N] -> [1,N,width] */
function treeAttention(heads: number): OwnFunction {
	return {
		name: "TreeAttention64",
		inputs: ["all", "mask"],
		body: (graph, [all, mask]) => {
			const split = { axis: -1, num_outputs: 3 };
			const [queries, keys, values] = graph.ops(
				"Split",
				[all as Value],
				3,
				split,
			) as [Value, Value, Value];
			const perHead = (part: Value, perm: readonly number[]) =>
				graph.op(
					"Transpose",
					[graph.op("Reshape", [part, graph.ints(0, 0, heads, headSize)])],
					{ perm },
				);
			const products = graph.op("MatMul", [
				perHead(queries, [0, 2, 1, 3]),
				perHead(keys, [0, 2, 3, 1]),
			]);
			const scale = graph.float(1 / Math.sqrt(headSize));
			const scores = graph.op("Mul", [products, scale]);
			const weights = graph.op(
				"Softmax",
				[graph.op("Add", [scores, mask as Value])],
				{ axis: -1 },
			);
			const mixed = graph.op("MatMul", [
				weights,
				perHead(values, [0, 2, 1, 3]),
			]);
			const back = graph.op("Transpose", [mixed], { perm: [0, 2, 1, 3] });
			return [graph.op("Reshape", [back, graph.ints(0, 0, heads * headSize)])];
		},
	};
}

function addScores(
	graph: GraphBuilder,
	{ source, numerics }: GraphPlan,
	{ scored, wanted }: Inputs,
	x: Value,
	embedding: Linear,
	vocabulary: readonly number[],
): void {
	if (!numerics.linearOfRows)
		throw badSource("a scorer needs weights stored as int8");
	const gathered = graph.op("Gather", [x, scored], { axis: 1 });
	const normed = addLayerNorm(graph, source, gathered, "decoder/layer_norm");
	const logits = numerics.linearOfRows(graph, normed, embedding, vocabulary);
	const last = graph.ints(-1);
	const peak = graph.op("ReduceMax", [logits, last], { keepdims: 1 });
	const exps = graph.op("Exp", [graph.op("Sub", [logits, peak])]);
	const sum = graph.op("ReduceSum", [exps, last], { keepdims: 1 });
	const total = graph.op("Add", [peak, graph.op("Log", [sum])]);
	const chosen = graph.op("GatherElements", [logits, wanted], { axis: -1 });
	graph.op("Sub", [chosen, total], {}, scorerNames.logp);
	graph.output(scorerNames.logp, "float32", [1, "M", "E"]);
	const ids = graph.initializer("ids", "int32", [vocabulary.length], () =>
		bytesOf(Int32Array.from(vocabulary)),
	);
	const { vocabulary: name } = scorerNames;
	graph.op("Cast", [ids], { to: elementTypes.int32 }, name);
	graph.output(name, "int32", [vocabulary.length]);
}
