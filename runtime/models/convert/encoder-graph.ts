/**
 * Whisper's encoder as a graph (names and shapes: ../whisper/graphs.ts). The time axis is dynamic and the positional table is sliced, so the cost of a short
 * clip depends on its length, instead of being that of 30 s.
 */
import { encoderNames, layerName } from "../whisper/graphs.js";
import { encoderAttention } from "./attention-functions.js";
import { GraphBuilder, none, type Value } from "./graph-builder.js";
import { linearOf, rowsOf, tapsOf } from "./linear.js";
import type { Graph } from "./onnx-format.js";
import {
	addConstant,
	addFeedForward,
	addLayerNorm,
	addSumThenNorm,
} from "./transformer-parts.js";
import { type GraphPlan, headSize } from "./whisper-sizes.js";

export function encoderGraph(plan: GraphPlan): Graph {
	const { source, sizes } = plan;
	const graph = new GraphBuilder("whisper-encoder", plan.numerics.isPlain);
	const mel = graph.input(encoderNames.mel, "float32", ["A", sizes.mels, "T"]);
	let x = addPositions(graph, plan, addStem(graph, plan, mel));
	let normed = addLayerNorm(graph, source, x, normName(0, sizes.encoderLayers));
	for (let layer = 0; layer < sizes.encoderLayers; layer++) {
		const name = `encoder/layer_${layer}`;
		const attended = addAttention(
			graph,
			plan,
			normed,
			`${name}/self_attention`,
		);
		const ffnNorm = `${name}/ffn/layer_norm`;
		[normed, x] = addSumThenNorm(graph, source, x, attended, ffnNorm);
		const fed = addFeedForward(graph, plan, normed, `${name}/ffn`);
		const next = normName(layer + 1, sizes.encoderLayers);
		[normed, x] = addSumThenNorm(graph, source, x, fed, next);
	}
	for (let layer = 0; layer < sizes.decoderLayers; layer++)
		addCross(graph, plan, normed, layer);
	return graph.build();
}

/** The norm before a layer; after the last layer, the encoder's final norm. */
function normName(layer: number, layers: number): string {
	return layer < layers
		? `encoder/layer_${layer}/self_attention/layer_norm`
		: "encoder/layer_norm";
}

/**
 * Both convolutions (3 taps; the second with stride 2) as matrix products over concatenated taps, so that the numeric format applies to them too.
 * mel [A,mels,T] -> [A,S,state].
 */
function addStem(graph: GraphBuilder, plan: GraphPlan, mel: Value): Value {
	const { source, sizes, numerics } = plan;
	const frames = graph.op("Transpose", [mel], { perm: [0, 2, 1] });
	const padded = addPadding(graph, frames, 1, 1);
	const taps = graph.op(
		"Concat",
		[graph.slice(padded, 1, 0, -2), frames, graph.slice(padded, 1, 2, endless)],
		{ axis: -1 },
	);
	const first = tapsOf(source, "encoder/conv1");
	const x = numerics.linear(graph, taps, first, { endsInGelu: true });
	// position s reads frames 2s-1, 2s, 2s+1: the second frame of the previous pair, and its own pair
	const pairs = graph.op("Reshape", [x, graph.ints(0, -1, 2 * sizes.state)]);
	const seconds = graph.slice(pairs, 2, sizes.state, endless);
	const before = graph.slice(addPadding(graph, seconds, 1, 0), 1, 0, -1);
	const strided = graph.op("Concat", [before, pairs], { axis: -1 });
	const second = tapsOf(source, "encoder/conv2");
	return numerics.linear(graph, strided, second, {
		followsGelu: true,
		endsInGelu: true,
	});
}

const endless = Number.MAX_SAFE_INTEGER;

/** Zeros before and after along axis 1. */
function addPadding(
	graph: GraphBuilder,
	x: Value,
	before: number,
	after: number,
): Value {
	return graph.op("Pad", [x, graph.ints(before, after), none, graph.ints(1)]);
}

function addPositions(
	graph: GraphBuilder,
	{ source }: GraphPlan,
	x: Value,
): Value {
	const name = "encoder/position_encodings/encodings";
	const table = addConstant(graph, source, name);
	const length = graph.dimension(x, 1);
	const zero = graph.ints(0);
	return graph.op("Sum", [x, graph.op("Slice", [table, zero, length, zero])]);
}

function addAttention(
	graph: GraphBuilder,
	{ source, sizes, numerics }: GraphPlan,
	x: Value,
	name: string,
): Value {
	const fused = linearOf(source, `${name}/linear_0`);
	// three products, because splitting the outputs of one would copy them
	const [q, k, v] = [0, 1, 2].map((i) =>
		numerics.linear(graph, x, rowsOf(fused, i, sizes.state)),
	) as [Value, Value, Value];
	const [attended] = graph.call(encoderAttention(sizes.heads), [q, k, v]);
	const out = linearOf(source, `${name}/linear_1`);
	return numerics.linear(graph, attended as Value, out);
}

/** Adds the keys and values that one decoder layer reads as outputs of the graph. */
function addCross(
	graph: GraphBuilder,
	{ source, sizes, numerics }: GraphPlan,
	x: Value,
	layer: number,
): void {
	const { state, heads } = sizes;
	const fused = linearOf(source, `decoder/layer_${layer}/attention/linear_1`);
	const perHead = graph.ints(0, 0, heads, headSize);
	const addOutput = (index: number, perm: readonly number[], name: string) => {
		const flat = numerics.linear(graph, x, rowsOf(fused, index, state));
		const split = graph.op("Reshape", [flat, perHead]);
		return graph.op("Transpose", [split], { perm }, name);
	};
	const keys = addOutput(0, [0, 2, 3, 1], layerName("cross_k", layer));
	const values = addOutput(1, [0, 2, 1, 3], layerName("cross_v", layer));
	graph.output(keys, "float32", ["A", heads, headSize, "S"]);
	graph.output(values, "float32", ["A", heads, "S", headSize]);
}
