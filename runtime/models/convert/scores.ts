/**
 * From the last layer's output to log-probabilities, inside the graph: the caller gets the best few and the requested ids, not the whole vocabulary.
 */
import { decoderNames, topCount } from "../whisper/graphs.js";
import type { GraphBuilder, Value } from "./graph-builder.js";
import type { Linear } from "./linear.js";
import { elementTypes } from "./onnx-format.js";
import { addLayerNorm } from "./transformer-parts.js";
import type { GraphPlan } from "./whisper-sizes.js";

type ScoreInputs = {
	readonly positions: Value;
	readonly bias: Value;
	readonly extraIds: Value;
};

export function addScores(
	graph: GraphBuilder,
	{ source, numerics }: GraphPlan,
	{ positions, bias, extraIds }: ScoreInputs,
	x: Value,
	embedding: Linear,
): void {
	const wanted = graph.op("Gather", [x, positions], { axis: 1 });
	const normed = addLayerNorm(graph, source, wanted, "decoder/layer_norm");
	const logits = numerics.linear(graph, normed, embedding); // [R,M,V]
	const biased = graph.op("Add", [logits, bias]);
	const [best, bestIds] = graph.ops("TopK", [biased, graph.ints(topCount)], 2, {
		axis: -1,
	}) as [Value, Value];
	const total = addLogSumExp(graph, biased, best);
	const { topLogp, topIds, extraLogp } = decoderNames;
	graph.op("Sub", [best, total], {}, topLogp);
	graph.op("Cast", [bestIds], { to: elementTypes.int32 }, topIds);
	const extra = graph.op("GatherElements", [logits, extraIds], { axis: -1 });
	graph.op("Sub", [extra, total], {}, extraLogp);
	graph.output(topLogp, "float32", ["R", "M", topCount]);
	graph.output(topIds, "int32", ["R", "M", topCount]);
	graph.output(extraLogp, "float32", ["R", "M", "E"]);
}

/** Uses the first of the best as the maximum. -> [R,M,1] */
function addLogSumExp(graph: GraphBuilder, x: Value, best: Value): Value {
	const first = [graph.ints(0), graph.ints(1), graph.ints(-1)];
	const peak = graph.op("Slice", [best, ...first]);
	const exps = graph.op("Exp", [graph.op("Sub", [x, peak])]);
	const sum = graph.op("ReduceSum", [exps, graph.ints(-1)], { keepdims: 1 });
	return graph.op("Add", [peak, graph.op("Log", [sum])]);
}
