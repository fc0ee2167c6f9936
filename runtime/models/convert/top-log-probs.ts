/**
 * Log-probabilities over a vocabulary, of which only the best and some that are asked for are kept. With 8-bit weights the layer before them is in the same
 * function, so that a kernel (drivers/onnx/capi/kernels/ops/top_log_probs.c) need not keep the scores of all tokens.
 */
import { topCount } from "../whisper/graphs.js";
import type { GraphBuilder, OwnFunction, Value } from "./graph-builder.js";
import { linearFunction } from "./linear-functions.js";
import type { TokenChoice } from "./numerics.js";
import { elementTypes } from "./onnx-format.js";

const layer = linearFunction({});

/** x [R,M,K], a layer's weights, scales and bias, token bias [V], extra ids [R,M,E] -> as `addTopLogProbs` */
export const topLogProbs: OwnFunction = {
	name: `TopLogProbs${topCount}`,
	inputs: [...layer.inputs, "token_bias", "extra_ids"],
	body: (graph, inputs) => {
		const ofLayer = inputs.slice(0, layer.inputs.length);
		const [bias, extraIds] = inputs.slice(ofLayer.length) as [Value, Value];
		const [logits] = layer.body(graph, ofLayer);
		return addTopLogProbs(graph, logits as Value, { bias, extraIds });
	},
};

/** logits [R,M,V] -> the best [R,M,16], their ids, and those of the extra ids [R,M,E]: see ../whisper/graphs.ts. */
export function addTopLogProbs(
	graph: GraphBuilder,
	logits: Value,
	{ bias, extraIds }: TokenChoice,
	names: readonly Value[] = [],
): readonly Value[] {
	const biased = graph.op("Add", [logits, bias]);
	const [best, bestIds] = graph.ops("TopK", [biased, graph.ints(topCount)], 2, {
		axis: -1,
	}) as [Value, Value];
	const total = addLogSumExp(graph, biased, best);
	const extra = graph.op("GatherElements", [logits, extraIds], { axis: -1 });
	return [
		graph.op("Sub", [best, total], {}, names[0]),
		graph.op("Cast", [bestIds], { to: elementTypes.int32 }, names[1]),
		graph.op("Sub", [extra, total], {}, names[2]),
	];
}

/** Uses the first of the best as the maximum. -> [R,M,1] */
function addLogSumExp(graph: GraphBuilder, x: Value, best: Value): Value {
	const first = [graph.ints(0), graph.ints(1), graph.ints(-1)];
	const peak = graph.op("Slice", [best, ...first]);
	const exps = graph.op("Exp", [graph.op("Sub", [x, peak])]);
	const sum = graph.op("ReduceSum", [exps, graph.ints(-1)], { keepdims: 1 });
	return graph.op("Add", [peak, graph.op("Log", [sum])]);
}
