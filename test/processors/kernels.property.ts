/** Our kernels against the operators that they replace, at any size. */
import type { Test } from "tap";
import { HostTensor } from "../../drivers/onnx/host-tensor.js";
import {
	crossAttention,
	encoderAttention,
	selfAttention,
	watchedCrossAttention,
} from "../../runtime/models/convert/attention-functions.js";
import { GraphBuilder } from "../../runtime/models/convert/graph-builder.js";
import type { LayerUse } from "../../runtime/models/convert/numerics.js";
import { RowNumerics } from "../../runtime/models/convert/row-numerics.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random, randomOf } from "../fuzz/random.js";
import {
	someVocabulary,
	type VocabularyCase,
	vocabulary,
} from "./vocabulary-case.js";
import {
	assertAlike,
	type Feeds,
	floats,
	layerWeights,
	levels,
	tensor,
	Ways,
} from "./ways.js";

/** Of the values; everything else of a case is its size. */
interface Seeded {
	readonly seed: number;
}

export interface LayerCase extends Seeded {
	readonly is: "linear";
	readonly use: LayerUse;
	readonly rows: number;
	readonly columns: number;
	readonly outputs: number;
}

export interface SoundCase extends Seeded {
	readonly is: "attention";
	readonly sounds: number;
	readonly heads: number;
	readonly positions: number;
}

export interface CrossAttentionCase extends Seeded {
	readonly is: "cross-attention";
	readonly sounds: number;
	readonly beams: number;
	readonly length: number;
	readonly heads: number;
	readonly positions: number;
	/** Heads whose weights are given as well. */
	readonly watched?: readonly number[];
}

export interface SelfAttentionCase extends Seeded {
	readonly is: "self-attention";
	readonly length: number;
	readonly past: number;
	/** Rows of the past that each row goes on from: 0 to 2. */
	readonly parents: readonly number[];
}

export type KernelCase =
	| LayerCase
	| SoundCase
	| CrossAttentionCase
	| SelfAttentionCase
	| VocabularyCase;

/** Outcome: the kernel, or nothing where this processor has none. */
export function kernelsAreAlike(t: Test): Property<KernelCase> {
	const ways = new Ways(t.testdir());
	return {
		name: "processors/kernels",
		promise: "our kernels give what the library's operators give",
		draw: (random) => ({ ...someCase(random), seed: below(random, 2 ** 32) }),
		async check(one) {
			if (levels.length === 0) return undefined;
			const { graph, feeds, tolerance, usual } = built(one);
			assertAlike(await ways.run(graph, feeds), tolerance, usual);
			return one.is;
		},
	};
}

/** Of all kernels but the activations of zipformers; sizes and values fit. */
export function someCase(random: Random): KernelCase {
	const kind = pick(random, [
		"linear",
		"attention",
		"cross-attention",
		"self-attention",
		"vocabulary",
	] as const);
	const upTo = (most: number) => 1 + below(random, most);
	const seed = 0;
	if (kind === "linear") {
		const use = {
			...(random() > 0.5 && { endsInGelu: true }),
			...(random() > 0.5 && { followsGelu: true }),
		};
		const size = { columns: 4 * upTo(128), outputs: upTo(200) };
		return { is: kind, seed, use, rows: upTo(40), ...size };
	}
	if (kind === "vocabulary") return someVocabulary(random);
	const heads = upTo(3);
	if (kind === "attention")
		return { is: kind, seed, sounds: upTo(2), heads, positions: upTo(140) };
	if (kind === "self-attention") {
		const parents = Array.from({ length: upTo(5) }, () => below(random, 3));
		return {
			is: kind,
			seed,
			length: upTo(20),
			past: below(random, 40),
			parents,
		};
	}
	const size = { beams: upTo(8), length: upTo(13), positions: upTo(130) };
	const watched = random() > 0.5 && { watched: [below(random, heads)] };
	return { is: kind, seed, sounds: upTo(3), heads, ...size, ...watched };
}

/** A graph of one kernel, with values for it. */
export function built(one: KernelCase): {
	graph: GraphBuilder;
	feeds: Feeds;
	tolerance: number;
	/** Size of a value before any activation, where it is far from those behind it. */
	usual?: number;
} {
	const random = randomOf(one.seed);
	switch (one.is) {
		case "linear":
			// a value between two codes may be rounded either way
			return { ...layer(one, random), tolerance: 0.01 };
		case "attention":
			// bfloat16 has 8 bits
			return { ...buildAttention(one, random), tolerance: 0.02 };
		case "cross-attention":
			return { ...buildCrossAttention(one, random), tolerance: 1e-5 };
		case "vocabulary":
			return vocabulary(one, random);
		case "self-attention":
			return {
				graph: ofParents,
				feeds: selfAttentionFeeds(one, random),
				tolerance: 1e-5,
			};
	}
}

function layer({ use, rows, columns, outputs }: LayerCase, random: Random) {
	const graph = layerGraph({ columns, outputs }, use, random);
	const x = floats(random, rows * columns, 4);
	if (use.followsGelu)
		for (const [i, value] of x.entries()) x[i] = Math.max(value, -0.17);
	let squares = 0;
	for (const value of x) squares += value * value;
	// a sum of so many products, the weights even in [-0.5, 0.5)
	const usual = Math.sqrt(squares / Math.max(rows, 1) / 12);
	return { graph, feeds: { x: tensor(x, 1, rows, columns) }, usual };
}

export function layerGraph(
	{ columns, outputs }: { readonly columns: number; readonly outputs: number },
	use: LayerUse,
	random: Random,
): GraphBuilder {
	const graph = new GraphBuilder("layer");
	const x = graph.input("x", "float32", ["R", "L", columns]);
	const weights = layerWeights(random, outputs, columns);
	const bias = floats(random, outputs);
	const layer = {
		name: "layer",
		rows: outputs,
		columns,
		weights: () => weights,
		bias: () => bias,
	};
	const y = new RowNumerics().linear(graph, x, layer, use);
	graph.output(y, "float32", ["R", "L", outputs]);
	return graph;
}

function buildAttention(
	{ sounds, heads, positions }: SoundCase,
	random: Random,
) {
	const width = heads * 64;
	const graph = new GraphBuilder("attention");
	const names = ["q", "k", "v"];
	for (const name of names) graph.input(name, "float32", ["A", "S", width]);
	const [y] = graph.call(encoderAttention(heads), names);
	graph.output(y as string, "float32", ["A", "S", width]);
	const count = sounds * positions * width;
	const some = () => tensor(floats(random, count, 3), sounds, positions, width);
	return { graph, feeds: { q: some(), k: some(), v: some() } };
}

function buildCrossAttention(one: CrossAttentionCase, random: Random) {
	const { sounds, beams, length, heads, positions, watched } = one;
	const rows = sounds * beams;
	const width = heads * 64;
	const area = sounds * heads * 64 * positions;
	const bias = new Float32Array(sounds * positions);
	// what lies behind a shorter sound's end
	if (positions > 20) bias.fill(-1e9, positions - 7, positions);
	const feeds = {
		q: tensor(floats(random, rows * length * width), rows, length, width),
		k: tensor(floats(random, area, 2), sounds, heads, 64, positions),
		v: tensor(floats(random, area, 2), sounds, heads, positions, 64),
		b: tensor(bias, sounds, positions),
	};
	return { graph: crossAttentionGraph(heads, watched), feeds };
}

function crossAttentionGraph(
	heads: number,
	watched?: readonly number[],
): GraphBuilder {
	const graph = new GraphBuilder("look");
	graph.input("q", "float32", ["R", "L", heads * 64]);
	graph.input("k", "float32", ["A", heads, 64, "S"]);
	graph.input("v", "float32", ["A", heads, "S", 64]);
	graph.input("b", "float32", ["A", "S"]);
	const names = ["q", "k", "v", "b"];
	const outputs = watched
		? graph.call(watchedCrossAttention, [...names, graph.ints(...watched)])
		: graph.call(crossAttention, names);
	graph.output(outputs[0] as string, "float32", ["R", "L", heads * 64]);
	if (outputs[1]) graph.output(outputs[1], "float32", ["R", "h", "L", "S"]);
	return graph;
}

/** Self-attention of two heads whose rows continue rows of the past. */
export const ofParents = new GraphBuilder("said");
ofParents.input("all", "float32", ["R", "L", 3 * 128]);
ofParents.input("past_k", "float32", ["Rp", 2, "P", 64]);
ofParents.input("past_v", "float32", ["Rp", 2, "P", 64]);
ofParents.input("parents", "int32", ["R"]);
const selfAttentionOutputs = ofParents.call(
	selfAttention(2),
	["all", "past_k", "past_v", "parents"],
	["y", "present_k", "present_v"],
);
ofParents.output(selfAttentionOutputs[0] as string, "float32", ["R", "L", 128]);
for (const name of selfAttentionOutputs.slice(1))
	ofParents.output(name, "float32", ["R", 2, "P+L", 64]);

export function selfAttentionFeeds(
	{ length, past, parents }: Omit<SelfAttentionCase, "is" | "seed">,
	random: Random,
): Feeds {
	const rows = parents.length;
	const before = () =>
		tensor(floats(random, 3 * 2 * past * 64, 3), 3, 2, past, 64);
	return {
		all: tensor(floats(random, rows * length * 384, 3), rows, length, 384),
		past_k: before(),
		past_v: before(),
		parents: new HostTensor("int32", Int32Array.from(parents), [rows]),
	};
}
