/** A tiny SenseVoice of random weights with exactly the inputs, output, names and metadata of the published one (see tiny-graphs). */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GraphBuilder } from "../../runtime/models/convert/graph-builder.js";
import type { Graph } from "../../runtime/models/convert/onnx-format.js";
import { type Ballast, symbolsWith, withBallast } from "../kinds/tiny/parts.js";
import { randomOf } from "./recorded-random.js";
import { writeGraph } from "./tiny-graphs.js";

const width = 560;
const hidden = 24;
const queries = 16;
const tags = {
	"<|nospeech|>": 13,
	"<|zh|>": 3,
	"<|en|>": 4,
	"<|yue|>": 7,
	"<|ja|>": 11,
	"<|ko|>": 12,
	"<|NEUTRAL|>": 1,
	"<|Speech|>": 2,
	"<|withitn|>": 14,
	"<|woitn|>": 15,
};
const textSymbols =
	"▁the ▁of ing ed ▁a s ▁hello ▁and 我 你 好 的 是 在 有 人 这 中 大 来 上 国 到 说 们 為 子 和 , 。".split(
		" ",
	);
const tinySymbols = [
	"<unk>",
	"<s>",
	"</s>",
	...textSymbols,
	...Object.keys(tags),
];

/** The output for each tag row. */
function tagFor(query: number, symbols: readonly string[]): number {
	const tag = Object.entries(tags).find(([, id]) => id === query)?.[0];
	return symbols.indexOf(tag ?? "<|zh|>"); // auto: it finds Chinese
}

function graphOf(
	random: () => number,
	symbols: readonly string[],
	ballast: Ballast | undefined,
): Graph {
	const vocabulary = symbols.length;
	const made = (length: number, scale: number) =>
		Float32Array.from({ length }, () => (random() * 2 - 1) * scale);
	const graph = new GraphBuilder("sense-voice");
	const x = graph.input("x", "float32", ["N", "T", width]);
	graph.input("x_length", "int32", ["N"]);
	const language = graph.input("language", "int32", ["N"]);
	const style = graph.input("text_norm", "int32", ["N"]);
	const w1 = made(width * hidden, 0.05);
	const w2 = made(hidden * vocabulary, 2);
	const embedded = made(queries * hidden, 0.7);
	const firstTag = vocabulary - Object.keys(tags).length;
	const bias = Float32Array.from({ length: vocabulary }, (_, token) =>
		token === 0 ? (ballast ? 8 : 2.5) : token >= firstTag ? -20 : 0,
	);
	const answers = new Float32Array(queries * vocabulary);
	for (let query = 0; query < queries; query++)
		answers[query * vocabulary + tagFor(query, symbols)] = 9;
	const table = graph.floats("embed", [queries, hidden], () => embedded);
	const about = graph.op("Add", [
		graph.op("Gather", [table, language]),
		graph.op("Gather", [table, style]),
	]);
	const projected = graph.op("MatMul", [
		x,
		graph.floats("w1", [width, hidden], () => w1),
	]);
	const felt = graph.op("Tanh", [
		graph.op("Add", [projected, graph.op("Unsqueeze", [about, graph.ints(1)])]),
	]);
	const text = graph.op("Add", [
		graph.op("MatMul", [
			withBallast(graph, felt, hidden, ballast, random),
			graph.floats("w2", [hidden, vocabulary], () => w2),
		]),
		graph.floats("bias", [vocabulary], () => bias),
	]);
	const constant = (query: number) =>
		graph.initializer(`query_${query}`, "int32", [1], () =>
			Uint8Array.from(new Uint8Array(Int32Array.of(query).buffer)),
		);
	const answerTable = graph.floats(
		"answers",
		[queries, vocabulary],
		() => answers,
	);
	const rows = [language, constant(1), constant(2), style].map((query) =>
		graph.op("Unsqueeze", [
			graph.op("Gather", [answerTable, query]),
			graph.ints(1),
		]),
	);
	graph.op("Concat", [...rows, text], { axis: 1 }, "logits");
	graph.output("logits", "float32", ["N", "T_out", vocabulary]);
	return graph.build();
}

/** A folder as published: model.int8.onnx, tokens.txt. */
export function writeTinySenseVoice(
	folder: string,
	seed: number,
	ballast?: Ballast,
): void {
	const random = randomOf(seed);
	const symbols = symbolsWith(tinySymbols, ballast);
	mkdirSync(folder, { recursive: true });
	const numbers = (centre: number, spread: number) =>
		Array.from({ length: width }, () =>
			(centre + (random() * 2 - 1) * spread).toFixed(6),
		).join(",");
	writeGraph(
		join(folder, "model.int8.onnx"),
		graphOf(random, symbols, ballast),
		{
			lfr_window_size: "7",
			lfr_window_shift: "6",
			normalize_samples: "0",
			neg_mean: numbers(-10, 2),
			inv_stddev: numbers(0.2, 0.03),
			model_type: "sense_voice_ctc",
			version: "2",
			model_author: "iic",
			maintainer: "k2-fsa",
			vocab_size: `${symbols.length}`,
			comment: "iic/SenseVoiceSmall",
			lang_auto: "0",
			lang_zh: "3",
			lang_en: "4",
			lang_yue: "7",
			lang_ja: "11",
			lang_ko: "12",
			lang_nospeech: "13",
			with_itn: "14",
			without_itn: "15",
			url: "https://huggingface.co/FunAudioLLM/SenseVoiceSmall",
		},
	);
	writeFileSync(
		join(folder, "tokens.txt"),
		symbols.map((symbol, i) => `${symbol} ${i}\n`).join(""),
	);
}
