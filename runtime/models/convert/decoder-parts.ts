/** What both graphs of Whisper's decoder have in common: the scores of scorer-graph.ts are those of decoder-graph.ts only while these parts are the same. */
import { addCrossAttention } from "./cross-attention.js";
import type { GraphBuilder, Value } from "./graph-builder.js";
import { type Linear, linearOf } from "./linear.js";
import {
	addFeedForward,
	addLayerNorm,
	addSumThenNorm,
} from "./transformer-parts.js";
import type { GraphPlan } from "./whisper-sizes.js";

/** Stored once: its rows are gathered for the input and multiplied for the scores. */
export function embeddingOf({ source }: GraphPlan): Linear {
	return { ...linearOf(source, "decoder/embeddings"), keeps8Bits: true };
}

/** What a graph does its own way. */
type LayerParts = {
	/** From a layer's normed input to the residual that it adds, of the same shape. */
	readonly addSelfAttention: (normed: Value, layer: number) => Value;
	/** [A,S]: see `cross_bias`. */
	readonly crossBias: Value;
	/** Heads of a layer whose cross-attention is an output. */
	readonly watchedHeads: (layer: number) => readonly number[];
};

type LayersOutput = {
	/** The last layer's, not normed: [R,L,state] */
	readonly x: Value;
	/** [R,heads,L,S] of each layer that has watched heads. */
	readonly watched: readonly Value[];
};

/** @param embedded the tokens with their positions, [R,L,state] */
export function addDecoderLayers(
	graph: GraphBuilder,
	plan: GraphPlan,
	embedded: Value,
	{ addSelfAttention, crossBias, watchedHeads }: LayerParts,
): LayersOutput {
	const { source, sizes } = plan;
	const watched: Value[] = [];
	let x = embedded;
	let normed = addLayerNorm(graph, source, x, selfNorm(0));
	for (let layer = 0; layer < sizes.decoderLayers; layer++) {
		const name = `decoder/layer_${layer}`;
		const attended = addSelfAttention(normed, layer);
		const crossNorm = `${name}/attention/layer_norm`;
		[normed, x] = addSumThenNorm(graph, source, x, attended, crossNorm);
		const cross = addCrossAttention(graph, plan, normed, {
			layer,
			bias: crossBias,
			watchedHeads: watchedHeads(layer),
		});
		if (cross.watched) watched.push(cross.watched);
		const ffnNorm = `${name}/ffn/layer_norm`;
		[normed, x] = addSumThenNorm(graph, source, x, cross.attended, ffnNorm);
		const fed = addFeedForward(graph, plan, normed, `${name}/ffn`);
		if (layer + 1 < sizes.decoderLayers)
			[normed, x] = addSumThenNorm(graph, source, x, fed, selfNorm(layer + 1));
		else x = graph.op("Sum", [x, fed]);
	}
	return { x, watched };
}

/** The weights of the norm before a layer's self-attention. */
function selfNorm(layer: number): string {
	return `decoder/layer_${layer}/self_attention/layer_norm`;
}
