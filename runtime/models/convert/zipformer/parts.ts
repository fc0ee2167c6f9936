/** Parts of a zipformer that occur in many places. */

import type { GraphBuilder, Value } from "../graph-builder.js";
import { elementTypes } from "../onnx-format.js";
import type { Matrix, Norm } from "./exported-weights.js";

export const endless = Number.MAX_SAFE_INTEGER;

/** x [rows, inputs] -> [rows, outputs] */
export function addMatrix(
	graph: GraphBuilder,
	x: Value,
	name: string,
	{ inputs, outputs, weights, bias }: Matrix,
): Value {
	const matrix = graph.floats(
		`${name}.weight`,
		[inputs, outputs],
		() => weights,
	);
	const added = graph.floats(`${name}.bias`, [outputs], () => bias);
	return graph.op("Gemm", [x, matrix, added]);
}

/** x / sqrt(mean((x - bias)²)) * scale */
export function addNorm(
	graph: GraphBuilder,
	x: Value,
	name: string,
	{ bias, scale }: Norm,
): Value {
	const center = graph.floats(`${name}.bias`, [bias.length], () => bias);
	const moved = graph.op("Sub", [x, center]);
	const squares = graph.op("Mul", [moved, moved]);
	const mean = graph.op("ReduceMean", [squares, graph.ints(-1)]);
	const root = graph.op("Sqrt", [
		graph.op("Mul", [mean, graph.float(1 / scale ** 2)]),
	]);
	return graph.op("Div", [x, root]);
}

/** from + (to - from) * scale */
export function addBypass(
	graph: GraphBuilder,
	from: Value,
	to: Value,
	name: string,
	scale: Float32Array,
): Value {
	const weights = graph.floats(name, [scale.length], () => scale);
	const change = graph.op("Mul", [graph.op("Sub", [to, from]), weights]);
	return graph.op("Add", [from, change]);
}

/** The weighted sums of `weights.length` rows each: [rows, width] -> [rows / length, width]. */
export function addJoined(
	graph: GraphBuilder,
	x: Value,
	weights: Float32Array,
	width: number,
	name: string,
): Value {
	const { length } = weights;
	const groups = graph.op("Reshape", [x, graph.ints(-1, length, width)]);
	const factors = graph.floats(name, [length, 1], () => weights);
	const weighted = graph.op("Mul", [groups, factors]);
	return graph.op("ReduceSum", [weighted, graph.ints(1)], { keepdims: 0 });
}

/** For each chunk, the rows of a sequence that it sees: `left` before it and its own. [chunks, left + chunk] */
export function addWindows(
	graph: GraphBuilder,
	chunks: Value,
	left: number,
	chunk: number,
): Value {
	const int = (value: number) =>
		graph.initializer(
			`int_${value}`,
			"int64",
			[],
			() => new Uint8Array(BigInt64Array.of(BigInt(value)).buffer),
		);
	const count = graph.op("Squeeze", [chunks]);
	const numbers = graph.op("Range", [int(0), count, int(1)]);
	const starts = graph.op("Mul", [numbers, int(chunk)]);
	const column = graph.op("Unsqueeze", [starts, graph.ints(1)]);
	const window = graph.initializer(
		`window_${left + chunk}`,
		"int64",
		[left + chunk],
		() =>
			new Uint8Array(
				BigInt64Array.from({ length: left + chunk }, (_, i) => BigInt(i))
					.buffer,
			),
	);
	return graph.op("Add", [column, window]);
}

/** The graph's state `name`, followed by new rows; its next value is the end of both. [rows, width] */
export function addHistory(
	graph: GraphBuilder,
	name: string,
	rows: Value,
	length: number,
	width: number,
): Value {
	const state = graph.input(name, "float32", [length, width]);
	const all = graph.op("Concat", [state, rows], { axis: 0 });
	const next = `new_${name}`;
	graph.op(
		"Slice",
		[all, graph.ints(-length), graph.ints(endless), graph.ints(0)],
		{},
		next,
	);
	graph.output(next, "float32", [length, width]);
	return all;
}

export function toFloat(graph: GraphBuilder, x: Value): Value {
	return graph.op("Cast", [x], { to: elementTypes.float32 });
}
