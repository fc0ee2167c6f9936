/** Tiny NeMo transducers in the form of their exports for sherpa-onnx, with durations (TDT) and without: an LSTM over the tokens, random weights. */
import {
	GraphBuilder,
	none,
} from "../../../runtime/models/convert/graph-builder.js";
import type { Graph } from "../../../runtime/models/convert/onnx-format.js";
import { randomOf } from "../../published/recorded-random.js";
import {
	type Ballast,
	favouring,
	floats,
	type Random,
	reducedLength,
	stackedChannels,
	symbolsWith,
	withBallast,
	words,
	writeFolder,
} from "./parts.js";

const width = 24;
const hidden = 16;
const layers = 2;
const factor = 8;
/** Durations of 0 to 4 frames, as Parakeet TDT has. */
const durationCount = 5;

function encoderGraph(
	mels: number,
	random: Random,
	ballast: Ballast | undefined,
): Graph {
	const graph = new GraphBuilder("encoder");
	const x = graph.input("audio_signal", "float32", ["B", mels, "T"]);
	const length = graph.input("length", "int64", ["B"]);
	const sizes = { width: mels, hidden: width, factor };
	const out = stackedChannels(graph, x, sizes, 0.15, random);
	const turned = (it: string) =>
		graph.op("Transpose", [it], { perm: [0, 2, 1] });
	const whole = ballast
		? turned(withBallast(graph, turned(out), width, ballast, random))
		: out;
	graph.op("Identity", [whole], {}, "outputs");
	reducedLength(graph, length, factor, "int64", "encoded_lengths");
	graph.output("outputs", "float32", ["B", width, "T_out"]);
	graph.output("encoded_lengths", "int64", ["B"]);
	return graph.build();
}

function decoderGraph(vocabulary: number, random: Random): Graph {
	const graph = new GraphBuilder("decoder");
	const targets = graph.input("targets", "int32", ["B", "U"]);
	const length = graph.input("target_length", "int32", ["B"]);
	const states = ["states.1", "onnx::Slice_3"].map((name) =>
		graph.input(name, "float32", [layers, "B", hidden]),
	);
	const table = floats(graph, "table", [vocabulary, hidden], 1, random);
	let x = graph.op("Transpose", [graph.op("Gather", [table, targets])], {
		perm: [1, 0, 2],
	});
	const next: [string[], string[]] = [[], []];
	for (let layer = 0; layer < layers; layer++) {
		const part = (state: number) =>
			graph.slice(states[state] as string, 0, layer, layer + 1);
		const [y = "", h = "", c = ""] = graph.ops(
			"LSTM",
			[
				x,
				floats(graph, `w${layer}`, [1, 4 * hidden, hidden], 0.8, random),
				floats(graph, `r${layer}`, [1, 4 * hidden, hidden], 0.8, random),
				floats(graph, `b${layer}`, [1, 8 * hidden], 0.3, random),
				none,
				part(0),
				part(1),
			],
			3,
			{ hidden_size: hidden },
		);
		x = graph.op("Squeeze", [y, graph.ints(1)]);
		next[0].push(h);
		next[1].push(c);
	}
	graph.op("Transpose", [x], { perm: [1, 2, 0] }, "outputs");
	graph.op("Identity", [length], {}, "prednet_lengths");
	graph.op("Concat", next[0], { axis: 0 }, "states");
	graph.op("Concat", next[1], { axis: 0 }, "162");
	graph.output("outputs", "float32", ["B", hidden, "U"]);
	graph.output("prednet_lengths", "int32", ["B"]);
	graph.output("states", "float32", [layers, "B", hidden]);
	graph.output("162", "float32", [layers, "B", hidden]);
	return graph.build();
}

function joinerGraph(
	vocabulary: number,
	durations: number,
	random: Random,
	ballast: Ballast | undefined,
): Graph {
	const graph = new GraphBuilder("joiner");
	const encoded = graph.input("encoder_outputs", "float32", ["B", width, "T"]);
	const decoded = graph.input("decoder_outputs", "float32", ["B", hidden, "U"]);
	const last = (x: string) => graph.op("Transpose", [x], { perm: [0, 2, 1] });
	const wide = (x: string, from: number, name: string) =>
		graph.op("MatMul", [
			last(x),
			floats(graph, name, [from, width], 0.7, random),
		]);
	const both = graph.op("Tanh", [
		graph.op("Add", [
			graph.op("Unsqueeze", [wide(encoded, width, "enc"), graph.ints(2)]),
			graph.op("Unsqueeze", [wide(decoded, hidden, "pred"), graph.ints(1)]),
		]),
	]);
	const count = vocabulary + durations;
	graph.op(
		"Add",
		[
			graph.op("MatMul", [
				both,
				floats(graph, "w", [width, count], 1.1, random),
			]),
			favouring(
				graph,
				"bias",
				count,
				vocabulary - 1,
				(durations ? 0.5 : 6) + (ballast ? 5 : 0),
			),
		],
		{},
		"outputs",
	);
	graph.output("outputs", "float32", ["B", "T", "U", count]);
	return graph.build();
}

export function writeTinyNemoTransducer(
	folder: string,
	withDurations: boolean,
	seed: number,
	ballast?: Ballast,
): void {
	const random = randomOf(seed);
	const symbols = symbolsWith(
		["<unk>", ...words, ".", ",", "?", "<blk>"],
		ballast,
	);
	const mels = withDurations ? 128 : 80;
	const vocabulary = symbols.length;
	writeFolder(
		folder,
		[
			{
				name: "encoder.int8.onnx",
				graph: encoderGraph(mels, random, ballast),
				metadata: {
					vocab_size: vocabulary - 1,
					normalize_type: "per_feature",
					pred_rnn_layers: layers,
					pred_hidden: hidden,
					subsampling_factor: factor,
					model_type: "EncDecRNNTBPEModel",
					version: 2,
					model_author: "NeMo",
					url: withDurations
						? "https://huggingface.co/nvidia/parakeet-tdt-0.6b-v2"
						: "https://huggingface.co/nvidia/parakeet-rnnt-0.6b",
					comment: "Only the transducer branch is exported",
					...(withDurations && { feat_dim: mels }),
				},
			},
			{ name: "decoder.int8.onnx", graph: decoderGraph(vocabulary, random) },
			{
				name: "joiner.int8.onnx",
				graph: joinerGraph(
					vocabulary,
					withDurations ? durationCount : 0,
					random,
					ballast,
				),
			},
		],
		symbols,
	);
}
