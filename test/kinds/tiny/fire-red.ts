/** A tiny FireRed with an attention decoder, in the form that k2-fsa publishes: its inputs, outputs, names and metadata, random weights. */
import {
	GraphBuilder,
	type Value,
} from "../../../runtime/models/convert/graph-builder.js";
import type { Graph } from "../../../runtime/models/convert/onnx-format.js";
import { randomOf } from "../../published/recorded-random.js";
import {
	type DecoderSizes,
	type Pace,
	TinyDecoder,
} from "./attention-decoder.js";
import { type Random, stacked, words, writeFolder } from "./parts.js";

const mels = 80;
/** Frames of features in one of the encoder. */
const factor = 4;
export const fireRedSymbols = [
	"<blank>",
	"<unk>",
	"<pad>",
	"<sos>",
	"<eos>",
	...words.map((it) => it.toUpperCase()),
	"の",
];
const tiny: DecoderSizes = {
	hidden: 24,
	heads: 2,
	layers: 2,
	inner: 32,
	vocabulary: fireRedSymbols.length,
};
const pace: Pace = { framesPerToken: 9, endOfText: 4, unsaid: [0, 1, 2, 3] };
/** Quieter features count as this: sherpa-onnx adds noise to 16-bit samples, and it should not decide. */
const audibleMin = 1.5;

export interface FireRedForm {
	readonly sizes: DecoderSizes;
	readonly symbols: readonly string[];
	readonly placesMax: number;
	/** Whether the decoder takes a past of any number of places. */
	readonly anyPlaces: boolean;
}

/** [1, places, hidden] of each layer as one tensor. */
function perLayer(graph: GraphBuilder, values: readonly Value[], name: Value) {
	const layers = values.map((it) => graph.op("Unsqueeze", [it, graph.ints(0)]));
	graph.op("Concat", layers, { axis: 0 }, name);
}

/** Back from [1, heads, places, width] to [1, places, hidden]. */
function flat(graph: GraphBuilder, x: Value, hidden: number): Value {
	return graph.op("Reshape", [
		graph.op("Transpose", [x], { perm: [0, 2, 1, 3] }),
		graph.ints(1, -1, hidden),
	]);
}

function encoderGraph(sizes: DecoderSizes, random: Random): Graph {
	const graph = new GraphBuilder("encoder");
	const { hidden, layers } = sizes;
	const x = graph.input("x", "float32", ["N", "T", mels]);
	const length = graph.input("x_len", "int64", ["N"]);
	const audible = graph.op("Sub", [
		graph.op("Max", [x, graph.float(audibleMin)]),
		graph.float(audibleMin + 0.3),
	]);
	const stack = { width: mels, hidden, factor };
	const frames = stacked(graph, audible, stack, 0.2, random);
	// a wrong length changes the text
	const scale = graph.op("Div", [
		graph.op("Cast", [length], { to: 1 }),
		graph.op("Cast", [graph.dimension(x, 1)], { to: 1 }),
	]);
	const encoded = graph.op("Mul", [frames, scale]);
	const decoder = new TinyDecoder(graph, sizes, random);
	const caches = Array.from({ length: layers }, (_, layer) =>
		decoder.cacheOf(`${layer}/audio`, encoded),
	);
	perLayer(
		graph,
		caches.map(({ keys }) => flat(graph, keys, hidden)),
		"n_layer_cross_k",
	);
	perLayer(
		graph,
		caches.map(({ values }) => flat(graph, values, hidden)),
		"n_layer_cross_v",
	);
	for (const name of ["n_layer_cross_k", "n_layer_cross_v"])
		graph.output(name, "float32", [layers, "N", "T_out", hidden]);
	return graph.build();
}

function decoderGraph(
	{ sizes, placesMax, anyPlaces }: FireRedForm,
	random: Random,
): Graph {
	const graph = new GraphBuilder("decoder");
	const { hidden, heads, layers, vocabulary } = sizes;
	const decoder = new TinyDecoder(graph, sizes, random);
	const { width } = decoder;
	const token = graph.input("tokens", "int64", ["N", 1]);
	const places = anyPlaces ? "S" : placesMax;
	const past = ["k", "v"].map((it) =>
		graph.input(`in_n_layer_self_${it}_cache`, "float32", [
			layers,
			"N",
			places,
			heads,
			width,
		]),
	) as [Value, Value];
	const audio = ["k", "v"].map((it) =>
		graph.input(`n_layer_cross_${it}`, "float32", [layers, "N", "T", hidden]),
	) as [Value, Value];
	const offset = graph.input("offset", "int64", [1]);
	const count = graph.op("Add", [offset, graph.ints(1)]);
	const place = graph.op("Mul", [
		graph.op("Cast", [count], { to: 1 }),
		graph.float(pace.framesPerToken),
	]);
	const size = graph.dimension(past[0], 2);
	const unfilled = decoder.unfilled(count, size);
	// of [layers, 1, ...], the layer's own
	const ofLayer = (x: Value, layer: number) =>
		graph.op("Squeeze", [graph.slice(x, 0, layer, layer + 1), graph.ints(0)]);
	const inHeads = (x: Value) =>
		graph.op(
			"Transpose",
			[graph.op("Reshape", [x, graph.ints(1, -1, heads, width)])],
			{ perm: [0, 2, 1, 3] },
		);
	/** The past with a row replaced. */
	const written = (before: Value, row: Value) => {
		const head = graph.op("Slice", [
			before,
			graph.ints(0),
			offset,
			graph.ints(1),
		]);
		const tail = graph.op("Slice", [before, count, size, graph.ints(1)]);
		return graph.op("Concat", [head, row, tail], { axis: 1 });
	};
	let x = decoder.embedded(token);
	const next: [Value[], Value[]] = [[], []];
	for (let layer = 0; layer < layers; layer++) {
		const own = decoder.cacheOf(`${layer}/text`, x);
		const rows = [own.keys, own.values].map((it) =>
			graph.op("Transpose", [it], { perm: [0, 2, 1, 3] }),
		) as [Value, Value];
		const [keys, values] = past.map((it, i) =>
			written(ofLayer(it, layer), rows[i] as Value),
		) as [Value, Value];
		next[0].push(keys);
		next[1].push(values);
		const sound = audio.map((it) => inHeads(ofLayer(it, layer))) as [
			Value,
			Value,
		];
		x = decoder.layer(
			`${layer}`,
			x,
			{ keys: inHeads(keys), values: inHeads(values) },
			{ keys: sound[0], values: sound[1] },
			{ unfilled, place },
		);
	}
	const frames = graph.op("Cast", [graph.dimension(audio[0], 2)], { to: 1 });
	decoder.scores(x, place, frames, pace, "logits");
	graph.output("logits", "float32", ["N", 1, vocabulary]);
	for (const [i, it] of ["k", "v"].entries()) {
		const name = `out_n_layer_self_${it}_cache`;
		perLayer(graph, next[i] as Value[], name);
		graph.output(name, "float32", [layers, "N", places, heads, width]);
	}
	return graph.build();
}

export const tinyFireRed: FireRedForm = {
	sizes: tiny,
	symbols: fireRedSymbols,
	placesMax: 64,
	anyPlaces: false,
};

export function writeFireRed(
	folder: string,
	seed: number,
	form: FireRedForm = tinyFireRed,
): void {
	const random = randomOf(seed);
	const { sizes, symbols, placesMax } = form;
	const numbers = (of: (i: number) => number) =>
		Array.from({ length: mels }, (_, i) => of(i).toFixed(6)).join(",");
	writeFolder(
		folder,
		[
			{
				name: "encoder.int8.onnx",
				graph: encoderGraph(sizes, random),
				metadata: {
					model_type: "fire-red-asr-aed",
					version: 2,
					model_author: "FireRedTeam",
					cmvn_mean: numbers((i) => 11 + Math.sin(i)),
					cmvn_inv_stddev: numbers((i) => 0.25 + 0.02 * Math.cos(i)),
					num_decoder_layers: sizes.layers,
					num_head: sizes.heads,
					head_dim: sizes.hidden / sizes.heads,
					max_len: placesMax,
					sos: 3,
					eos: 4,
				},
			},
			{ name: "decoder.int8.onnx", graph: decoderGraph(form, random) },
		],
		symbols,
	);
}
