/**
 * A layer's convolution over time. It is the sum of two: one that sees nothing later than its frame, and one inside the chunk, weighted by the place there.
 * Inside its window, a chunk's outputs are sums of the inputs with constant weights: one small matrix for each channel, [taps - 1 + chunk, chunk].
 */
import type { GraphBuilder, Value } from "../graph-builder.js";
import type { ExportedWeights } from "./exported-weights.js";
import { addHistory, addMatrix, addWindows } from "./parts.js";
import type { StackParts } from "./sizes.js";
import { swooshR } from "./swoosh.js";

export function addConvolution(
	graph: GraphBuilder,
	weights: ExportedWeights,
	parts: StackParts,
	x: Value,
	which: 1 | 2,
): Value {
	const { number, width, chunk, taps, chunks } = parts;
	const name = `${parts.name}.conv_module${which}`;
	const both = addMatrix(
		graph,
		x,
		`${name}.in_proj`,
		weights.matrix(`${name}.in_proj`),
	);
	const gate = graph.op("Sigmoid", [graph.slice(both, 1, width, 2 * width)]);
	const gated = graph.op("Mul", [graph.slice(both, 1, 0, width), gate]);
	const before = taps - 1;
	const state = `cached_conv${which}_${number}`;
	const all = addHistory(graph, state, gated, before, width);
	const windows = addWindows(graph, chunks, before, chunk);
	const seen = graph.op("Transpose", [graph.op("Gather", [all, windows])], {
		perm: [2, 0, 1],
	}); // [width, chunks, before + chunk]
	const { matrices, bias } = chunkMatrices(weights, name, parts);
	const product = graph.op("MatMul", [
		seen,
		graph.floats(
			`${name}.matrices`,
			[width, before + chunk, chunk],
			() => matrices,
		),
	]);
	const turned = graph.op("Transpose", [product], { perm: [1, 2, 0] });
	const sum = graph.op("Add", [
		turned,
		graph.floats(`${name}.bias`, [chunk, width], () => bias),
	]);
	const rows = graph.op("Reshape", [sum, graph.ints(-1, width)]);
	const [bent = ""] = graph.call(swooshR, [rows]);
	const out = `${name}.out_proj`;
	return addMatrix(graph, bent, out, weights.matrix(out));
}

/** matrices [width, before + chunk, chunk], bias [chunk, width] */
function chunkMatrices(
	weights: ExportedWeights,
	name: string,
	{ width, chunk, taps }: StackParts,
) {
	const causal = weights.convolution(`${name}.depthwise_conv.causal_conv`);
	const inside = `${name}.depthwise_conv.chunkwise_conv`;
	const within = weights.convolution(inside);
	const scale = weights.scaleAfter(inside).values; // [width, chunk]
	const before = taps - 1;
	const seen = before + chunk;
	const kernel = 2 * before + 1;
	const matrices = new Float32Array(width * seen * chunk);
	const bias = new Float32Array(chunk * width);
	for (let channel = 0; channel < width; channel++)
		for (let to = 0; to < chunk; to++) {
			const factor = scale[channel * chunk + to] as number;
			for (let from = 0; from < seen; from++) {
				const tap = from - to;
				let value = 0;
				if (tap >= 0 && tap < taps)
					value += causal.weight.values[channel * taps + tap] as number;
				if (from >= before && tap >= 0 && tap < kernel)
					value +=
						factor * (within.weight.values[channel * kernel + tap] as number);
				matrices[(channel * seen + from) * chunk + to] = value;
			}
			bias[to * width + channel] =
				(causal.bias[channel] as number) +
				factor * (within.bias[channel] as number);
		}
	return { matrices, bias };
}
