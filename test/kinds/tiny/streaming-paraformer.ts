/**
 * A tiny streaming Paraformer in the form that k2-fsa publishes: its inputs, outputs, names and metadata, random weights. Weights of frames add up to a token
 * every two or three frames; each of the decoder's blocks has its state, so one that is lost or swapped changes the text.
 */
import {
	GraphBuilder,
	type Value,
} from "../../../runtime/models/convert/graph-builder.js";
import type { Graph } from "../../../runtime/models/convert/onnx-format.js";
import { randomOf } from "../../published/recorded-random.js";
import { feedForward } from "../../published/tiny-graphs.js";
import { floats, type Random, scored, words, writeFolder } from "./parts.js";

const width = 560;
const kernel = 11;

export interface StreamingParaformerSizes {
	readonly hidden: number;
	/** Of the decoder. */
	readonly blocks: number;
	/** Layers of the encoder as wide as a real model's, and their inner width. */
	readonly layers: number;
	readonly inner: number;
}

const tiny: StreamingParaformerSizes = {
	hidden: 24,
	blocks: 3,
	layers: 0,
	inner: 0,
};
/** Quieter features count as this: sherpa-onnx adds noise to 16-bit samples, and it should not decide. */
const audibleMin = 1;

export const streamingParaformerSymbols = [
	"<blank>",
	"<s>",
	"</s>",
	...words.map((it) => (it.startsWith("▁") ? `${it.slice(1)}@@` : it)),
	"<unk>",
];

function encoderGraph(
	{ hidden, layers, inner }: StreamingParaformerSizes,
	random: Random,
): Graph {
	const graph = new GraphBuilder("encoder");
	const speech = graph.input("speech", "float32", ["N", "T", width]);
	const lengths = graph.input("speech_lengths", "int32", ["N"]);
	const x = graph.op("Sub", [
		graph.op("Max", [speech, graph.float(audibleMin)]),
		graph.float(audibleMin + 0.5),
	]);
	const turned = graph.op("Transpose", [x], { perm: [0, 2, 1] });
	const around = graph.op(
		"Conv",
		[turned, floats(graph, "around", [hidden, width, 3], 0.03, random)],
		{ kernel_shape: [3], pads: [1, 1] },
	);
	const felt = graph.op("Tanh", [around]);
	const frames = graph.op("Transpose", [felt], { perm: [0, 2, 1] });
	const sizes = { width: hidden, inner, layers };
	const deep =
		layers > 0 ? feedForward(graph, frames, "deep", sizes, random) : frames;
	graph.op("Identity", [deep], {}, "enc");
	graph.op("Identity", [lengths], {}, "enc_len");
	const weight = graph.op("Sigmoid", [
		graph.op("MatMul", [
			"enc",
			floats(graph, "alpha", [hidden, 1], 0.8, random),
		]),
	]);
	graph.op("Squeeze", [weight, graph.ints(2)], {}, "alphas");
	graph.output("enc", "float32", ["N", "T", hidden]);
	graph.output("enc_len", "int32", ["N"]);
	graph.output("alphas", "float32", ["N", "T"]);
	return graph.build();
}

function decoderGraph(
	{ hidden, blocks }: StreamingParaformerSizes,
	count: number,
	random: Random,
): Graph {
	const graph = new GraphBuilder("decoder");
	const encoded = graph.input("enc", "float32", ["N", "T", hidden]);
	graph.input("enc_len", "int32", ["N"]);
	const embeds = graph.input("acoustic_embeds", "float32", ["N", "L", hidden]);
	graph.input("acoustic_embeds_len", "int32", ["N"]);
	const caches = Array.from({ length: blocks }, (_, i) =>
		graph.input(`in_cache_${i}`, "float32", ["N", hidden, kernel - 1]),
	);
	const mean = graph.op("ReduceMean", [encoded, graph.ints(1)], {
		keepdims: 1,
	});
	const shifted = graph.op("Add", [embeds, mean]);
	let x: Value = graph.op("Transpose", [shifted], { perm: [0, 2, 1] });
	const states = caches.map((cache, i) => {
		const seen = graph.op("Concat", [cache, x], { axis: 2 });
		const memory = graph.op(
			"Conv",
			[seen, floats(graph, `memory_${i}`, [hidden, 1, kernel], 0.6, random)],
			{ kernel_shape: [kernel], group: hidden },
		);
		x = graph.op("Tanh", [graph.op("Add", [x, memory])]);
		return graph.op(
			"Slice",
			[seen, graph.ints(1 - kernel), graph.ints(1_000_000), graph.ints(2)],
			{},
			`out_cache_${i}`,
		);
	});
	const back = graph.op("Transpose", [x], { perm: [0, 2, 1] });
	graph.op(
		"LogSoftmax",
		[scored(graph, back, { hidden, count }, 1.5, random)],
		{ axis: -1 },
		"logits",
	);
	graph.op("ArgMax", ["logits"], { axis: -1, keepdims: 0 }, "sample_ids");
	graph.output("logits", "float32", ["N", "L", count]);
	graph.output("sample_ids", "int64", ["N", "L"]);
	for (const it of states)
		graph.output(it, "float32", ["N", hidden, kernel - 1]);
	return graph.build();
}

export function writeTinyStreamingParaformer(
	folder: string,
	seed: number,
	symbols: readonly string[] = streamingParaformerSymbols,
	sizes: StreamingParaformerSizes = tiny,
): void {
	const { hidden, blocks } = sizes;
	// deviations are multiplied with it later
	const root = Math.sqrt(hidden);
	const random = randomOf(seed);
	const numbers = (centre: number, spread: number) =>
		Array.from({ length: width }, () =>
			(centre + (random() * 2 - 1) * spread).toFixed(6),
		).join(",");
	writeFolder(
		folder,
		[
			{
				name: "encoder.int8.onnx",
				graph: encoderGraph(sizes, random),
				metadata: {
					lfr_window_size: 7,
					lfr_window_shift: 6,
					neg_mean: numbers(-14, 2),
					inv_stddev: numbers(0.4 / root, 0.05 / root),
					encoder_output_size: hidden,
					decoder_num_blocks: blocks,
					decoder_kernel_size: kernel,
					model_type: "paraformer",
					version: 1,
					model_author: "damo",
					vocab_size: symbols.length,
					comment:
						"speech_paraformer_asr_nat-zh-cn-16k-common-vocab8404-online",
				},
			},
			{
				name: "decoder.int8.onnx",
				graph: decoderGraph(sizes, symbols.length, random),
			},
		],
		symbols,
	);
}
