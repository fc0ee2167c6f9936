/** Tiny offline CTC models in the forms that sherpa-onnx takes: their inputs, outputs, names and metadata, random weights. */
import { GraphBuilder } from "../../../runtime/models/convert/graph-builder.js";
import { randomOf } from "../../published/recorded-random.js";
import {
	type Ballast,
	favouring,
	reducedLength,
	scored,
	stacked,
	stackedChannels,
	symbolsWith,
	withBallast,
	words,
	writeFolder,
} from "./parts.js";

const hidden = 32;

/** What distinguishes a form. */
interface Form {
	readonly symbols: readonly string[];
	readonly blank: number;
	readonly factor: number;
	readonly scale: number;
	readonly metadata: Readonly<Record<string, string | number>>;
	readonly names: { readonly x: string; readonly length: string };
	/** Absent where the graph does not return it. */
	readonly outputLength?: string;
	readonly channelsFirst?: boolean;
	/** Quieter features count as this: sherpa-onnx adds noise to 16-bit samples, and it should not decide. */
	readonly audibleMin?: number;
}

const mean = Array.from({ length: 80 }, (_, i) => -6 + Math.sin(i)).join(",");
const deviation = Array.from({ length: 80 }, (_, i) =>
	(0.25 + 0.02 * Math.cos(i)).toFixed(5),
).join(",");

const ctcForms = {
	zipformer: {
		symbols: ["<blk>", "<sos/eos>", "<unk>", ...words],
		blank: 0,
		factor: 4,
		scale: 0.03,
		metadata: {
			model_type: "zipformer2_ctc",
			version: 1,
			model_author: "k2-fsa",
			comment: "non-streaming zipformer2 CTC",
		},
		names: { x: "x", length: "x_lens" },
		outputLength: "log_probs_len",
	},
	wenet: {
		symbols: ["<blank>", "<unk>", ...words, "<sos/eos>"],
		blank: 0,
		factor: 4,
		scale: 0.02,
		metadata: {
			model_type: "wenet_ctc",
			version: 1,
			model_author: "wenet",
			comment: "non-streaming",
			subsampling_factor: 4,
			vocab_size: words.length + 3,
		},
		names: { x: "x", length: "x_lens" },
		outputLength: "log_probs_lens",
		audibleMin: 18,
	},
	nemo: {
		symbols: ["<unk>", ...words, "<blk>"],
		blank: words.length + 1,
		factor: 8,
		scale: 0.15,
		metadata: {
			model_type: "EncDecCTCModelBPE",
			version: 1,
			model_author: "NeMo",
			vocab_size: words.length + 1,
			normalize_type: "per_feature",
			subsampling_factor: 8,
			comment: "stt_en_fastconformer_ctc_large",
		},
		names: { x: "audio_signal", length: "length" },
		channelsFirst: true,
	},
	firered: {
		symbols: ["<blank>", "<unk>", "<pad>", "<sos>", "<eos>", ...words],
		blank: 0,
		factor: 4,
		scale: 0.15,
		metadata: {
			model_type: "fire-red-asr-2-ctc",
			version: 1,
			model_author: "FireRedTeam",
			cmvn_mean: Array.from({ length: 80 }, (_, i) => 11 + Math.sin(i)).join(
				",",
			),
			cmvn_inv_stddev: deviation,
			subsampling_factor: 4,
		},
		names: { x: "x", length: "x_len" },
		outputLength: "log_probs_len",
		audibleMin: 1.5,
	},
	dolphin: {
		symbols: ["<blank>", "<sos>", "<eos>", "<zh>", "<asr>", ...words],
		blank: 0,
		factor: 4,
		scale: 0.2,
		metadata: {
			model_type: "dolphin",
			version: 1,
			model_author: "DataoceanAI",
			vocab_size: words.length + 5,
			mean,
			invstd: deviation,
		},
		names: { x: "x", length: "x_len" },
		outputLength: "log_probs_len",
	},
} as const satisfies Readonly<Record<string, Form>>;

export function writeTinyCtc(
	folder: string,
	name: keyof typeof ctcForms,
	seed: number,
	ballast?: Ballast,
): void {
	const form: Form = ctcForms[name];
	const { factor, scale, names, outputLength } = form;
	const symbols = symbolsWith(form.symbols, ballast);
	const blank = form.blank === 0 ? 0 : symbols.length - 1;
	const random = randomOf(seed);
	const graph = new GraphBuilder(name);
	const dims = form.channelsFirst ? ["B", 80, "T"] : ["N", "T", 80];
	const x = graph.input(names.x, "float32", dims);
	const length = graph.input(names.length, "int64", ["N"]);
	const sizes = { width: 80, hidden, factor };
	const audible = form.audibleMin
		? graph.op("Sub", [
				graph.op("Max", [x, graph.float(form.audibleMin)]),
				graph.float(form.audibleMin + (form.audibleMin > 10 ? 2 : 0.3)),
			])
		: x;
	const frames = form.channelsFirst
		? graph.op("Transpose", [stackedChannels(graph, x, sizes, scale, random)], {
				perm: [0, 2, 1],
			})
		: stacked(graph, audible, sizes, scale, random);
	const count = symbols.length;
	const scores = graph.op("Add", [
		scored(
			graph,
			withBallast(graph, frames, hidden, ballast, random),
			{ hidden, count },
			1.2,
			random,
		),
		favouring(graph, "bias", count, blank, ballast ? 8 : 3),
	]);
	graph.op("LogSoftmax", [scores], { axis: -1 }, "log_probs");
	graph.output("log_probs", "float32", ["N", "T_out", count]);
	if (outputLength) {
		reducedLength(graph, length, factor, "int64", outputLength);
		graph.output(outputLength, "int64", ["N"]);
	}
	writeFolder(
		folder,
		[
			{
				name: "model.int8.onnx",
				graph: graph.build(),
				metadata: {
					...form.metadata,
					...("vocab_size" in form.metadata && {
						vocab_size:
							Number(form.metadata.vocab_size) + (ballast?.tokens ?? 0),
					}),
				},
			},
		],
		symbols,
	);
}
