/**
 * A layer of 8-bit weights as a function of the graph, in operators that every CPU has kernels for; devices that can do it in one pass have a kernel by its
 * name (drivers/onnx/capi/kernels/ops/linear.c). Activations get one scale per row, found while running: one for a whole tensor (DynamicQuantizeMatMul) costs
 * four times the error in log-probabilities and is no faster; see docs/benchmarks/rejected.md.
 *
 * Inputs: x [..., K], weights [N / 64, K / 4, 64, 4] in 8 bits with outputs filled up to 64, scales [N], bias [N].
 */
import type { GraphBuilder, OwnFunction, Value } from "./graph-builder.js";
import { addEnding, type LayerUse } from "./numerics.js";

/** Outputs that lie side by side, and inputs of each. */
export const panelOutputs = 64;
export const groupInputs = 4;

/** Symmetric: codes 1 to 255 around 128. */
const plainZero = 128;
/** GELU is never below -0.17: a low zero point leaves most codes to what is above. */
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

/** [K, N]: found once, when the graph is loaded. */
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

/** Large enough that GELU's lowest value fits below the zero point. */
function geluPeak(graph: GraphBuilder, x: Value): Value {
	const least = (-geluMin / geluZero) * (codeMax - geluZero);
	return graph.op("Max", [rowMax(graph, x), graph.float(least)]);
}

function rowMax(graph: GraphBuilder, x: Value): Value {
	return graph.op("ReduceMax", [x, graph.ints(-1)], { keepdims: 1 });
}
