/**
 * Silero VAD as a graph that takes many windows at once. The published one takes one window a run and asks at each what sampling rate it has; but only
 * its LSTM needs the windows in order, everything before is the same for each. Same weights, answers equal to 1e-6; about half the time for one
 * window and a third for many.
 *
 * `input` [N, 576]: N windows in order, each 512 samples behind the last 64 of the window before. `state` [2, 1, 128]: hidden and cell.
 * -> `output` [N, 1]: probability of speech. `stateN`: for the next windows.
 */
import { bytesOf, GraphBuilder, none, type Value } from "../graph-builder.js";
import type { Graph } from "../onnx-format.js";
import type { PublishedName, PublishedWeights } from "./published-weights.js";

const hiddenSize = 128;
const frequencies = 129;
const fftSize = 256;
const hop = 128;
/** Mirrored at the end, so that the last frame is whole. */
const mirrored = 64;
const strides = [1, 2, 2, 1] as const;

export function sileroGraph(weights: PublishedWeights): Graph {
	const graph = new GraphBuilder("silero-vad");
	const input = graph.input("input", "float32", ["N", 576]);
	const state = graph.input("state", "float32", [2, 1, hiddenSize]);
	const constant = (name: PublishedName) =>
		graph.initializer(name, "float32", weights[name].dims, () =>
			bytesOf(weights[name].values),
		);
	let x = addMagnitudes(graph, input, constant("stft.forward_basis_buffer"));
	for (const [layer, stride] of strides.entries()) {
		const name = `encoder.${layer as 0 | 1 | 2 | 3}.reparam_conv` as const;
		x = graph.op(
			"Conv",
			[x, constant(`${name}.weight`), constant(`${name}.bias`)],
			{ kernel_shape: [3], pads: [1, 1], strides: [stride] },
		);
		x = graph.op("Relu", [x]);
	}
	const hidden = addMemory(graph, weights, x, state);
	const flat = graph.op("Reshape", [
		graph.op("Relu", [hidden]),
		graph.ints(-1, hiddenSize, 1),
	]);
	const answers = graph.op("Conv", [
		flat,
		constant("decoder.decoder.2.weight"),
		constant("decoder.decoder.2.bias"),
	]);
	const column = graph.op("Reshape", [answers, graph.ints(-1, 1)]);
	graph.op("Sigmoid", [column], {}, "output");
	graph.output("output", "float32", ["N", 1]);
	graph.output("stateN", "float32", [2, 1, hiddenSize]);
	return graph.build();
}

/** [N, 576] -> magnitudes of the short-time spectrum [N, 129, 4]. */
function addMagnitudes(graph: GraphBuilder, input: Value, basis: Value): Value {
	const padded = graph.op(
		"Pad",
		[input, graph.ints(0, mirrored), none, graph.ints(1)],
		{ mode: "reflect" },
	);
	const channel = graph.op("Unsqueeze", [padded, graph.ints(1)]);
	const spectrum = graph.op("Conv", [channel, basis], {
		kernel_shape: [fftSize],
		strides: [hop],
	});
	const [real, imaginary] = graph.ops(
		"Split",
		[spectrum, graph.ints(frequencies, frequencies)],
		2,
		{ axis: 1 },
	) as [Value, Value];
	const power = graph.op("Add", [
		graph.op("Mul", [real, real]),
		graph.op("Mul", [imaginary, imaginary]),
	]);
	return graph.op("Sqrt", [power]);
}

/** [N, 128, 1] -> the LSTM's hidden state after each window [N, 1, 1, 128]. */
function addMemory(
	graph: GraphBuilder,
	weights: PublishedWeights,
	x: Value,
	state: Value,
): Value {
	const sequence = graph.op("Transpose", [x], { perm: [0, 2, 1] });
	const [hidden, cell] = graph.ops("Split", [state, graph.ints(1, 1)], 2, {
		axis: 0,
	}) as [Value, Value];
	const gates = (name: PublishedName) => inOnnxOrder(weights[name].values);
	const square = [1, 4 * hiddenSize, hiddenSize];
	const [every, lastHidden, lastCell] = graph.ops(
		"LSTM",
		[
			sequence,
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

/** PyTorch's gates are input, forget, cell, output; ONNX's input, output, forget, cell. */
function inOnnxOrder(values: Float32Array): Float32Array {
	const size = values.length / 4;
	const gate = (index: number) =>
		values.subarray(index * size, (index + 1) * size);
	const ordered = new Float32Array(values.length);
	for (const [to, from] of [0, 3, 1, 2].entries())
		ordered.set(gate(from), to * size);
	return ordered;
}
