/** What the tiny graphs of published models are made of: random weights, layers, and the folder. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
	GraphBuilder,
	Value,
} from "../../../runtime/models/convert/graph-builder.js";
import type { Graph } from "../../../runtime/models/convert/onnx-format.js";
import { feedForward, writeGraph } from "../../published/tiny-graphs.js";

export type Random = () => number;
type Metadata = Readonly<Record<string, string | number>>;

export const words =
	"▁the ▁of ing ed ▁a s ▁hello ▁and ▁to er ▁in 我 你 好 的 是 在 有 人 这 中 大 来 上 国 到 说 们 为 子 和".split(
		" ",
	);

/** Uniform, from `-scale` to `scale`. */
export function floats(
	graph: GraphBuilder,
	name: string,
	dims: readonly number[],
	scale: number,
	random: Random,
): Value {
	const size = dims.reduce((product, dim) => product * dim, 1);
	const values = Float32Array.from(
		{ length: size },
		() => (random() * 2 - 1) * scale,
	);
	return graph.floats(name, dims, () => values);
}

/** A constant for one token, 0 for others: without it a blank would hardly ever be likeliest. */
export function favouring(
	graph: GraphBuilder,
	name: string,
	count: number,
	token: number,
	value: number,
): Value {
	const values = new Float32Array(count);
	values[token] = value;
	return graph.floats(name, [count], () => values);
}

/**
 * A frame stack, [N, T, width] to [N, T / factor, hidden]: a convolution over time as wide as it is long, and a second one that looks at the neighbours, so that
 * every frame matters and so does its place.
 */
export function stacked(
	graph: GraphBuilder,
	x: Value,
	{ width, hidden, factor }: { width: number; hidden: number; factor: number },
	scale: number,
	random: Random,
): Value {
	const turned = graph.op("Transpose", [x], { perm: [0, 2, 1] });
	return graph.op(
		"Transpose",
		[stackedChannels(graph, turned, { width, hidden, factor }, scale, random)],
		{ perm: [0, 2, 1] },
	);
}

/** The same with channels first: [N, width, T] to [N, hidden, T / factor]. */
export function stackedChannels(
	graph: GraphBuilder,
	x: Value,
	{ width, hidden, factor }: { width: number; hidden: number; factor: number },
	scale: number,
	random: Random,
): Value {
	const reduced = graph.op("Tanh", [
		graph.op(
			"Conv",
			[x, floats(graph, "conv1", [hidden, width, factor], scale, random)],
			{ kernel_shape: [factor], strides: [factor] },
		),
	]);
	return graph.op("Tanh", [
		graph.op(
			"Conv",
			[reduced, floats(graph, "conv2", [hidden, hidden, 3], 0.6, random)],
			{ kernel_shape: [3], pads: [1, 1] },
		),
	]);
}

/** What makes a tiny model as large as a real one, for measurements beside other programs. */
export interface Ballast {
	/** More tokens: words of their own. */
	readonly tokens: number;
	/** Layers of the encoder, each `width` to four times that and back. */
	readonly width: number;
	readonly layers: number;
}

/** With `ballast`, more of them behind the last word. */
export function symbolsWith(
	symbols: readonly string[],
	ballast: Ballast | undefined,
): string[] {
	const last = symbols.lastIndexOf(words.at(-1) ?? "");
	const letters = "bcdfghjklmnpqrstvwxz";
	const more = Array.from({ length: ballast?.tokens ?? 0 }, (_, i) => {
		const digits = i.toString(letters.length).padStart(4, "0");
		return `▁${[...digits].map((it) => letters[Number.parseInt(it, letters.length)]).join("")}`;
	});
	return [...symbols.slice(0, last + 1), ...more, ...symbols.slice(last + 1)];
}

/** [N, T, hidden], as it was but for a little of what the layers make of it: nobody can leave them out. */
export function withBallast(
	graph: GraphBuilder,
	x: Value,
	hidden: number,
	ballast: Ballast | undefined,
	random: Random,
): Value {
	if (!ballast) return x;
	const { width, layers } = ballast;
	const matrix = (name: string, from: number, to: number) =>
		floats(graph, `ballast_${name}`, [from, to], 1 / Math.sqrt(from), random);
	const sizes = { width, inner: 4 * width, layers };
	const wide = graph.op("MatMul", [x, matrix("in", hidden, width)]);
	const deep = feedForward(graph, wide, "ballast", sizes, random);
	const out = graph.op("Tanh", [
		graph.op("MatMul", [deep, matrix("out", width, hidden)]),
	]);
	return graph.op("Add", [x, graph.op("Mul", [out, graph.float(1e-3)])]);
}

/** [..., hidden] to [..., count] */
export function scored(
	graph: GraphBuilder,
	x: Value,
	{ hidden, count }: { hidden: number; count: number },
	scale: number,
	random: Random,
): Value {
	return graph.op("MatMul", [
		x,
		floats(graph, "scores", [hidden, count], scale, random),
	]);
}

/** Number of frames after a stack, as the exporters compute it. */
export function reducedLength(
	graph: GraphBuilder,
	length: Value,
	factor: number,
	type: "int32" | "int64",
	name: string,
): Value {
	const long =
		type === "int64" ? length : graph.op("Cast", [length], { to: 7 });
	const divided = graph.op("Div", [long, graph.ints(factor)]);
	return graph.op("Cast", [divided], { to: type === "int64" ? 7 : 6 }, name);
}

export interface PublishedFile {
	readonly name: string;
	readonly graph: Graph;
	readonly metadata?: Metadata;
}

/** A folder as published. */
export function writeFolder(
	folder: string,
	files: readonly PublishedFile[],
	symbols: readonly string[],
): void {
	mkdirSync(folder, { recursive: true });
	for (const { name, graph, metadata = {} } of files)
		writeGraph(
			join(folder, name),
			graph,
			Object.fromEntries(
				Object.entries(metadata).map(([key, value]) => [key, `${value}`]),
			),
		);
	writeFileSync(
		join(folder, "tokens.txt"),
		symbols.map((symbol, i) => `${symbol} ${i}\n`).join(""),
	);
}
