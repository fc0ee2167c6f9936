/** Our kernels (drivers/onnx/custom/native/kernels/kernels.h) beside the operators whose place they take: odd sizes, several threads, and what is no number. */
import { join } from "node:path";
import root from "tap";
import { kernelNames } from "../../drivers/onnx/custom/library.js";
import { openCustomLibrary } from "../../drivers/onnx/custom/session.js";
import { stockLibraryPath } from "../../drivers/onnx/custom/stock-library.js";
import { HostTensor } from "../../drivers/onnx/host-tensor.js";
import {
	crossAttention,
	selfAttention,
	soundAttention,
	watchedCrossAttention,
} from "../../runtime/models/convert/attention-functions.js";
import { GraphBuilder } from "../../runtime/models/convert/graph-builder.js";
import { writeGraph } from "../../runtime/models/convert/graph-file.js";
import type { LayerUse } from "../../runtime/models/convert/numerics.js";
import { RowNumerics } from "../../runtime/models/convert/row-numerics.js";
import { seededRandom } from "../audio/signals.js";

const seed = Number(process.env.EARSHOT_TEST_SEED ?? Date.now() % 1e6);
root.comment(`seed ${seed} (EARSHOT_TEST_SEED)`);
const random = seededRandom(seed);
const here = kernelNames();
const without = (name: string) =>
	here.includes(name) ? false : `this processor has no kernel for ${name}`;
const folder = root.testdir();
let files = 0;

type Feeds = Record<string, HostTensor>;

type Way = readonly [kernels: "library" | "own", threads: number];

/** What a graph gives: by the library's operators, by our kernels with one thread, and with three. */
async function threeWays(
	graph: GraphBuilder,
	feeds: Feeds,
	ways: readonly Way[] = [
		["library", 1],
		["own", 1],
		["own", 3],
	],
): Promise<Float32Array[][]> {
	const name = `${files++}.onnx`;
	await writeGraph(folder, name, graph.build(), {
		inlineBytesMax: 1e9,
		signal: undefined,
		onBytes: () => {},
	});
	const given: Float32Array[][] = [];
	for (const [kernels, threads] of ways) {
		const session = openCustomLibrary(stockLibraryPath(), join(folder, name), {
			threads,
			kernels,
			entries: {},
			providers: [],
		});
		const outputs = await session.run(feeds, session.outputNames);
		given.push(
			session.outputNames.map((it) =>
				Float32Array.from((outputs[it]?.data ?? []) as Float32Array),
			),
		);
		for (const it of Object.values(outputs)) it.dispose();
		await session.close();
	}
	return given;
}

/** @throws what a kernel of ours says. */
function ownWay(graph: GraphBuilder, feeds: Feeds) {
	return threeWays(graph, feeds, [["own", 1]]);
}

/** Largest difference by the largest value; NaN where one is not finite and the other is. */
function apart(given: Float32Array, expected: Float32Array): number {
	if (given.length !== expected.length) return Number.NaN;
	let largest = 1e-6;
	let off = 0;
	given.forEach((value, i) => {
		const wanted = expected[i] as number;
		largest = Math.max(largest, Math.abs(wanted));
		off = Math.max(off, Math.abs(value - wanted));
	});
	return off / largest;
}

function checkThreeWays(
	t: { ok: typeof root.ok; strictSame: typeof root.strictSame },
	given: Float32Array[][],
	tolerance: number,
	what: string,
) {
	const [library = [], own = [], threaded = []] = given;
	for (const [i, expected] of library.entries()) {
		const off = apart(own[i] as Float32Array, expected);
		t.ok(off <= tolerance, `${what}: ${off.toExponential(1)} apart`);
		t.strictSame(threaded[i], own[i], `${what}: threads change nothing`);
	}
}

function floats(count: number, scale = 1): Float32Array {
	return Float32Array.from({ length: count }, () => scale * (random() - 0.5));
}

function tensor(values: Float32Array, ...dims: number[]): HostTensor {
	return new HostTensor("float32", values, dims);
}

type LayerSize = { readonly columns: number; readonly outputs: number };

function layerGraph({ columns, outputs }: LayerSize, use: LayerUse) {
	const graph = new GraphBuilder("layer");
	const x = graph.input("x", "float32", ["R", "L", columns]);
	const weights = floats(columns * outputs);
	const bias = floats(outputs);
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

root.test(
	"a layer of 8-bit weights",
	{ skip: without("linear") },
	async (t) => {
		const uses: LayerUse[] = [
			{},
			{ endsInGelu: true },
			{ followsGelu: true },
			{ followsGelu: true, endsInGelu: true },
		];
		for (const use of uses)
			for (const [rows, columns, outputs] of [
				[1, 4, 1],
				[5, 12, 63],
				[6, 64, 64],
				[7, 240, 65],
				[13, 64, 200],
				[40, 512, 130],
				[0, 64, 64],
			] as const) {
				const graph = layerGraph({ columns, outputs }, use);
				const x = floats(rows * columns, 4);
				if (use.followsGelu)
					for (const [i, value] of x.entries()) x[i] = Math.max(value, -0.17);
				const given = await threeWays(graph, {
					x: tensor(x, 1, rows, columns),
				});
				const what = `${JSON.stringify(use)} [${rows},${columns}] -> ${outputs}`;
				// a value on the border of two codes may fall to either side
				checkThreeWays(t, given, 0.01, what);
			}
	},
);

root.test(
	"rows of zeros, and of no numbers",
	{ skip: without("linear") },
	async (t) => {
		const columns = 20;
		const graph = layerGraph({ columns, outputs: 3 }, {});
		const x = floats(4 * columns);
		x.fill(0, 0, columns);
		x[columns + 19] = Number.NaN;
		x[2 * columns] = Number.POSITIVE_INFINITY;
		const [library = [], own = []] = await threeWays(graph, {
			x: tensor(x, 1, 4, columns),
		});
		const [y] = own as [Float32Array];
		const [expected] = library as [Float32Array];
		t.ok(apart(y.subarray(0, 3), expected.subarray(0, 3)) < 1e-5, "the bias");
		for (const value of y.subarray(3, 9)) t.notOk(Number.isFinite(value));
		t.ok(
			apart(y.subarray(9), expected.subarray(9)) < 0.01,
			"who stands beside",
		);
	},
);

root.test(
	"an input of another width is refused, and the graph goes on",
	{ skip: without("linear") },
	async (t) => {
		const graph = new GraphBuilder("wrong");
		const x = graph.input("x", "float32", ["R", "K"]);
		const weights = floats(64);
		const layer = { name: "l", rows: 8, columns: 8, weights: () => weights };
		const y = new RowNumerics().linear(graph, x, layer);
		graph.output(y, "float32", ["R", 8]);
		await t.rejects(ownWay(graph, { x: tensor(floats(12), 1, 12) }), {
			message: /another width/,
		});
		const given = await threeWays(graph, { x: tensor(floats(8), 1, 8) });
		checkThreeWays(t, given, 0.01, "the right width");
	},
);

root.test(
	"a sound's attention to itself",
	{ skip: without("attention") },
	async (t) => {
		for (const [sounds, heads, positions] of [
			[1, 1, 1],
			[1, 2, 5],
			[2, 3, 63],
			[1, 1, 64],
			[1, 2, 131],
		] as const) {
			const width = heads * 64;
			const graph = new GraphBuilder("attention");
			const names = ["q", "k", "v"];
			for (const name of names) graph.input(name, "float32", ["A", "S", width]);
			const [y] = graph.call(soundAttention(heads), names);
			graph.output(y as string, "float32", ["A", "S", width]);
			const count = sounds * positions * width;
			const feeds = Object.fromEntries(
				names.map((name) => [
					name,
					tensor(floats(count, 3), sounds, positions, width),
				]),
			);
			const given = await threeWays(graph, feeds);
			// bfloat16 has 8 bits
			checkThreeWays(t, given, 0.02, `[${sounds},${positions},${width}]`);
		}
	},
);

root.test(
	"a look at the sound, watched and not",
	{ skip: without("cross-attention") },
	async (t) => {
		for (const [sounds, beams, length, heads, positions] of [
			[1, 1, 1, 1, 1],
			[2, 3, 1, 2, 50],
			[1, 1, 13, 3, 67],
			[3, 2, 4, 2, 16],
			[1, 8, 1, 1, 129],
		] as const)
			for (const watched of [undefined, [0], [heads - 1, 0].slice(0, heads)]) {
				const rows = sounds * beams;
				const width = heads * 64;
				const graph = new GraphBuilder("look");
				graph.input("q", "float32", ["R", "L", width]);
				graph.input("k", "float32", ["A", heads, 64, "S"]);
				graph.input("v", "float32", ["A", heads, "S", 64]);
				graph.input("b", "float32", ["A", "S"]);
				const names = ["q", "k", "v", "b"];
				const outputs = watched
					? graph.call(watchedCrossAttention, [
							...names,
							graph.ints(...watched),
						])
					: graph.call(crossAttention, names);
				graph.output(outputs[0] as string, "float32", ["R", "L", width]);
				if (outputs[1])
					graph.output(outputs[1], "float32", ["R", "h", "L", "S"]);
				const area = sounds * heads * 64 * positions;
				const bias = new Float32Array(sounds * positions);
				// what lies behind a shorter sound's end
				if (positions > 20) bias.fill(-1e9, positions - 7, positions);
				const given = await threeWays(graph, {
					q: tensor(floats(rows * length * width), rows, length, width),
					k: tensor(floats(area, 2), sounds, heads, 64, positions),
					v: tensor(floats(area, 2), sounds, heads, positions, 64),
					b: tensor(bias, sounds, positions),
				});
				checkThreeWays(
					t,
					given,
					1e-5,
					`${sounds} x ${beams}, ${length} tokens, ${heads} heads, ${positions} positions, watched ${watched}`,
				);
			}
	},
);

const ofParents = new GraphBuilder("said");
ofParents.input("all", "float32", ["R", "L", 3 * 128]);
ofParents.input("past_k", "float32", ["Rp", 2, "P", 64]);
ofParents.input("past_v", "float32", ["Rp", 2, "P", 64]);
ofParents.input("parents", "int32", ["R"]);
const said = ofParents.call(
	selfAttention(2),
	["all", "past_k", "past_v", "parents"],
	["y", "present_k", "present_v"],
);
ofParents.output(said[0] as string, "float32", ["R", "L", 128]);
for (const name of said.slice(1))
	ofParents.output(name, "float32", ["R", 2, "P+L", 64]);

function saidFeeds(length: number, past: number, parents: number[]): Feeds {
	const rows = parents.length;
	const before = () => tensor(floats(3 * 2 * past * 64, 3), 3, 2, past, 64);
	return {
		all: tensor(floats(rows * length * 384, 3), rows, length, 384),
		past_k: before(),
		past_v: before(),
		parents: new HostTensor("int32", Int32Array.from(parents), [rows]),
	};
}

root.test(
	"what was said by a row's parent, and by the row",
	{ skip: without("self-attention") },
	async (t) => {
		for (const [length, past, parents] of [
			[1, 5, [2, 0, 0, 1]],
			[1, 33, [1]],
			[7, 0, [0]],
			[20, 16, [2, 2]],
		] as const) {
			const feeds = saidFeeds(length, past, [...parents]);
			const given = await threeWays(ofParents, feeds);
			checkThreeWays(t, given, 1e-5, `${length} after ${past} of ${parents}`);
		}
		for (const parents of [[3], [-1]])
			await t.rejects(ownWay(ofParents, saidFeeds(1, 4, parents)), {
				message: /do not fit together/,
			});
	},
);

root.test(
	"queries of another sound's width are refused",
	{ skip: without("cross-attention") },
	async (t) => {
		const graph = new GraphBuilder("wrong");
		graph.input("q", "float32", ["R", "L", "W"]);
		graph.input("k", "float32", ["A", "H", 64, "S"]);
		graph.input("v", "float32", ["A", "H", "S", 64]);
		graph.input("b", "float32", ["A", "S"]);
		const [y] = graph.call(crossAttention, ["q", "k", "v", "b"]);
		graph.output(y as string, "float32", ["R", "L", "W"]);
		const feeds = (width: number, positions: number) => ({
			q: tensor(floats(width), 1, 1, width),
			k: tensor(floats(64 * 9), 1, 1, 64, 9),
			v: tensor(floats(64 * positions), 1, 1, positions, 64),
			b: tensor(floats(9), 1, 9),
		});
		const message = /do not fit together/;
		await t.rejects(ownWay(graph, feeds(128, 9)), { message });
		await t.rejects(ownWay(graph, feeds(64, 8)), { message });
		await t.resolves(ownWay(graph, feeds(64, 9)));
	},
);
