/**
 * Silero VAD as a graph that takes many windows at once. The published one takes one window a run and asks at each what sampling rate it has; but only
 * its LSTM needs the windows in order, everything before is the same for each: convolutions over a handful of frames, here as products over taps laid side by
 * side for all windows together. Same weights, answers equal to 1e-5.
 *
 * `input` [N, 576]: N windows in order, each 512 samples behind the last 64 of the window before. `state` [2, 1, 128]: hidden and cell.
 * -> `output` [N, 1]: probability of speech. `stateN`: for the next windows.
 */
import {
	GraphBuilder,
	none,
	type Value,
} from "../../../runtime/models/convert/graph-builder.js";
import {
	tapsSideBySide,
	transposed,
} from "../../../runtime/models/convert/linear.js";
import type { Graph } from "../../../runtime/models/convert/onnx-format.js";
import { inOnnxOrder } from "../lstm-gates.js";
import type { PublishedName, PublishedWeights } from "./published-weights.js";

const hiddenSize = 128;
const frequencies = 129;
const fftSize = 256;
const hop = 128;
const frames = 4;
/** Mirrored at the end, so that the last frame is whole. */
const mirrored = 64;
/** Of a convolution, and frames of silence at either end. */
const taps = 3;
const padding = 1;

export function sileroGraph(weights: PublishedWeights): Graph {
	const graph = new GraphBuilder("silero-vad");
	const input = graph.input("input", "float32", ["N", 576]);
	const state = graph.input("state", "float32", [2, 1, hiddenSize]);
	let x = addMagnitudes(graph, weights, input);
	let positions = frames;
	for (const [layer, stride] of [1, 2, 2, 1].entries())
		[x, positions] = addConvolution(graph, weights, x, {
			name: `encoder.${layer as 0 | 1 | 2 | 3}.reparam_conv`,
			positions,
			stride,
		});
	const hidden = addMemory(graph, weights, x, state);
	const answers = addProduct(
		graph,
		graph.op("Relu", [
			graph.op("Reshape", [hidden, graph.ints(-1, hiddenSize)]),
		]),
		weights,
		"decoder.decoder.2",
		[0],
	);
	graph.op("Sigmoid", [answers], {}, "output");
	graph.output("output", "float32", ["N", 1]);
	graph.output("stateN", "float32", [2, 1, hiddenSize]);
	return graph.build();
}

/** [N, 576] -> magnitudes of the short-time spectrum [N, 4, 129]. */
function addMagnitudes(
	graph: GraphBuilder,
	weights: PublishedWeights,
	input: Value,
): Value {
	const padded = graph.op(
		"Pad",
		[input, graph.ints(0, mirrored), none, graph.ints(1)],
		{ mode: "reflect" },
	);
	const parts = Array.from({ length: frames }, (_, i) =>
		graph.slice(padded, 1, i * hop, i * hop + fftSize),
	);
	const side = graph.op("Concat", parts, { axis: 1 });
	const framed = graph.op("Reshape", [side, graph.ints(-1, frames, fftSize)]);
	const { values } = weights["stft.forward_basis_buffer"];
	const basis = graph.floats("basis", [fftSize, 2 * frequencies], () =>
		transposed(values, 2 * frequencies, fftSize),
	);
	const [real, imaginary] = graph.ops(
		"Split",
		[graph.op("MatMul", [framed, basis]), graph.ints(frequencies, frequencies)],
		2,
		{ axis: 2 },
	) as [Value, Value];
	const power = graph.op("Add", [
		graph.op("Mul", [real, real]),
		graph.op("Mul", [imaginary, imaginary]),
	]);
	return graph.op("Sqrt", [power]);
}

type Convolution = {
	readonly name: `encoder.${0 | 1 | 2 | 3}.reparam_conv`;
	readonly positions: number;
	readonly stride: number;
};

/**
 * Three taps and a ReLU: [N, positions, channels] -> [N, fewer positions, channels]. Taps that only ever read the silence at the ends are left out.
 */
function addConvolution(
	graph: GraphBuilder,
	weights: PublishedWeights,
	x: Value,
	{ name, positions, stride }: Convolution,
): readonly [x: Value, positions: number] {
	const [, channels = 0] = weights[`${name}.weight`].dims;
	const fewer = Math.floor((positions + 2 * padding - taps) / stride) + 1;
	const flat = graph.op("Reshape", [x, graph.ints(-1, positions * channels)]);
	const silence = padding * channels;
	const padded = graph.op("Pad", [
		flat,
		graph.ints(silence, silence),
		none,
		graph.ints(1),
	]);
	const used = [...Array(taps).keys()].filter((tap) =>
		Array.from({ length: fewer }, (_, i) => i * stride + tap - padding).some(
			(position) => position >= 0 && position < positions,
		),
	);
	const first = used[0] as number;
	const width = used.length * channels;
	const parts = Array.from({ length: fewer }, (_, i) => {
		const start = (i * stride + first) * channels;
		return graph.slice(padded, 1, start, start + width);
	});
	const side =
		parts.length > 1
			? graph.op("Concat", parts, { axis: 1 })
			: (parts[0] as Value);
	const laid = graph.op("Reshape", [side, graph.ints(-1, fewer, width)]);
	const product = addProduct(graph, laid, weights, name, used);
	return [graph.op("Relu", [product]), fewer];
}

/** x [..., taps * channels] -> [..., outputs], with these of a convolution's taps. */
function addProduct(
	graph: GraphBuilder,
	x: Value,
	weights: PublishedWeights,
	name: Convolution["name"] | "decoder.decoder.2",
	used: readonly number[],
): Value {
	const { dims, values } = weights[`${name}.weight`];
	const [outputs = 0, channels = 0, all = 0] = dims;
	const laid = graph.floats(
		`${name}/weight`,
		[used.length * channels, outputs],
		() => {
			const side = tapsSideBySide(values, [outputs, channels, all], used);
			return transposed(side, outputs, used.length * channels);
		},
	);
	const bias = graph.floats(
		`${name}/bias`,
		[outputs],
		() => weights[`${name}.bias`].values,
	);
	return graph.op("Add", [graph.op("MatMul", [x, laid]), bias]);
}

/** [N, 1, 128] -> the LSTM's hidden state after each window [N, 1, 1, 128]. */
function addMemory(
	graph: GraphBuilder,
	weights: PublishedWeights,
	x: Value,
	state: Value,
): Value {
	const [hidden, cell] = graph.ops("Split", [state, graph.ints(1, 1)], 2, {
		axis: 0,
	}) as [Value, Value];
	const gates = (name: PublishedName) => inOnnxOrder(weights[name].values);
	const square = [1, 4 * hiddenSize, hiddenSize];
	const [every, lastHidden, lastCell] = graph.ops(
		"LSTM",
		[
			x,
			graph.floats("lstm/input", square, () => gates("decoder.rnn.weight_ih")),
			graph.floats("lstm/hidden", square, () => gates("decoder.rnn.weight_hh")),
			graph.floats("lstm/bias", [1, 8 * hiddenSize], () => {
				const both = new Float32Array(8 * hiddenSize);
				both.set(gates("decoder.rnn.bias_ih"));
				both.set(gates("decoder.rnn.bias_hh"), 4 * hiddenSize);
				return both;
			}),
			none, // all sequences are whole
			hidden,
			cell,
		],
		3,
		{ hidden_size: hiddenSize },
	) as [Value, Value, Value];
	graph.op("Concat", [lastHidden, lastCell], { axis: 0 }, "stateN");
	return every;
}
