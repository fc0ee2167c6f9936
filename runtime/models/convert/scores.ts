/**
 * From the last layer's output to log-probabilities, inside the graph: the caller gets the best few and the requested ids, not the whole vocabulary.
 */
import { decoderNames, topCount } from "../whisper/graphs.js";
import type { GraphBuilder, Value } from "./graph-builder.js";
import type { Linear } from "./linear.js";
import type { TokenChoice } from "./numerics.js";
import { addTopLogProbs } from "./top-log-probs.js";
import { addLayerNorm } from "./transformer-parts.js";
import type { GraphPlan } from "./whisper-sizes.js";

type ScoreInputs = TokenChoice & { readonly positions: Value };

export function addScores(
	graph: GraphBuilder,
	{ source, numerics }: GraphPlan,
	{ positions, bias, extraIds }: ScoreInputs,
	x: Value,
	embedding: Linear,
): void {
	const wanted = graph.op("Gather", [x, positions], { axis: 1 });
	const normed = addLayerNorm(graph, source, wanted, "decoder/layer_norm");
	const choice = { bias, extraIds };
	const { topLogp, topIds, extraLogp } = decoderNames;
	const names = [topLogp, topIds, extraLogp] as const;
	if (numerics.topLogProbs)
		numerics.topLogProbs(graph, normed, embedding, choice, names);
	else {
		const logits = numerics.linear(graph, normed, embedding);
		addTopLogProbs(graph, logits, choice, names);
	}
	graph.output(topLogp, "float32", ["R", "M", topCount]);
	graph.output(topIds, "int32", ["R", "M", topCount]);
	graph.output(extraLogp, "float32", ["R", "M", "E"]);
}
