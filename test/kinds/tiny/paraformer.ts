/** A tiny offline Paraformer in the form that k2-fsa publishes: its inputs, outputs, names and metadata, random weights; every second frame is a token. */
import { GraphBuilder } from "../../../runtime/models/convert/graph-builder.js";
import { randomOf } from "../../published/recorded-random.js";
import {
	type Ballast,
	scored,
	stacked,
	symbolsWith,
	withBallast,
	words,
	writeFolder,
} from "./parts.js";

const hidden = 24;
const width = 560;
/** Encoder frames of 60 ms per token. */
const factor = 2;
/** Quieter features count as this: sherpa-onnx adds noise to 16-bit samples, and it should not decide. */
const audibleMin = 1;

const tinySymbols = [
	"<blank>",
	"<s>",
	"</s>",
	...words.map((it) => (it.startsWith("▁") ? `${it.slice(1)}@@` : it)),
	"<unk>",
];

/** @param tokensMin with fewer tokens the graph cannot run, as published ones cannot without any. */
export function writeTinyParaformer(
	folder: string,
	seed: number,
	ballast?: Ballast,
	tokensMin = 0,
): void {
	const random = randomOf(seed);
	const symbols = symbolsWith(tinySymbols, ballast);
	const graph = new GraphBuilder("paraformer");
	const speech = graph.input("speech", "float32", ["N", "T", width]);
	const lengths = graph.input("speech_lengths", "int32", ["N"]);
	const x = graph.op("Sub", [
		graph.op("Max", [speech, graph.float(audibleMin)]),
		graph.float(audibleMin + 0.5),
	]);
	const sizes = { width, hidden, factor };
	const frames = withBallast(
		graph,
		stacked(graph, x, sizes, 0.02, random),
		hidden,
		ballast,
		random,
	);
	const count = symbols.length;
	graph.op(
		"LogSoftmax",
		[scored(graph, frames, { hidden, count }, 1.5, random)],
		{ axis: -1 },
		"logits",
	);
	const tokens = graph.dimension("logits", 1);
	const padding = graph.op("ConstantOfShape", [
		graph.op("Sub", [tokens, graph.ints(tokensMin)]),
	]);
	const counted = graph.op("Add", [
		graph.dimension(padding, 0),
		graph.ints(tokensMin),
	]);
	graph.op("Cast", [counted], { to: 6 }, "token_num");
	// a peak every sixth place, one more than there are tokens
	const places = graph.op("Mul", [
		graph.op("Add", [tokens, graph.ints(1)]),
		graph.ints(3 * factor),
	]);
	const zero = graph.op("Squeeze", [graph.ints(0)]);
	const one = graph.op("Squeeze", [graph.ints(1)]);
	const range = graph.op("Range", [zero, graph.op("Squeeze", [places]), one]);
	const beat = graph.op("Mod", [range, graph.ints(3 * factor)]);
	const isPeak = graph.op("Equal", [beat, graph.ints(3 * factor - 2)]);
	const peaks = graph.op("Unsqueeze", [
		graph.op("Cast", [isPeak], { to: 1 }),
		graph.ints(0),
	]);
	graph.op("Mul", [peaks, graph.float(0.5)], {}, "us_alphas");
	graph.op("Identity", [peaks], {}, "us_cif_peak");
	graph.op("Identity", [lengths], {}, "unused");
	graph.output("logits", "float32", ["N", "L", count]);
	graph.output("token_num", "int32", ["N"]);
	graph.output("us_alphas", "float32", ["N", "A"]);
	graph.output("us_cif_peak", "float32", ["N", "A"]);
	const numbers = (centre: number, spread: number) =>
		Array.from({ length: width }, () =>
			(centre + (random() * 2 - 1) * spread).toFixed(6),
		).join(",");
	writeFolder(
		folder,
		[
			{
				name: "model.int8.onnx",
				graph: graph.build(),
				metadata: {
					lfr_window_size: 7,
					lfr_window_shift: 6,
					neg_mean: numbers(-13, 2),
					inv_stddev: numbers(0.3, 0.03),
					model_type: "paraformer",
					version: 1,
					model_author: "damo",
					vocab_size: count,
					comment: "speech_seaco_paraformer_large_asr_nat",
				},
			},
		],
		symbols,
	);
}
