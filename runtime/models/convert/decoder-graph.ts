/**
 * Whisper's decoder as a graph: one step or many tokens at once, from token ids to the log-probabilities of the best next tokens
 * (names, shapes and meaning: ../whisper/graphs.ts).
 */
import { decoderNames, layerName } from "../whisper/graphs.js";
import { selfAttention } from "./attention-functions.js";
import { addDecoderLayers, embeddingOf } from "./decoder-parts.js";
import { GraphBuilder, type Value } from "./graph-builder.js";
import { type Linear, linearOf } from "./linear.js";
import type { Graph } from "./onnx-format.js";
import { addScores } from "./scores.js";
import { addConstant } from "./transformer-parts.js";
import { type GraphPlan, headSize } from "./whisper-sizes.js";

/** [layer, head] pairs whose cross-attention follows the audio. */
export type AlignmentHeads = readonly (readonly [number, number])[];

export function decoderGraph(plan: GraphPlan, heads: AlignmentHeads): Graph {
	const graph = new GraphBuilder("whisper-decoder", plan.numerics.isPlain);
	const inputs = addInputs(graph, plan);
	const embedding = embeddingOf(plan);
	const embedded = addEmbedding(graph, plan, inputs, embedding);
	const { x, watched } = addDecoderLayers(graph, plan, embedded, {
		addSelfAttention: (normed, layer) =>
			addSelfAttention(graph, plan, normed, layer),
		crossBias: decoderNames.crossBias,
		watchedHeads: (layer) =>
			heads.filter((one) => one[0] === layer).map(([, head]) => head),
	});
	addScores(graph, plan, inputs, x, embedding);
	addAlignmentOutput(graph, watched, heads.length);
	return graph.build();
}

type Inputs = {
	readonly tokens: Value;
	readonly parents: Value;
	readonly positions: Value;
	readonly bias: Value;
	readonly extraIds: Value;
};

function addInputs(graph: GraphBuilder, { sizes }: GraphPlan): Inputs {
	const { heads, vocabulary, decoderLayers } = sizes;
	const inputs = {
		tokens: graph.input(decoderNames.tokens, "int32", ["R", "L"]),
		parents: graph.input(decoderNames.parents, "int32", ["R"]),
		positions: graph.input(decoderNames.positions, "int32", ["M"]),
		bias: graph.input(decoderNames.bias, "float32", [vocabulary]),
		extraIds: graph.input(decoderNames.extraIds, "int32", ["R", "M", "E"]),
	};
	graph.input(decoderNames.crossBias, "float32", ["A", "S"]);
	for (let layer = 0; layer < decoderLayers; layer++) {
		const past = ["Rp", heads, "P", headSize];
		graph.input(layerName("past_k", layer), "float32", past);
		graph.input(layerName("past_v", layer), "float32", past);
		const keys = ["A", heads, headSize, "S"];
		graph.input(layerName("cross_k", layer), "float32", keys);
		const values = ["A", heads, "S", headSize];
		graph.input(layerName("cross_v", layer), "float32", values);
	}
	return inputs;
}

function addEmbedding(
	graph: GraphBuilder,
	{ source, numerics }: GraphPlan,
	{ tokens }: Inputs,
	embedding: Linear,
): Value {
	const embedded = numerics.gatherRows(graph, tokens, embedding);
	const name = "decoder/position_encodings/encodings";
	const table = addConstant(graph, source, name);
	const past = layerName("past_k", 0);
	const start = graph.dimension(past, 2);
	const count = graph.dimension(tokens, 1);
	const end = graph.op("Add", [start, count]);
	const rows = graph.op("Slice", [table, start, end, graph.ints(0)]);
	return graph.op("Sum", [embedded, rows]);
}

function addSelfAttention(
	graph: GraphBuilder,
	{ source, sizes, numerics }: GraphPlan,
	x: Value,
	layer: number,
): Value {
	const name = `decoder/layer_${layer}/self_attention`;
	const fused = linearOf(source, `${name}/linear_0`);
	const all = numerics.linear(graph, x, fused);
	const [attended, ...present] = graph.call(
		selfAttention(sizes.heads),
		[
			all,
			layerName("past_k", layer),
			layerName("past_v", layer),
			decoderNames.parents,
		],
		[
			`${name}/attended`,
			layerName("present_k", layer),
			layerName("present_v", layer),
		],
	) as [Value, Value, Value];
	for (const name of present)
		graph.output(name, "float32", ["R", sizes.heads, "P+L", headSize]);
	return numerics.linear(graph, attended, linearOf(source, `${name}/linear_1`));
}

function addAlignmentOutput(
	graph: GraphBuilder,
	watched: readonly Value[],
	heads: number,
): void {
	const name = decoderNames.alignment;
	graph.op("Concat", watched, { axis: 1 }, name);
	graph.output(name, "float32", ["R", heads, "L", "S"]);
}
