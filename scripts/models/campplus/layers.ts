/**
 * Convolutions and batch normalisations of a checkpoint as nodes of a graph: what can be multiplied out beforehand is.
 */
import type {
	GraphBuilder,
	Value,
} from "../../../runtime/models/convert/graph-builder.js";
import type { WeightSource } from "../../../runtime/models/convert/weights.js";
import { addSmallWeights } from "../small-weights.js";

/** PyTorch's. */
const epsilon = 1e-5;
/** `y = x * factor + offset`, for each channel. */
export interface Normalisation {
	readonly factor: Float32Array;
	readonly offset: Float32Array;
}

/** A batch normalisation with its running statistics, with or without a scale and shift of its own. */
export function normalisationOf(
	source: WeightSource,
	name: string,
): Normalisation {
	const values = (part: string) => source.read(`${name}.${part}`).values;
	const mean = values("running_mean");
	const variance = values("running_var");
	const hasOwn = source.has(`${name}.weight`);
	const scale = hasOwn ? values("weight") : mean.map(() => 1);
	const shift = hasOwn ? values("bias") : mean.map(() => 0);
	const factor = variance.map(
		(it, i) => (scale[i] as number) / Math.sqrt(it + epsilon),
	);
	const offset = shift.map(
		(it, i) => it - (mean[i] as number) * (factor[i] as number),
	);
	return { factor, offset };
}

export interface Convolution {
	/** The checkpoint's name, without ".weight". */
	readonly name: string;
	/** Follows at once, so it goes into the weights. */
	readonly normalisation?: Normalisation;
	/** All weights times this: exact where it is a power of two. */
	readonly weightFactor?: number;
	readonly strides?: readonly number[];
	readonly pads?: readonly number[];
	readonly dilations?: readonly number[];
}

export function addConvolution(
	graph: GraphBuilder,
	source: WeightSource,
	x: Value,
	convolution: Convolution,
): Value {
	const { name, strides, pads, dilations } = convolution;
	const dims = source.dims(`${name}.weight`);
	const inputs = [x, addWeights(graph, source, dims, convolution)];
	const bias = biasOf(source, convolution);
	if (bias) inputs.push(graph.floats(`${name}.b`, [bias.length], () => bias));
	return graph.op("Conv", inputs, {
		kernel_shape: dims.slice(2),
		...(strides && { strides }),
		...(pads && { pads }),
		...(dilations && { dilations }),
	});
}

/** `Relu(x * factor + offset)`, where it can't go into weights: x [B, channels, T]. */
export function addNormalisedRelu(
	graph: GraphBuilder,
	source: WeightSource,
	x: Value,
	name: string,
): Value {
	const { factor, offset } = normalisationOf(source, name);
	const dims = [1, factor.length, 1];
	const scaled = graph.op("Mul", [
		x,
		graph.floats(`${name}.factor`, dims, () => factor),
	]);
	const moved = graph.op("Add", [
		scaled,
		graph.floats(`${name}.offset`, dims, () => offset),
	]);
	return graph.op("Relu", [moved]);
}

function addWeights(
	graph: GraphBuilder,
	source: WeightSource,
	dims: readonly number[],
	convolution: Convolution,
): Value {
	const { name } = convolution;
	return addSmallWeights(graph, name, dims, () =>
		foldedWeights(source, dims, convolution),
	);
}

function foldedWeights(
	source: WeightSource,
	dims: readonly number[],
	{ name, normalisation, weightFactor = 1 }: Convolution,
): Float32Array {
	const { values } = source.read(`${name}.weight`);
	const perRow = values.length / (dims[0] as number);
	return values.map((value, i) => {
		const factor = normalisation?.factor[Math.floor(i / perRow)] ?? 1;
		return value * factor * weightFactor;
	});
}

function biasOf(
	source: WeightSource,
	{ name, normalisation }: Convolution,
): Float32Array | undefined {
	const bias = source.has(`${name}.bias`)
		? source.read(`${name}.bias`).values
		: undefined;
	if (!normalisation) return bias;
	const { factor, offset } = normalisation;
	return offset.map((it, i) => it + (bias?.[i] ?? 0) * (factor[i] as number));
}
