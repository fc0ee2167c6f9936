/**
 * 8-bit integer products: weights with one scale per output channel, activations with one scale per row, found while running.
 * One scale for a whole activation tensor (DynamicQuantizeMatMul) costs four times the error in log-probabilities and is no faster; see BENCHMARKS.md.
 * Standard operators and MatMulIntegerToFloat only, which every CPU has kernels for.
 */
import { bytesOf, type GraphBuilder, type Value } from "./graph-builder.js";
import { type Linear, transposed } from "./linear.js";
import { addBias, type InputKind, type Numerics } from "./numerics.js";
import { elementTypes } from "./onnx-format.js";
import { quantizeRows } from "./quantize.js";

/** An activation in 8 bits: value = (codes - zero) * step * peak. */
type Quantized = {
	readonly codes: Value;
	/** [..., 1] */
	readonly peak: Value;
	readonly step: Value;
	readonly zero: Value;
};

/** Symmetric: codes 1 to 255 around 128. */
const plainZero = 128;
/** GELU is never below -0.17: a low zero point leaves most codes to what is above. */
const geluZero = 32;
const geluMin = -0.17;
const codeMax = 255;

export class RowNumerics implements Numerics {
	/** Layers that read the same activation share its codes. */
	private readonly quantized = new Map<Value, Quantized>();

	linear(
		graph: GraphBuilder,
		x: Value,
		linear: Linear,
		input: InputKind = "plain",
	): Value {
		const { codes, peak, step, zero } = this.activation(graph, x, input);
		const { weights, scales } = this.weights(graph, linear);
		const [product] = graph.contrib("MatMulIntegerToFloat", [
			codes,
			weights,
			step,
			scales,
			zero,
		]);
		const scaled = graph.op("Mul", [product as Value, peak]);
		return addBias(graph, scaled, linear);
	}

	gatherRows(graph: GraphBuilder, ids: Value, linear: Linear): Value {
		const { weights, scales } = this.weights(graph, linear);
		const codes = graph.op("Gather", [weights, ids], { axis: 1 });
		const floats = graph.op("Cast", [codes], { to: elementTypes.float32 });
		const turned = graph.op("Transpose", [floats], { perm: [1, 2, 0] });
		const scale = graph.op("Gather", [scales, ids]);
		return graph.op("Mul", [
			turned,
			graph.op("Unsqueeze", [scale, graph.ints(-1)]),
		]);
	}

	/** weights [columns, rows], scales [rows] */
	private weights(graph: GraphBuilder, linear: Linear) {
		const { name, rows, columns } = linear;
		const quantized = () => quantizeRows(linear.weights(), rows);
		const turned = () => transposed(quantized().values, rows, columns);
		const dims = [columns, rows];
		return {
			weights: graph.initializer(`${name}/weight`, "int8", dims, () =>
				bytesOf(turned()),
			),
			scales: graph.floats(`${name}/scale`, [rows], () => quantized().scales),
		};
	}

	private activation(
		graph: GraphBuilder,
		x: Value,
		input: InputKind,
	): Quantized {
		const known = this.quantized.get(x);
		if (known) return known;
		const zeroPoint = input === "gelu" ? geluZero : plainZero;
		const peak = input === "gelu" ? geluPeak(graph, x) : plainPeak(graph, x);
		const zero = graph.initializer(`zero_${zeroPoint}`, "uint8", [], () =>
			Uint8Array.of(zeroPoint),
		);
		const step = graph.float(1 / (codeMax - zeroPoint));
		const unit = graph.op("Div", [x, peak]); // a row of zeros: NaN, any code, times a peak of 0
		const codes = graph.op("QuantizeLinear", [unit, step, zero]);
		const made = { codes, peak, step, zero };
		this.quantized.set(x, made);
		return made;
	}
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
