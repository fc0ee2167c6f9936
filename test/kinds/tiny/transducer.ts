/** A tiny offline zipformer transducer in icefall's form: its inputs, outputs, names and metadata, random weights. */
import { GraphBuilder } from "../../../runtime/models/convert/graph-builder.js";
import { randomOf } from "../../published/recorded-random.js";
import { decoderGraph, joinerGraph } from "../../published/tiny-graphs.js";
import {
	type Ballast,
	reducedLength,
	stacked,
	symbolsWith,
	withBallast,
	words,
	writeFolder,
} from "./parts.js";

const hidden = 32;

export function writeTinyTransducer(
	folder: string,
	modelType: "zipformer2" | "conformer",
	seed: number,
	ballast?: Ballast,
): void {
	const random = randomOf(seed);
	const symbols = symbolsWith(
		["<blk>", "<sos/eos>", "<unk>", ...words],
		ballast,
	);
	const graph = new GraphBuilder("encoder");
	const x = graph.input("x", "float32", ["N", "T", 80]);
	const lengths = graph.input("x_lens", "int64", ["N"]);
	const sizes = { width: 80, hidden, factor: 4 };
	graph.op(
		"Mul",
		[
			withBallast(
				graph,
				stacked(graph, x, sizes, 0.03, random),
				hidden,
				ballast,
				random,
			),
			graph.float(0.5),
		],
		{},
		"encoder_out",
	);
	reducedLength(graph, lengths, 4, "int64", "encoder_out_lens");
	graph.output("encoder_out", "float32", ["N", "T_out", hidden]);
	graph.output("encoder_out_lens", "int64", ["N"]);
	const vocabulary = symbols.length;
	writeFolder(
		folder,
		[
			{
				name: "encoder-epoch-99-avg-1.onnx",
				graph: graph.build(),
				metadata: {
					model_type: modelType,
					version: 1,
					model_author: "k2-fsa",
					comment: `non-streaming ${modelType}`,
				},
			},
			{
				name: "decoder-epoch-99-avg-1.onnx",
				graph: decoderGraph(vocabulary, random),
				metadata: { context_size: 2, vocab_size: vocabulary },
			},
			{
				name: "joiner-epoch-99-avg-1.onnx",
				graph: joinerGraph(vocabulary, random),
				metadata: { joiner_dim: hidden },
			},
		],
		symbols,
	);
}
