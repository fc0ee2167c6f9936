/**
 * Tiny models of random weights with exactly the inputs, outputs, names and metadata of those that k2-fsa publishes for sherpa-onnx. Inside they are as
 * plain as can be, but every state goes into what comes out, so one that is lost, swapped or used twice changes the text.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
	GraphBuilder,
	type Value,
} from "../../runtime/models/convert/graph-builder.js";
import { modelParts } from "../../runtime/models/convert/onnx-file.js";
import type { Graph } from "../../runtime/models/convert/onnx-format.js";
import { randomOf } from "./recorded-random.js";

type Random = () => number;
type Metadata = Readonly<Record<string, string>>;

export interface State {
	readonly name: string;
	readonly dims: readonly number[];
	readonly type?: "int64";
}

export function writeGraph(path: string, graph: Graph, metadata: Metadata) {
	const pieces = [...modelParts({ ...graph, metadata })];
	writeFileSync(path, Buffer.concat(pieces.map((it) => it.bytes)));
}

function weights(
	graph: GraphBuilder,
	name: string,
	dims: readonly number[],
	scale: number,
	random: Random,
): Value {
	const size = dims.reduce((product, dim) => product * dim, 1);
	const values = Float32Array.from(
		{ length: size },
		() => (random() * 2 - 1) * scale,
	);
	return graph.floats(name, dims, () => values);
}

/** zipformer2's states by layer, and what is said of them; dims as in the published model of 3.3 million parameters. */
export function zipformer2States(): { states: State[]; metadata: Metadata } {
	const dims = [128, 128, 128, 128, 128, 128];
	const kernels = [31, 31, 15, 15, 15, 31];
	const left = [64, 32, 16, 8, 16, 32];
	const heads = [4, 4, 4, 8, 4, 4];
	const states: State[] = dims.flatMap((dim, i) => {
		const context = left[i] as number;
		const key = 32 * (heads[i] as number);
		const value = 12 * (heads[i] as number);
		const kernel = Math.floor((kernels[i] as number) / 2);
		return [
			{ name: `cached_key_${i}`, dims: [context, 1, key] },
			{ name: `cached_nonlin_attn_${i}`, dims: [1, 1, context, (3 * dim) / 4] },
			{ name: `cached_val1_${i}`, dims: [context, 1, value] },
			{ name: `cached_val2_${i}`, dims: [context, 1, value] },
			{ name: `cached_conv1_${i}`, dims: [1, dim, kernel] },
			{ name: `cached_conv2_${i}`, dims: [1, dim, kernel] },
		];
	});
	states.push(
		{ name: "embed_states", dims: [1, 128, 3, 19] },
		{ name: "processed_lens", dims: [1], type: "int64" },
	);
	return {
		states,
		metadata: {
			model_type: "zipformer2",
			version: "1",
			model_author: "k2-fsa",
			comment: "streaming zipformer2",
			decode_chunk_len: "32",
			T: "45",
			num_encoder_layers: "1,1,1,1,1,1",
			encoder_dims: dims.join(","),
			cnn_module_kernels: kernels.join(","),
			left_context_len: left.join(","),
			query_head_dims: dims.map(() => 32).join(","),
			value_head_dims: dims.map(() => 12).join(","),
			num_heads: heads.join(","),
		},
	};
}

/** The first zipformer's states by what they are; smaller dims than the published bilingual model's, the same names. */
export function zipformerStates(): { states: State[]; metadata: Metadata } {
	const layers = [2, 4, 3, 2, 4];
	const dim = 48;
	const attention = 24;
	const kernel = 31;
	const left = [64, 32, 16, 8, 32];
	const of = (
		name: string,
		dims: (layers: number, left: number) => number[],
		type?: "int64",
	): State[] =>
		layers.map((count, i) => ({
			name: `${name}_${i}`,
			dims: dims(count, left[i] as number),
			...(type && { type }),
		}));
	return {
		states: [
			...of("cached_len", (count) => [count, 1], "int64"),
			...of("cached_avg", (count) => [count, 1, dim]),
			...of("cached_key", (count, length) => [count, length, 1, attention]),
			...of("cached_val", (count, length) => [count, length, 1, attention / 2]),
			...of("cached_val2", (count, length) => [
				count,
				length,
				1,
				attention / 2,
			]),
			...of("cached_conv1", (count) => [count, 1, dim, kernel - 1]),
			...of("cached_conv2", (count) => [count, 1, dim, kernel - 1]),
		],
		metadata: {
			model_type: "zipformer",
			version: "1",
			model_author: "k2-fsa",
			decode_chunk_len: "32",
			T: "39",
			num_encoder_layers: layers.join(","),
			encoder_dims: layers.map(() => dim).join(","),
			attention_dims: layers.map(() => attention).join(","),
			cnn_module_kernels: layers.map(() => kernel).join(","),
			left_context_len: left.join(","),
		},
	};
}

const joinerDim = 32;
const framesOut = 8;

/** Scores of tokens instead of what a joiner takes. */
interface CtcHead {
	/** Tokens, the blank first. */
	readonly count: number;
	/** Size of the weights, and what the blank gets: without it, it would hardly ever be likeliest. */
	readonly scale: number;
	readonly blank: number;
	/** Layers before it, as wide as a real model's, for measurements. */
	readonly deep?: FeedForwardSizes;
}

export interface FeedForwardSizes {
	readonly width: number;
	readonly inner: number;
	readonly layers: number;
}

/** Feed-forward layers with a way around each: [..., width] to [..., width]. */
export function feedForward(
	graph: GraphBuilder,
	x: Value,
	name: string,
	{ width, inner, layers }: FeedForwardSizes,
	random: Random,
): Value {
	let out = x;
	for (let i = 0; i < layers; i++) {
		const up = weights(graph, `${name}_up_${i}`, [width, inner], 0.03, random);
		const felt = graph.op("Relu", [graph.op("MatMul", [out, up])]);
		const down = weights(
			graph,
			`${name}_down_${i}`,
			[inner, width],
			0.02,
			random,
		);
		out = graph.op("Add", [out, graph.op("MatMul", [felt, down])]);
	}
	return graph.op("Tanh", [out]);
}

export function encoderGraph(
	chunkFrames: number,
	states: readonly State[],
	random: Random,
	head?: CtcHead,
): Graph {
	const graph = new GraphBuilder("encoder");
	const x = graph.input("x", "float32", [1, chunkFrames, 80]);
	for (const { name, dims, type } of states)
		graph.input(name, type ?? "float32", dims);
	const used = graph.op("Slice", [
		x,
		graph.ints(0),
		graph.ints(4 * framesOut),
		graph.ints(1),
	]);
	const stacked = graph.op("Reshape", [used, graph.ints(1, framesOut, 320)]);
	const loudness = graph.op("ReduceMean", [x, graph.ints(0, 1, 2)], {
		keepdims: 0,
	});
	let out = graph.op("MatMul", [
		stacked,
		weights(graph, "w", [320, joinerDim], 0.02, random),
	]);
	const outputs: Value[] = [];
	for (const { name, dims, type } of states) {
		const next = `new_${name}`;
		let felt: Value;
		if (type === "int64") {
			graph.op("Add", [name, graph.ints(4 * framesOut)], {}, next);
			felt = graph.op("Cast", [name], { to: 1 });
			felt = graph.op("Sin", [felt]);
		} else {
			const width = dims.at(-1) as number;
			const push = graph.op("Mul", [
				loudness,
				weights(graph, `push_${name}`, [width], 0.2, random),
			]);
			const kept = graph.op("Mul", [name, graph.float(0.5)]);
			graph.op("Tanh", [graph.op("Add", [kept, push])], {}, next);
			felt = name;
		}
		const axes = graph.ints(...dims.map((_, i) => i));
		const mean = graph.op("ReduceMean", [felt, axes], { keepdims: 0 });
		const way = weights(graph, `way_${name}`, [joinerDim], 0.7, random);
		out = graph.op("Add", [out, graph.op("Mul", [mean, way])]);
		outputs.push(next);
	}
	if (head) {
		const { count, scale } = head;
		const { deep } = head;
		const shallow = graph.op("Tanh", [out]);
		const felt = deep
			? feedForward(
					graph,
					graph.op("MatMul", [
						shallow,
						weights(graph, "wide", [joinerDim, deep.width], 0.5, random),
					]),
					"deep",
					deep,
					random,
				)
			: shallow;
		const width = deep?.width ?? joinerDim;
		const scores = graph.op("MatMul", [
			felt,
			weights(graph, "ctc", [width, count], scale, random),
		]);
		const bias = Float32Array.from({ length: count }, (_, token) =>
			token === 0 ? head.blank : 0,
		);
		const biased = graph.op("Add", [
			scores,
			graph.floats("ctc_bias", [count], () => bias),
		]);
		graph.op("LogSoftmax", [biased], { axis: -1 }, "log_probs");
		graph.output("log_probs", "float32", [1, framesOut, count]);
	} else {
		graph.op("Tanh", [out], {}, "encoder_out");
		graph.output("encoder_out", "float32", [1, framesOut, joinerDim]);
	}
	states.forEach(({ dims, type }, i) => {
		graph.output(outputs[i] as Value, type ?? "float32", dims);
	});
	return graph.build();
}

export function decoderGraph(vocabulary: number, random: Random): Graph {
	const graph = new GraphBuilder("decoder");
	const y = graph.input("y", "int64", ["N", 2]);
	const table = weights(graph, "table", [vocabulary, joinerDim], 1, random);
	const zero = graph.ints(0);
	const known = graph.op("Gather", [table, graph.op("Max", [y, zero])]);
	const isThere = graph.op("Cast", [graph.op("GreaterOrEqual", [y, zero])], {
		to: 1,
	});
	const mask = graph.op("Unsqueeze", [isThere, graph.ints(2)]);
	const position = weights(graph, "position", [2, 1], 1, random);
	const weighed = graph.op("Mul", [graph.op("Mul", [known, mask]), position]);
	graph.op(
		"ReduceSum",
		[weighed, graph.ints(1)],
		{ keepdims: 0 },
		"decoder_out",
	);
	graph.output("decoder_out", "float32", ["N", joinerDim]);
	return graph.build();
}

export function joinerGraph(vocabulary: number, random: Random): Graph {
	const graph = new GraphBuilder("joiner");
	const encoded = graph.input("encoder_out", "float32", ["N", joinerDim]);
	const decoded = graph.input("decoder_out", "float32", ["N", joinerDim]);
	const both = graph.op("Tanh", [graph.op("Add", [encoded, decoded])]);
	const scores = graph.op("MatMul", [
		both,
		weights(graph, "w", [joinerDim, vocabulary], 1.5, random),
	]);
	const bias = Float32Array.from({ length: vocabulary }, (_, token) =>
		token === 0 ? 5 : 0,
	);
	graph.op(
		"Add",
		[scores, graph.floats("bias", [vocabulary], () => bias)],
		{},
		"logit",
	);
	graph.output("logit", "float32", ["N", vocabulary]);
	return graph.build();
}

const words =
	"▁THE ▁OF ING ED ▁A S ▁HELLO ▁AND 我 你 好 的 是 在 有 人 这 中 大 来 上 国 到 说 们 为 子 和".split(
		" ",
	);

/** A folder as published: encoder, decoder, joiner, tokens.txt. */
export function writeTinyZipformer(
	folder: string,
	{ states, metadata }: ReturnType<typeof zipformerStates>,
	seed: number,
	symbols: readonly string[] = words,
): void {
	const random = randomOf(seed);
	mkdirSync(folder, { recursive: true });
	const tokens = ["<blk>", "<sos/eos>", "<unk>", ...symbols];
	const vocabulary = tokens.length;
	writeGraph(
		join(folder, "encoder-epoch-99-avg-1.onnx"),
		encoderGraph(Number(metadata.T), states, random),
		metadata,
	);
	writeGraph(
		join(folder, "decoder-epoch-99-avg-1.onnx"),
		decoderGraph(vocabulary, random),
		{ context_size: "2", vocab_size: `${vocabulary}` },
	);
	writeGraph(
		join(folder, "joiner-epoch-99-avg-1.onnx"),
		joinerGraph(vocabulary, random),
		{ joiner_dim: `${joinerDim}` },
	);
	writeFileSync(
		join(folder, "tokens.txt"),
		tokens.map((symbol, i) => `${symbol} ${i}\n`).join(""),
	);
}
