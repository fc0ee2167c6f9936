/**
 * A streaming zipformer's encoder as a graph that takes any number of chunks at once. It computes what the exported graph computes of them one after the other,
 * because a layer's state after a chunk only depends on what the same layer got: every layer has the chunks' rows in one matrix, and each chunk attends to its
 * own window of them. The exported graph has a thousand small operators a chunk, whose overhead is most of its time.
 *
 * Inputs: x [1, frames, mels] and the states, as zipformer/encoder.ts expects them. Output: [1, rows, width].
 */
import { GraphBuilder, type Value } from "../graph-builder.js";
import type { Graph } from "../onnx-format.js";
import type { ExportedWeights } from "./exported-weights.js";
import { addLayer } from "./layer.js";
import {
	addBypass,
	addJoined,
	addMatrix,
	addWindows,
	toFloat,
} from "./parts.js";
import {
	framesJoined,
	layerOf,
	type StackParts,
	sizesOf,
	type ZipformerSizes,
} from "./sizes.js";
import { addStem } from "./stem.js";

/** Added to the scores of frames before the beginning. */
const before = -1000;
const processed = "processed_lens";
const encoded = "encoder_out";

/** @throws SourceError when the exported graph has another structure */
export function zipformerGraph(weights: ExportedWeights): Graph {
	const sizes = sizesOf(weights);
	const { width, stacks } = sizes;
	const joined = weights.joined();
	const positions = weights.positions();
	const graph = new GraphBuilder("zipformer-encoder");
	const projection = weights.matrix("encoder_proj");
	// the first output: all others are states
	graph.output(encoded, "float32", [1, "rows", projection.outputs]);
	const stem = addStem(graph, weights, sizes);
	const base = sizes.hopFrames / framesJoined;
	const rows = graph.dimension(stem, 0);
	const chunks = graph.op("Div", [rows, graph.ints(base)]);
	const masks = addMask(graph, sizes, rows, chunks);
	let x = stem;
	stacks.forEach((stack, i) => {
		const { factor } = stack;
		const name = layerOf(i);
		const parts: StackParts = {
			...stack,
			name,
			number: i,
			width,
			chunks,
			mask: addEveryth(graph, masks, factor),
			projection: positions[i]?.values ?? new Float32Array(0),
		};
		if (factor === 1) {
			x = addLayer(graph, weights, parts, x);
			return;
		}
		const fewer = addJoined(
			graph,
			x,
			joined.shift() ?? new Float32Array(factor),
			width,
			`${name}.downsample`,
		);
		const y = addLayer(graph, weights, parts, fewer);
		// each row of y stands for `factor` rows
		const wide = graph.op("Unsqueeze", [y, graph.ints(1)]);
		const groups = graph.op("Reshape", [x, graph.ints(-1, factor, width)]);
		const scale = `encoder.encoders.${i}.out_combiner.bypass_scale`;
		const both = addBypass(graph, groups, wide, scale, weights.values(scale));
		x = graph.op("Reshape", [both, graph.ints(-1, width)]);
	});
	const last = joined.shift() ?? new Float32Array(0);
	const out = addJoined(graph, x, last, width, "downsample_output");
	const frames = addMatrix(graph, out, "encoder_proj", projection);
	graph.op("Unsqueeze", [frames, graph.ints(0)], {}, encoded);
	return graph.build();
}

/** What is added to the scores of each chunk's window, for stacks that see every frame: [chunks, left + chunk]. */
function addMask(
	graph: GraphBuilder,
	{ hopFrames, stacks }: ZipformerSizes,
	rows: Value,
	chunks: Value,
): Value {
	const base = hopFrames / framesJoined;
	const left = Math.max(...stacks.map((it) => it.left));
	const seen = graph.input(processed, "int64", [1]);
	graph.op("Add", [seen, rows], {}, `new_${processed}`);
	graph.output(`new_${processed}`, "int64", [1]);
	const places = addWindows(graph, chunks, left, base);
	// place `left` is the first chunk's first frame, which is number `seen`
	const numbers = graph.op("Add", [places, seen]);
	const isBefore = graph.op("Less", [numbers, graph.ints(left)]);
	return graph.op("Mul", [toFloat(graph, isBefore), graph.float(before)]);
}

function addEveryth(graph: GraphBuilder, mask: Value, factor: number): Value {
	const step = graph.ints(factor);
	const some = graph.op("Slice", [
		mask,
		graph.ints(0),
		graph.ints(Number.MAX_SAFE_INTEGER),
		graph.ints(1),
		step,
	]);
	return graph.op("Unsqueeze", [some, graph.ints(1, 2)]);
}
