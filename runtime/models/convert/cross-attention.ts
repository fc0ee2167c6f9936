/** A decoder layer's cross-attention, from the layer's input to the residual it adds. */
import { layerName } from "../whisper/graphs.js";
import {
	crossAttention,
	watchedCrossAttention,
} from "./attention-functions.js";
import type { GraphBuilder, Value } from "./graph-builder.js";
import { linearOf, scaledLinear } from "./linear.js";
import { type GraphPlan, headSize } from "./whisper-sizes.js";

type Place = {
	readonly layer: number;
	/** [A,S]: see `cross_bias`. */
	readonly bias: Value;
	/** Heads of this layer whose attention is an output. */
	readonly watchedHeads: readonly number[];
};

type CrossAttentionOutput = {
	/** [R,L,state] */
	readonly attended: Value;
	/** [R,heads,L,S] */
	readonly watched: Value | undefined;
};

export function addCrossAttention(
	graph: GraphBuilder,
	{ source, numerics }: GraphPlan,
	x: Value,
	{ layer, bias, watchedHeads }: Place,
): CrossAttentionOutput {
	const name = `decoder/layer_${layer}/attention`;
	const query = linearOf(source, `${name}/linear_0`);
	// the scale of the scores is folded into the weights
	const scaled = scaledLinear(query, 1 / Math.sqrt(headSize));
	const inputs = [
		numerics.linear(graph, x, scaled),
		layerName("cross_k", layer),
		layerName("cross_v", layer),
		bias,
	];
	const [attended, watched] =
		watchedHeads.length > 0
			? graph.call(watchedCrossAttention, [
					...inputs,
					graph.ints(...watchedHeads),
				])
			: graph.call(crossAttention, inputs);
	const out = linearOf(source, `${name}/linear_2`);
	return { attended: numerics.linear(graph, attended as Value, out), watched };
}
