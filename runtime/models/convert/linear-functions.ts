/**
 * A layer with 8-bit weights as a function of the graph, in operators for which every CPU has kernels; devices that can compute it in one pass have a kernel
 * with its name (drivers/onnx/capi/kernels/ops/linear.c). Activations get one scale per row at run time: one scale per tensor (DynamicQuantizeMatMul) causes
 * four times the error in log-probabilities and is no faster; see docs/benchmarks/rejected.md.
 *
 * Inputs: x [..., K], weights [N / 64, K / 4, 64, 4] in 8 bits with outputs padded to a multiple of 64, scales [N], bias [N].
 */
import type { GraphBuilder, OwnFunction, Value } from "./graph-builder.js";
import { addEnding, type LayerUse } from "./numerics.js";

/** Outputs per panel, and consecutive inputs of each output in it. */
export const panelOutputs = 64;
export const groupInputs = 4;

/** Symmetric: codes 1 to 255 around 128. */
const plainZero = 128;
/** GELU is never below -0.17: a low zero point leaves most codes for positive values. */
const geluZero = 32;
const geluMin = -0.17;
const codeMax = 255;

export function linearFunction(use: LayerUse): OwnFunction {
	return {
		name: `${use.followsGelu ? "Gelu" : ""}Linear${use.endsInGelu ? "Gelu" : ""}`,
		inputs: ["x", "weights", "scales", "bias"],
		body: (graph, inputs) => [addLinear(graph, inputs as LinearInputs, use)],
	};
}

type LinearInputs = readonly [
	x: Value,
	weights: Value,
	scales: Value,
	bias: Value,
];

function addLinear(
	graph: GraphBuilder,
	[x, weights, scales, bias]: LinearInputs,
	use: LayerUse,
): Value {
	const zeroPoint = use.followsGelu ? geluZero : plainZero;
	const peak = use.followsGelu ? geluPeak(graph, x) : plainPeak(graph, x);
	const zero = graph.initializer(`zero_${zeroPoint}`, "uint8", [], () =>
		Uint8Array.of(zeroPoint),
	);
	const step = graph.float(1 / (codeMax - zeroPoint));
	const unit = graph.op("Div", [x, peak]); // a row of zeros: NaN, any code, times a peak of 0
	const codes = graph.op("QuantizeLinear", [unit, step, zero]);
	const [product] = graph.contrib("MatMulIntegerToFloat", [
		codes,
		addPlainWeights(graph, weights, scales),
		step,
		scales,
		zero,
	]);
	const scaled = graph.op("Mul", [product as Value, peak]);
	return addEnding(graph, graph.op("Sum", [scaled, bias]), use);
}

/** [K, N]: constant-folded when the graph is loaded. */
function addPlainWeights(
	graph: GraphBuilder,
	weights: Value,
	scales: Value,
): Value {
	const turned = graph.op("Transpose", [weights], { perm: [1, 3, 0, 2] });
	const panels = graph.dimension(weights, 0);
	const groups = graph.dimension(weights, 1);
	const dims = graph.op(
		"Concat",
		[
			graph.op("Mul", [groups, graph.ints(groupInputs)]),
			graph.op("Mul", [panels, graph.ints(panelOutputs)]),
		],
		{ axis: 0 },
	);
	const filled = graph.op("Reshape", [turned, dims]);
	const outputs = graph.op("Shape", [scales]);
	return graph.op("Slice", [filled, graph.ints(0), outputs, graph.ints(1)]);
}

function plainPeak(graph: GraphBuilder, x: Value): Value {
	return rowMax(graph, graph.op("Abs", [x]));
}

/** At least large enough that GELU's lowest value fits below the zero point. */
function geluPeak(graph: GraphBuilder, x: Value): Value {
	const least = (-geluMin / geluZero) * (codeMax - geluZero);
	return graph.op("Max", [rowMax(graph, x), graph.float(least)]);
}

function rowMax(graph: GraphBuilder, x: Value): Value {
	return graph.op("ReduceMax", [x, graph.ints(-1)], { keepdims: 1 });
}
