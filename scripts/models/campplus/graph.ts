/**
 * CAM++ (Wang et al., 2023, arXiv 2303.00332; 3D-Speaker's "common advanced" of 192 dimensions) as a graph whose input is the sound itself.
 *
 * `wav` [B, N]: windows of equal length, mono, 16 kHz, [-1, 1]; 400 to 32,399 samples. -> `emb` [B, 192]: a voice's place, not of length 1 yet.
 *
 * The network looks at the mean over the window and the mean over each 100 of its frames (one every 20 ms). Up to two seconds both are the same, so there
 * is one context for a window instead of one for each frame: longer windows are none of this graph's.
 */
import {
	GraphBuilder,
	type Value,
} from "../../../runtime/models/convert/graph-builder.js";
import {
	elementTypes,
	type Graph,
} from "../../../runtime/models/convert/onnx-format.js";
import type { WeightSource } from "../../../runtime/models/convert/weights.js";
import {
	bins,
	energyMin,
	frameSamples,
	hopSamples,
	melMatrix,
	mels,
	spectrumMatrix,
} from "./front-end.js";
import {
	addConvolution,
	addNormalisedRelu,
	normalisationOf,
} from "./layers.js";

/** Frames of the context, after the network's own step of two, times that step; and what the last frame needs beyond its hop. */
export const windowSamplesMax = frameSamples + 199 * hopSamples + 159;
export const embeddingSize = 192;

const headChannels = 32;
/** Layers and dilation of each block. */
const blocks = [
	{ layers: 12, dilation: 1 },
	{ layers: 24, dilation: 2 },
	{ layers: 16, dilation: 2 },
] as const;

/** @throws SourceError when the checkpoint is of another model. */
export function campplusGraph(source: WeightSource): Graph {
	const graph = new GraphBuilder("campplus");
	const wav = graph.input("wav", "float32", ["B", "N"]);
	let x = addHead(graph, source, addFeatures(graph, wav));
	x = addNormalised(graph, source, x, {
		name: "xvector.tdnn.linear",
		normalisation: "xvector.tdnn.nonlinear.batchnorm",
		strides: [2],
		pads: [2, 2],
	});
	for (const [index, { layers, dilation }] of blocks.entries()) {
		const block = `xvector.block${index + 1}`;
		for (let layer = 1; layer <= layers; layer++)
			x = addDenseLayer(graph, source, x, `${block}.tdnnd${layer}`, dilation);
		const name = `xvector.transit${index + 1}`;
		x = addNormalisedRelu(graph, source, x, `${name}.nonlinear.batchnorm`);
		x = addConvolution(graph, source, x, { name: `${name}.linear` });
	}
	x = addNormalisedRelu(graph, source, x, "xvector.out_nonlinear.batchnorm");
	addEmbedding(graph, source, addStatistics(graph, x));
	graph.output("emb", "float32", ["B", embeddingSize]);
	return graph.build();
}

/** wav [B, N] -> [B, 80, T]: log energies, each mel without its mean over the window. */
function addFeatures(graph: GraphBuilder, wav: Value): Value {
	const spectrum = graph.op(
		"Conv",
		[
			graph.op("Unsqueeze", [wav, graph.ints(1)]),
			graph.floats("spectrum", [2 * bins, 1, frameSamples], spectrumMatrix),
		],
		{ kernel_shape: [frameSamples], strides: [hopSamples] },
	);
	const squares = graph.op("Mul", [spectrum, spectrum]);
	const [real, imaginary] = graph.ops(
		"Split",
		[squares, graph.ints(bins, bins)],
		2,
		{ axis: 1 },
	) as [Value, Value];
	const energies = graph.op("MatMul", [
		graph.floats("mels", [mels, bins], melMatrix),
		graph.op("Add", [real, imaginary]),
	]);
	const logs = graph.op("Log", [
		graph.op("Max", [energies, graph.float(energyMin)]),
	]);
	return graph.op("Sub", [logs, addMean(graph, logs)]);
}

/** [B, 80, T] -> [B, 320, T]: a small residual network over time and frequency. */
function addHead(
	graph: GraphBuilder,
	source: WeightSource,
	features: Value,
): Value {
	const square = { pads: [1, 1, 1, 1] };
	let x = graph.op("Unsqueeze", [features, graph.ints(1)]);
	x = addNormalised(graph, source, x, {
		name: "head.conv1",
		normalisation: "head.bn1",
		...square,
	});
	for (const [layer, stride] of [
		["layer1.0", 2],
		["layer1.1", 1],
		["layer2.0", 2],
		["layer2.1", 1],
	] as const)
		x = addResidual(graph, source, x, `head.${layer}`, stride);
	x = addNormalised(graph, source, x, {
		name: "head.conv2",
		normalisation: "head.bn2",
		strides: [2, 1],
		...square,
	});
	// channels and what is left of the frequencies, side by side
	return graph.op("Reshape", [x, graph.ints(0, (headChannels * mels) / 8, -1)]);
}

function addResidual(
	graph: GraphBuilder,
	source: WeightSource,
	x: Value,
	name: string,
	stride: number,
): Value {
	const strides = [stride, 1];
	const pads = [1, 1, 1, 1];
	const first = addNormalised(graph, source, x, {
		name: `${name}.conv1`,
		normalisation: `${name}.bn1`,
		strides,
		pads,
	});
	const second = addConvolution(graph, source, first, {
		name: `${name}.conv2`,
		normalisation: normalisationOf(source, `${name}.bn2`),
		pads,
	});
	const beside =
		stride === 1
			? x
			: addConvolution(graph, source, x, {
					name: `${name}.shortcut.0`,
					normalisation: normalisationOf(source, `${name}.shortcut.1`),
					strides,
				});
	return graph.op("Relu", [graph.op("Add", [second, beside])]);
}

/** x [B, C, T] -> [B, C + 32, T]: a narrow look at the neighbours, weighed by the context. */
function addDenseLayer(
	graph: GraphBuilder,
	source: WeightSource,
	x: Value,
	name: string,
	dilation: number,
): Value {
	const before = addNormalisedRelu(
		graph,
		source,
		x,
		`${name}.nonlinear1.batchnorm`,
	);
	const narrow = addNormalised(graph, source, before, {
		name: `${name}.linear1`,
		normalisation: `${name}.nonlinear2.batchnorm`,
	});
	const local = addConvolution(graph, source, narrow, {
		name: `${name}.cam_layer.linear_local`,
		pads: [dilation, dilation],
		dilations: [dilation],
	});
	const context = graph.op("Relu", [
		addConvolution(graph, source, addMean(graph, narrow), {
			name: `${name}.cam_layer.linear1`,
			weightFactor: 2, // the window's mean and its only segment's are the same
		}),
	]);
	const mask = graph.op("Sigmoid", [
		addConvolution(graph, source, context, {
			name: `${name}.cam_layer.linear2`,
		}),
	]);
	const weighed = graph.op("Mul", [local, mask]);
	return graph.op("Concat", [x, weighed], { axis: 1 });
}

/** [B, C, T] -> [B, 2 C, 1]: mean and deviation over time. */
function addStatistics(graph: GraphBuilder, x: Value): Value {
	const mean = addMean(graph, x);
	const away = graph.op("Sub", [x, mean]);
	const squares = graph.op("ReduceSum", [
		graph.op("Mul", [away, away]),
		graph.ints(2),
	]);
	const frames = graph.op("Cast", [graph.dimension(x, 2)], {
		to: elementTypes.float32,
	});
	const fewer = graph.op("Max", [
		graph.op("Sub", [frames, graph.float(1)]),
		graph.float(1),
	]);
	const deviation = graph.op("Sqrt", [graph.op("Div", [squares, fewer])]);
	return graph.op("Concat", [mean, deviation], { axis: 1 });
}

/** [B, 1024, 1] -> `emb` [B, 192] */
function addEmbedding(
	graph: GraphBuilder,
	source: WeightSource,
	statistics: Value,
): void {
	const column = addConvolution(graph, source, statistics, {
		name: "xvector.dense.linear",
		normalisation: normalisationOf(source, "xvector.dense.nonlinear.batchnorm"),
	});
	graph.op("Squeeze", [column, graph.ints(2)], {}, "emb");
}

function addMean(graph: GraphBuilder, x: Value): Value {
	return graph.op("ReduceMean", [x, graph.ints(2)]); // keeps the axis
}

type Normalised = {
	readonly name: string;
	readonly normalisation: string;
	readonly strides?: readonly number[];
	readonly pads?: readonly number[];
};

/** Convolution, normalisation, Relu. */
function addNormalised(
	graph: GraphBuilder,
	source: WeightSource,
	x: Value,
	layer: Normalised,
): Value {
	const normalisation = normalisationOf(source, layer.normalisation);
	const sum = addConvolution(graph, source, x, { ...layer, normalisation });
	return graph.op("Relu", [sum]);
}
