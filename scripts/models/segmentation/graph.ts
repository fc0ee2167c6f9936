/**
 * pyannote segmentation-3.0 (Plaquet and Bredin, 2023, "Powerset multi-class cross entropy loss for neural speaker diarization"; PyanNet: SincNet, four
 * bidirectional LSTMs, two linear layers) as a graph whose input is the sound itself.
 *
 * `wav` [B, N]: windows of equal length, mono, 16 kHz, [-1, 1]; the network was trained on 10 s. -> `classes` [B, F, 7]: for each frame of 270 samples how likely
 * nobody speaks, speaker 1, 2 or 3 of the window alone, 1 and 2, 1 and 3, 2 and 3 together.
 */
import {
	GraphBuilder,
	type Value,
} from "../../../runtime/models/convert/graph-builder.js";
import type { Graph } from "../../../runtime/models/convert/onnx-format.js";
import type { WeightSource } from "../../../runtime/models/convert/weights.js";
import { inOnnxOrder } from "../lstm-gates.js";
import { addSmallWeights } from "../small-weights.js";
import { filterTaps, sincFilters } from "./sinc-filters.js";

const filterStride = 10;
const hiddenSize = 128;
const lstmLayers = 4;
/** PyTorch's; for its normalisations and its LeakyReLU. */
const epsilon = 1e-5;
const leak = 0.01;

/** @throws SourceError when the checkpoint is of another model. */
export function segmentationGraph(source: WeightSource): Graph {
	const graph = new GraphBuilder("segmentation");
	const wav = graph.input("wav", "float32", ["B", "N"]);
	const one = graph.op("Unsqueeze", [wav, graph.ints(1)]);
	const level = addInstanceNormalisation(
		graph,
		source,
		one,
		"sincnet.wav_norm1d",
	);
	let x = addFilters(graph, source, level);
	x = addPooled(graph, source, x, 0);
	for (const layer of [1, 2]) {
		x = addConvolution(graph, source, x, `sincnet.conv1d.${layer}`);
		x = addPooled(graph, source, x, layer);
	}
	x = graph.op("Transpose", [x], { perm: [2, 0, 1] }); // [F, B, 60]
	for (let layer = 0; layer < lstmLayers; layer++)
		x = addLstm(graph, source, x, layer);
	for (const layer of [0, 1])
		x = addLeakyRelu(graph, addLinear(graph, source, x, `linear.${layer}`));
	const scores = addLinear(graph, source, x, "classifier");
	const batched = graph.op("Transpose", [scores], { perm: [1, 0, 2] });
	graph.op("Softmax", [batched], { axis: 2 }, "classes");
	graph.output("classes", "float32", ["B", "F", 7]);
	return graph.build();
}

/** [B, 1, N] -> [B, 80, T]: how much of each band there is. */
function addFilters(
	graph: GraphBuilder,
	source: WeightSource,
	x: Value,
): Value {
	const name = "sincnet.conv1d.0.filterbank";
	const [bands = 0] = source.dims(`${name}.low_hz_`);
	const filters = graph.floats("filters", [2 * bands, 1, filterTaps], () =>
		sincFilters(source, name),
	);
	return graph.op("Abs", [
		graph.op("Conv", [x, filters], {
			kernel_shape: [filterTaps],
			strides: [filterStride],
		}),
	]);
}

/** The largest of three, normalised over the window. */
function addPooled(
	graph: GraphBuilder,
	source: WeightSource,
	x: Value,
	layer: number,
): Value {
	const pooled = graph.op("MaxPool", [x], { kernel_shape: [3], strides: [3] });
	const name = `sincnet.norm1d.${layer}`;
	return addLeakyRelu(
		graph,
		addInstanceNormalisation(graph, source, pooled, name),
	);
}

function addInstanceNormalisation(
	graph: GraphBuilder,
	source: WeightSource,
	x: Value,
	name: string,
): Value {
	return graph.op(
		"InstanceNormalization",
		[
			x,
			addVector(graph, source, `${name}.weight`),
			addVector(graph, source, `${name}.bias`),
		],
		{ epsilon: { float: epsilon } },
	);
}

function addConvolution(
	graph: GraphBuilder,
	source: WeightSource,
	x: Value,
	name: string,
): Value {
	const weights = addWeights(graph, source, name);
	const bias = addVector(graph, source, `${name}.bias`);
	return graph.op("Conv", [x, weights, bias], {
		kernel_shape: source.dims(`${name}.weight`).slice(2),
	});
}

function addLeakyRelu(graph: GraphBuilder, x: Value): Value {
	return graph.op("LeakyRelu", [x], { alpha: { float: leak } });
}

/** [F, B, in] -> [F, B, out] */
function addLinear(
	graph: GraphBuilder,
	source: WeightSource,
	x: Value,
	name: string,
): Value {
	const weights = addWeights(graph, source, name);
	const product = graph.op("MatMul", [
		x,
		graph.op("Transpose", [weights], { perm: [1, 0] }),
	]);
	const bias = addVector(graph, source, `${name}.bias`);
	return graph.op("Add", [product, bias]);
}

/** [F, B, in] -> [F, B, 256]: forwards and backwards. */
function addLstm(
	graph: GraphBuilder,
	source: WeightSource,
	x: Value,
	layer: number,
): Value {
	const both = (part: string) => {
		const name = `lstm.${part}_l${layer}`;
		return [name, `${name}_reverse`].map((it) =>
			inOnnxOrder(source.read(it).values),
		);
	};
	const weights = (part: string) => {
		const name = `lstm.${part}_l${layer}`;
		const dims = [2, ...source.dims(name)];
		return addSmallWeights(graph, name, dims, () => joined(both(part)), 2);
	};
	const biases = graph.floats(
		`lstm.bias_l${layer}`,
		[2, 8 * hiddenSize],
		() => {
			const [input, inputBack] = both("bias_ih") as [
				Float32Array,
				Float32Array,
			];
			const [own, ownBack] = both("bias_hh") as [Float32Array, Float32Array];
			return joined([input, own, inputBack, ownBack]);
		},
	);
	const [hidden] = graph.ops(
		"LSTM",
		[x, weights("weight_ih"), weights("weight_hh"), biases],
		1,
		{ hidden_size: hiddenSize, direction: "bidirectional" },
	) as [Value];
	// [F, 2, B, 128]
	const beside = graph.op("Transpose", [hidden], { perm: [0, 2, 1, 3] });
	return graph.op("Reshape", [beside, graph.ints(0, 0, 2 * hiddenSize)]);
}

function addWeights(
	graph: GraphBuilder,
	source: WeightSource,
	name: string,
): Value {
	const weight = `${name}.weight`;
	const values = () => source.read(weight).values;
	return addSmallWeights(graph, name, source.dims(weight), values);
}

function addVector(
	graph: GraphBuilder,
	source: WeightSource,
	name: string,
): Value {
	return graph.floats(name, source.dims(name), () => source.read(name).values);
}

function joined(parts: readonly Float32Array[]): Float32Array {
	const whole = new Float32Array(parts.reduce((sum, it) => sum + it.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}
