/** A layer of a zipformer over the rows of several chunks (Yao et al. 2023, "Zipformer", figure 2). Rows: [chunks * chunk, width]. */
import type { GraphBuilder, Value } from "../graph-builder.js";
import { addConvolution } from "./convolution.js";
import type { ExportedWeights } from "./exported-weights.js";
import {
	addBypass,
	addHistory,
	addMatrix,
	addNorm,
	addWindows,
	endless,
} from "./parts.js";
import type { StackParts } from "./sizes.js";
import { swooshL } from "./swoosh.js";

export function addLayer(
	graph: GraphBuilder,
	weights: ExportedWeights,
	parts: StackParts,
	x: Value,
): Value {
	const { name, chunks, left, chunk } = parts;
	const windows = addWindows(graph, chunks, left, chunk);
	const attention = addAttention(graph, weights, parts, x, windows);
	const add = (from: Value, change: Value) => graph.op("Add", [from, change]);
	const feed = (from: Value, part: string) =>
		add(from, addFeedForward(graph, weights, from, `${name}.${part}`));
	const attend = (from: Value, part: string, state: string) => {
		const own = { part: `${name}.${part}`, state, attention, windows };
		return add(from, addValues(graph, weights, parts, from, own));
	};
	let y = feed(x, "feed_forward1");
	y = add(y, addGated(graph, weights, parts, y, attention, windows));
	y = attend(y, "self_attn1", "cached_val1");
	y = add(y, addConvolution(graph, weights, parts, y, 1));
	y = feed(y, "feed_forward2");
	const middle = `${name}.bypass_mid.bypass_scale`;
	y = addBypass(graph, x, y, middle, weights.values(middle));
	y = attend(y, "self_attn2", "cached_val2");
	y = add(y, addConvolution(graph, weights, parts, y, 2));
	y = feed(y, "feed_forward3");
	const norm = `${name}.norm`;
	y = addNorm(graph, y, norm, weights.norm(norm));
	const end = `${name}.bypass.bypass_scale`;
	return addBypass(graph, x, y, end, weights.values(end));
}

function addFeedForward(
	graph: GraphBuilder,
	weights: ExportedWeights,
	x: Value,
	name: string,
): Value {
	const own = `${name}.in_proj`;
	const wide = addMatrix(graph, x, own, weights.matrix(own));
	const [bent = ""] = graph.call(swooshL, [wide]);
	const out = `${name}.out_proj`;
	return addMatrix(graph, bent, out, weights.matrix(out));
}

/** How much each row of a chunk attends to each of its window: [chunks, heads, chunk, left + chunk]. */
function addAttention(
	graph: GraphBuilder,
	weights: ExportedWeights,
	parts: StackParts,
	x: Value,
	windows: Value,
): Value {
	const { name, number, heads, queries, positions, chunk, left } = parts;
	const size = heads * queries;
	const own = `${name}.self_attn_weights.in_proj`;
	const all = addMatrix(graph, x, own, weights.matrix(own));
	const query = graph.slice(all, 1, 0, size);
	const key = graph.slice(all, 1, size, 2 * size);
	const place = graph.slice(all, 1, 2 * size, endless);
	const perHead = (rows: Value, count: number, each: number, perm: number[]) =>
		graph.op(
			"Transpose",
			[graph.op("Reshape", [rows, graph.ints(-1, count, heads, each)])],
			{ perm },
		);
	const state = `cached_key_${number}`;
	const keys = addHistory(graph, state, key, left, size);
	const seen = graph.op("Gather", [keys, windows]);
	const scores = graph.op("MatMul", [
		perHead(query, chunk, queries, [0, 2, 1, 3]),
		perHead(seen, left + chunk, queries, [0, 2, 3, 1]),
	]);
	const distances = 2 * chunk + left - 1;
	const projection = graph.floats(
		`${name}.positions`,
		[heads, positions, distances],
		() => parts.projection,
	);
	const byDistance = graph.op("MatMul", [
		perHead(place, chunk, positions, [0, 2, 1, 3]),
		projection,
	]); // [chunks, heads, chunk, distances]
	// row r begins at distance chunk - 1 - r: with rows one element shorter, all begin at the same
	const flat = graph.op("Reshape", [
		byDistance,
		graph.ints(0, heads, chunk * distances),
	]);
	const begun = graph.slice(
		flat,
		2,
		chunk - 1,
		chunk - 1 + chunk * (distances - 1),
	);
	const rows = graph.op("Reshape", [
		begun,
		graph.ints(0, heads, chunk, distances - 1),
	]);
	const placed = graph.op("Add", [
		graph.slice(rows, 3, 0, left + chunk),
		parts.mask,
	]);
	return graph.op("Softmax", [graph.op("Add", [scores, placed])], { axis: -1 });
}

/** The first head's attention to products of two projections, times a third. */
function addGated(
	graph: GraphBuilder,
	weights: ExportedWeights,
	{ name, number, gated, chunk, left }: StackParts,
	x: Value,
	attention: Value,
	windows: Value,
): Value {
	const own = `${name}.nonlin_attention`;
	const all = addMatrix(
		graph,
		x,
		`${own}.in_proj`,
		weights.matrix(`${own}.in_proj`),
	);
	const [gate, value, factor] = [0, 1, 2].map((i) =>
		graph.slice(all, 1, i * gated, (i + 1) * gated),
	) as [Value, Value, Value];
	const product = graph.op("Mul", [value, graph.op("Tanh", [gate])]);
	const state = `cached_nonlin_attn_${number}`;
	const values = addHistory(graph, state, product, left, gated);
	const head = graph.op("Reshape", [
		graph.slice(attention, 1, 0, 1),
		graph.ints(-1, chunk, left + chunk),
	]);
	const attended = graph.op("MatMul", [
		head,
		graph.op("Gather", [values, windows]),
	]);
	const rows = graph.op("Reshape", [attended, graph.ints(-1, gated)]);
	const out = `${own}.out_proj`;
	const gatedRows = graph.op("Mul", [rows, factor]);
	return addMatrix(graph, gatedRows, out, weights.matrix(out));
}

interface ValuePart {
	readonly part: string;
	readonly state: string;
	readonly attention: Value;
	readonly windows: Value;
}

function addValues(
	graph: GraphBuilder,
	weights: ExportedWeights,
	{ number, heads, values, chunk, left }: StackParts,
	x: Value,
	{ part, state, attention, windows }: ValuePart,
): Value {
	const size = heads * values;
	const own = addMatrix(
		graph,
		x,
		`${part}.in_proj`,
		weights.matrix(`${part}.in_proj`),
	);
	const all = addHistory(graph, `${state}_${number}`, own, left, size);
	const split = graph.op("Reshape", [
		graph.op("Gather", [all, windows]),
		graph.ints(-1, left + chunk, heads, values),
	]);
	const perHead = graph.op("Transpose", [split], { perm: [0, 2, 1, 3] });
	const attended = graph.op("MatMul", [attention, perHead]);
	const turned = graph.op("Transpose", [attended], { perm: [0, 2, 1, 3] });
	const rows = graph.op("Reshape", [turned, graph.ints(-1, size)]);
	return addMatrix(
		graph,
		rows,
		`${part}.out_proj`,
		weights.matrix(`${part}.out_proj`),
	);
}
