/** Tiny Moonshines in the two forms that k2-fsa publishes: their inputs, outputs and names, random weights. */
import {
	GraphBuilder,
	type Value,
} from "../../../runtime/models/convert/graph-builder.js";
import type { Graph } from "../../../runtime/models/convert/onnx-format.js";
import { randomOf } from "../../published/recorded-random.js";
import {
	type Cache,
	type DecoderSizes,
	type Pace,
	TinyDecoder,
} from "./attention-decoder.js";
import { floats, type Random, words, writeFolder } from "./parts.js";

export const moonshineSymbols = [
	"<unk>",
	"<s>",
	"</s>",
	...words,
	"▁ca",
	"fé",
	".",
	",",
	"?",
];
const tiny: DecoderSizes = {
	hidden: 24,
	heads: 2,
	layers: 2,
	inner: 32,
	vocabulary: moonshineSymbols.length,
};
const pace: Pace = { framesPerToken: 12, endOfText: 2, unsaid: [0, 1] };
/** Kernels and strides of the front end. */
const kernels = [127, 7, 3] as const;
const strides = [64, 3, 2] as const;
const samplesPerFrame = 384;

/** @param x [1, samples]. @returns [1, frames, hidden] */
function framesOf(
	graph: GraphBuilder,
	x: Value,
	hidden: number,
	random: Random,
) {
	const convolved = kernels.reduce(
		(before, kernel, i) => {
			const channels = i === 0 ? 1 : hidden;
			const scale = i === 0 ? 1 : Math.sqrt(3 / (kernel * channels));
			const weights = [hidden, channels, kernel];
			return graph.op("Tanh", [
				graph.op(
					"Conv",
					[before, floats(graph, `conv${i}`, weights, scale, random)],
					{ kernel_shape: [kernel], strides: [strides[i] as number] },
				),
			]);
		},
		graph.op("Unsqueeze", [x, graph.ints(1)]),
	);
	return graph.op("Transpose", [convolved], { perm: [0, 2, 1] });
}

/** A layer that sees the neighbours. @param x [1, frames, hidden] */
function encoded(
	graph: GraphBuilder,
	x: Value,
	hidden: number,
	random: Random,
) {
	const turned = graph.op("Transpose", [x], { perm: [0, 2, 1] });
	const seen = graph.op(
		"Conv",
		[turned, floats(graph, "encoder", [hidden, hidden, 3], 0.5, random)],
		{ kernel_shape: [3], pads: [1, 1] },
	);
	const turnedBack = graph.op("Transpose", [seen], { perm: [0, 2, 1] });
	return graph.op("Tanh", [graph.op("Add", [x, turnedBack])]);
}

/** Where in the audio a token is: [1] float. @param count [1], of the tokens with it */
function placeOf(graph: GraphBuilder, count: Value): Value {
	return graph.op("Mul", [
		graph.op("Cast", [count], { to: 1 }),
		graph.float(pace.framesPerToken),
	]);
}

function joined(graph: GraphBuilder, past: Cache, own: Cache): Cache {
	const along = { axis: 2 };
	return {
		keys: graph.op("Concat", [past.keys, own.keys], along),
		values: graph.op("Concat", [past.values, own.values], along),
	};
}

function preprocessGraph({ hidden }: DecoderSizes, random: Random): Graph {
	const graph = new GraphBuilder("preprocess");
	const audio = graph.input("args_0", "float32", ["batch", "samples"]);
	graph.op(
		"Identity",
		[framesOf(graph, audio, hidden, random)],
		{},
		"sequential",
	);
	graph.output("sequential", "float32", ["batch", "frames", hidden]);
	return graph.build();
}

function encodeGraph({ hidden }: DecoderSizes, random: Random): Graph {
	const graph = new GraphBuilder("encode");
	const x = graph.input("args_0", "float32", ["batch", "frames", hidden]);
	const length = graph.input("args_1", "int32", [1]);
	const frames = encoded(graph, x, hidden, random);
	// a wrong length changes the text
	const scale = graph.op("Div", [
		graph.op("Cast", [length], { to: 1 }),
		graph.op("Cast", [graph.dimension(x, 1)], { to: 1 }),
	]);
	graph.op("Mul", [frames, scale], {}, "layer_normalization");
	graph.output("layer_normalization", "float32", ["batch", "frames", hidden]);
	return graph.build();
}

/** @param weights the same for both decoders. */
function splitDecoder(
	sizes: DecoderSizes,
	isFirst: boolean,
	weights: Random,
): Graph {
	const graph = new GraphBuilder(isFirst ? "uncached_decode" : "cached_decode");
	const { hidden, heads, layers, vocabulary } = sizes;
	const decoder = new TinyDecoder(graph, sizes, weights);
	const token = graph.input("args_0", "int32", ["batch", 1]);
	const audio = graph.input("args_1", "float32", ["batch", "frames", hidden]);
	const count = graph.input("args_2", "int32", [1]);
	const dims = ["batch", heads, "places", decoder.width];
	const place = placeOf(graph, count);
	let x = decoder.embedded(token);
	const outputs: [Value, Value][] = [];
	for (let layer = 0; layer < layers; layer++) {
		const given = (i: number) =>
			graph.input(`args_${3 + 4 * layer + i}`, "float32", dims);
		const own = decoder.cacheOf(`${layer}/text`, x);
		const computed = decoder.cacheOf(`${layer}/audio`, audio);
		const past = isFirst
			? undefined
			: [
					{ keys: given(0), values: given(1) },
					{ keys: given(2), values: given(3) },
				];
		const text = past ? joined(graph, past[0] as Cache, own) : own;
		const sound = past ? (past[1] as Cache) : computed;
		x = decoder.layer(`${layer}`, x, text, sound, { place });
		const present = [text.keys, text.values, sound.keys, sound.values];
		for (const [i, it] of present.entries())
			outputs.push([it, `functional_${layer}_${i}`]);
	}
	decoder.scores(x, place, framesIn(graph, audio), pace, "logits");
	graph.output("logits", "float32", ["batch", 1, vocabulary]);
	for (const [value, name] of outputs) {
		graph.op("Identity", [value], {}, name);
		graph.output(name, "float32", dims);
	}
	return graph.build();
}

export function writeMoonshineV1(
	folder: string,
	seed: number,
	sizes = tiny,
	symbols: readonly string[] = moonshineSymbols,
): void {
	const random = randomOf(seed);
	writeFolder(
		folder,
		[
			{ name: "preprocess.onnx", graph: preprocessGraph(sizes, random) },
			{ name: "encode.int8.onnx", graph: encodeGraph(sizes, random) },
			{
				name: "uncached_decode.int8.onnx",
				graph: splitDecoder(sizes, true, randomOf(seed + 1)),
			},
			{
				name: "cached_decode.int8.onnx",
				graph: splitDecoder(sizes, false, randomOf(seed + 1)),
			},
		],
		symbols,
	);
}

function mergedEncoder({ hidden }: DecoderSizes, random: Random): Graph {
	const graph = new GraphBuilder("encoder_model");
	const audio = graph.input("input_values", "float32", ["batch", "samples"]);
	const frames = framesOf(graph, audio, hidden, random);
	const output = "last_hidden_state";
	graph.op("Identity", [encoded(graph, frames, hidden, random)], {}, output);
	graph.output(output, "float32", ["batch", "frames", hidden]);
	return graph.build();
}

/** [1] float */
function framesIn(graph: GraphBuilder, audio: Value): Value {
	return graph.op("Cast", [graph.dimension(audio, 1)], { to: 1 });
}

/** Of samples every 384th counts, as in transformers. @returns [rows, frames] float; of a shorter mask fewer */
function maskOfFrames(graph: GraphBuilder, mask: Value): Value {
	const ofFrames = graph.op("Slice", [
		mask,
		graph.ints(0),
		graph.ints(2 ** 40),
		graph.ints(1),
		graph.ints(samplesPerFrame),
	]);
	return graph.op("Cast", [ofFrames], { to: 1 });
}

/** Minus infinity, nearly, for frames that are not audio. @returns [rows, 1, 1, frames] */
function masking(graph: GraphBuilder, mask: Value): Value {
	const outside = graph.op("Sub", [maskOfFrames(graph, mask), graph.float(1)]);
	const far = graph.op("Mul", [outside, graph.float(1e4)]);
	return graph.op("Unsqueeze", [far, graph.ints(1, 2)]);
}

/** How much of a row is audio: [rows, 1, 1]. */
function shareOfMask(graph: GraphBuilder, mask: Value): Value {
	const share = graph.op("ReduceMean", [
		maskOfFrames(graph, mask),
		graph.ints(1),
	]);
	return graph.op("Unsqueeze", [share, graph.ints(2)]);
}

/** The past of the audio is returned by the first step only, as by the published graphs. */
function mergedDecoder(
	sizes: DecoderSizes,
	hasMask: boolean,
	random: Random,
): Graph {
	const graph = new GraphBuilder("decoder_model_merged");
	const { hidden, heads, layers, vocabulary } = sizes;
	const decoder = new TinyDecoder(graph, sizes, random);
	const mask = hasMask
		? graph.input("encoder_attention_mask", "int64", ["batch", "samples"])
		: undefined;
	const token = graph.input("input_ids", "int64", ["batch", 1]);
	const audio = graph.input("encoder_hidden_states", "float32", [
		"batch",
		"frames",
		hidden,
	]);
	const dims = ["batch", heads, "places", decoder.width];
	const pastNames = [
		"decoder.key",
		"decoder.value",
		"encoder.key",
		"encoder.value",
	];
	const given = Array.from({ length: layers }, (_, layer) =>
		pastNames.map((it) =>
			graph.input(`past_key_values.${layer}.${it}`, "float32", dims),
		),
	);
	const usesPast = graph.input("use_cache_branch", "bool", [1]);
	const [firstKeys = ""] = given[0] ?? [];
	const count = graph.op("Add", [graph.dimension(firstKeys, 2), graph.ints(1)]);
	const place = placeOf(graph, count);
	const isFirst = graph.op("Cast", [graph.op("Not", [usesPast])], { to: 7 });
	const masked = mask && masking(graph, mask);
	let x = decoder.embedded(token);
	const outputs: [Value, Value][] = [];
	for (const [layer, inputs] of given.entries()) {
		const [textKeys, textValues, audioKeys, audioValues] = inputs as [
			...[Value, Value, Value, Value],
		];
		const past = { keys: textKeys, values: textValues };
		const text = joined(graph, past, decoder.cacheOf(`${layer}/text`, x));
		const all = decoder.cacheOf(`${layer}/audio`, audio);
		const until = graph.op("Mul", [graph.dimension(audio, 1), isFirst]);
		const upTo = (it: Value) =>
			graph.op("Slice", [it, graph.ints(0), until, graph.ints(2)]);
		const returned = { keys: upTo(all.keys), values: upTo(all.values) };
		const before = { keys: audioKeys, values: audioValues };
		const sound = joined(graph, before, returned);
		x = decoder.layer(`${layer}`, x, text, sound, {
			place,
			...(masked && { masked }),
		});
		const present = [text.keys, text.values, returned.keys, returned.values];
		for (const [i, it] of present.entries())
			outputs.push([it, `present.${layer}.${pastNames[i]}`]);
	}
	const all = framesIn(graph, audio);
	const frames = mask ? graph.op("Mul", [all, shareOfMask(graph, mask)]) : all;
	decoder.scores(x, place, frames, pace, "logits");
	graph.output("logits", "float32", ["batch", 1, vocabulary]);
	for (const [value, name] of outputs) {
		graph.op("Identity", [value], {}, name);
		graph.output(name, "float32", dims);
	}
	return graph.build();
}

export function writeMoonshineV2(
	folder: string,
	seed: number,
	hasMask: boolean,
	sizes = tiny,
	symbols: readonly string[] = moonshineSymbols,
): void {
	const random = randomOf(seed);
	writeFolder(
		folder,
		[
			{ name: "encoder_model.onnx", graph: mergedEncoder(sizes, random) },
			{
				name: "decoder_model_merged.onnx",
				graph: mergedDecoder(sizes, hasMask, random),
			},
		],
		symbols.map((it) => Buffer.from(it).toString("base64")),
	);
}
