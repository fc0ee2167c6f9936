/** A decoder's last layer with a small vocabulary, for the kernel that keeps the likeliest tokens only. */
import { HostTensor } from "../../drivers/onnx/host-tensor.js";
import { GraphBuilder } from "../../runtime/models/convert/graph-builder.js";
import { RowNumerics } from "../../runtime/models/convert/row-numerics.js";
import { topCount } from "../../runtime/models/whisper/graphs.js";
import { below, type Random } from "../fuzz/random.js";
import { type Feeds, floats, layerWeights, tensor } from "./ways.js";

export interface VocabularyCase {
	readonly is: "vocabulary";
	readonly seed: number;
	readonly rows: number;
	/** Scored for each row. */
	readonly positions: number;
	readonly columns: number;
	/** At least 16 more than are forbidden. */
	readonly tokens: number;
	/** The first of them, and how many. */
	readonly forbidden: readonly [first: number, count: number];
	/** Asked for at each position. */
	readonly extras: number;
	/**
	 * The likeliest tokens are so far apart that every processor has them in the same order, which is compared; else all are about as likely, and their
	 * probabilities are.
	 */
	readonly isSure: boolean;
}

/** Nats between two of the likeliest tokens: more than what the layer adds. */
const apartNats = 4;

export function someVocabulary(random: Random): VocabularyCase {
	const count = below(random, 300);
	const tokens = count + topCount + 1 + below(random, 600);
	return {
		is: "vocabulary",
		seed: 0,
		tokens,
		rows: 1 + below(random, 9),
		positions: 1 + below(random, 3),
		columns: 4 * (1 + below(random, 40)),
		forbidden: [below(random, tokens - count), count],
		extras: below(random, 5),
		isSure: random() > 0.5,
	};
}

export function vocabulary(
	one: VocabularyCase,
	random: Random,
): { graph: GraphBuilder; feeds: Feeds; tolerance: number } {
	const { rows, positions, columns, tokens, extras, isSure } = one;
	// for scores of about 0.3 after as many products
	const scale = 2 / Math.sqrt(columns);
	const values = floats(random, rows * positions * columns, scale);
	const ids = Array.from({ length: rows * positions * extras }, () =>
		below(random, tokens),
	);
	const feeds = {
		x: tensor(values, rows, positions, columns),
		bias: tensor(tokenBias(one, random), tokens),
		extra_ids: new HostTensor("int32", Int32Array.from(ids), [
			rows,
			positions,
			extras,
		]),
	};
	const graph = vocabularyGraph(one, layerWeights(random, tokens, columns));
	return { graph, feeds, tolerance: isSure ? 1e-4 : 5e-3 };
}

function tokenBias(
	{ tokens, forbidden: [first, count], isSure }: VocabularyCase,
	random: Random,
): Float32Array {
	const bias = floats(random, tokens, 0.2);
	if (isSure)
		for (let nth = 0; nth < 2 * topCount; nth++)
			bias[below(random, tokens)] = apartNats * (nth + 1);
	return bias.fill(Number.NEGATIVE_INFINITY, first, first + count);
}

function vocabularyGraph(
	{ columns, tokens, isSure }: VocabularyCase,
	weights: Float32Array,
): GraphBuilder {
	const graph = new GraphBuilder("vocabulary");
	const x = graph.input("x", "float32", ["R", "M", columns]);
	const choice = {
		bias: graph.input("bias", "float32", [tokens]),
		extraIds: graph.input("extra_ids", "int32", ["R", "M", "E"]),
	};
	const layer = {
		name: "layer",
		rows: tokens,
		columns,
		weights: () => weights,
	};
	const names = ["top", "ids", "extra"];
	new RowNumerics().topLogProbs(graph, x, layer, choice, names);
	graph.output("top", "float32", ["R", "M", topCount]);
	graph.output("extra", "float32", ["R", "M", "E"]);
	if (isSure) graph.output("ids", "int32", ["R", "M", topCount]);
	return graph;
}
