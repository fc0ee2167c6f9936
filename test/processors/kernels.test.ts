/** Our kernels (drivers/onnx/capi/kernels/kernels.h) against the operators that they replace: odd sizes, several threads, and NaN. */
import t from "tap";
import { kernelNames } from "../../drivers/onnx/capi/library.js";
import { crossAttention } from "../../runtime/models/convert/attention-functions.js";
import { GraphBuilder } from "../../runtime/models/convert/graph-builder.js";
import type { LayerUse } from "../../runtime/models/convert/numerics.js";
import { RowNumerics } from "../../runtime/models/convert/row-numerics.js";
import {
	swooshL,
	swooshR,
} from "../../runtime/models/convert/zipformer/swoosh.js";
import { holds } from "../fuzz/holds.js";
import { randomOf } from "../fuzz/random.js";
import {
	built,
	type KernelCase,
	kernelsAreAlike,
	layerGraph,
	ofParents,
	saidFeeds,
} from "./kernels.property.js";
import { apart, assertAlike, floats, ThreeWays, tensor } from "./three-ways.js";

const here = kernelNames();
const without = (name: string) =>
	here.includes(name) ? false : `this processor has no kernel for ${name}`;
const random = randomOf(1);
const ways = new ThreeWays(t.testdir());

function alike(name: string, cases: readonly KernelCase[]): void {
	t.test(name, { skip: without(cases[0]?.is ?? "") }, async (t) => {
		for (const one of cases) {
			const { graph, feeds, tolerance, usual } = built(one);
			const given = await ways.run(graph, feeds);
			t.doesNotThrow(
				() => assertAlike(given, tolerance, usual),
				JSON.stringify(one),
			);
		}
	});
}

const uses: readonly LayerUse[] = [
	{},
	{ endsInGelu: true },
	{ followsGelu: true },
	{ followsGelu: true, endsInGelu: true },
];
const layerSizes = [
	[1, 4, 1],
	[5, 12, 63],
	[6, 64, 64],
	[7, 240, 65],
	[13, 64, 200],
	[40, 512, 130],
	[0, 64, 64],
] as const;
alike(
	"a layer of 8-bit weights",
	uses.flatMap((use) =>
		layerSizes.map(([rows, columns, outputs]) => ({
			...{ is: "linear", seed: 1, use, rows, columns, outputs },
		})),
	),
);
alike("a layer whose only value GELU flattens", [
	{
		is: "linear",
		seed: 0,
		use: { endsInGelu: true, followsGelu: true },
		rows: 1,
		columns: 512,
		outputs: 1,
	},
]);

t.test("rows of zeros, and of NaN", { skip: without("linear") }, async (t) => {
	const columns = 20;
	const graph = layerGraph({ columns, outputs: 3 }, {}, random);
	const x = floats(random, 4 * columns);
	x.fill(0, 0, columns);
	x[columns + 19] = Number.NaN;
	x[2 * columns] = Number.POSITIVE_INFINITY;
	const [library = [], own = []] = await ways.run(graph, {
		x: tensor(x, 1, 4, columns),
	});
	const [y] = own as [Float32Array];
	const [expected] = library as [Float32Array];
	t.ok(apart(y.subarray(0, 3), expected.subarray(0, 3)) < 1e-5, "the bias");
	for (const value of y.subarray(3, 9)) t.notOk(Number.isFinite(value));
	t.ok(apart(y.subarray(9), expected.subarray(9)) < 0.01, "who stands beside");
});

t.test(
	"an input of another width is refused, and the graph stays usable",
	{ skip: without("linear") },
	async (t) => {
		const graph = new GraphBuilder("wrong");
		const x = graph.input("x", "float32", ["R", "K"]);
		const weights = floats(random, 64);
		const layer = { name: "l", rows: 8, columns: 8, weights: () => weights };
		const y = new RowNumerics().linear(graph, x, layer);
		graph.output(y, "float32", ["R", 8]);
		const feeds = (width: number) => ({
			x: tensor(floats(random, width), 1, width),
		});
		await t.rejects(ways.own(graph, feeds(12)), { message: /another width/ });
		const given = await ways.run(graph, feeds(8));
		t.doesNotThrow(() => assertAlike(given, 0.01), "the right width");
	},
);

const soundSizes = [
	[1, 1, 1],
	[1, 2, 5],
	[2, 3, 63],
	[1, 1, 64],
	[1, 2, 131],
] as const;
alike(
	"a sound's attention to itself",
	soundSizes.map(([sounds, heads, positions]) => ({
		...{ is: "attention", seed: 1, sounds, heads, positions },
	})),
);

const lookSizes = [
	[1, 1, 1, 1, 1],
	[2, 3, 1, 2, 50],
	[1, 1, 13, 3, 67],
	[3, 2, 4, 2, 16],
	[1, 8, 1, 1, 129],
] as const;
alike(
	"a look at the sound, watched and not",
	lookSizes.flatMap(([sounds, beams, length, heads, positions]) =>
		[undefined, [0], [heads - 1, 0].slice(0, heads)].map((watched) => ({
			...{ is: "cross-attention", seed: 1, sounds, beams, length },
			...{ heads, positions, ...(watched && { watched }) },
		})),
	),
);

alike("what was said by a row's parent, and by the row", [
	{ is: "self-attention", seed: 1, length: 1, past: 5, parents: [2, 0, 0, 1] },
	{ is: "self-attention", seed: 1, length: 1, past: 33, parents: [1] },
	{ is: "self-attention", seed: 1, length: 7, past: 0, parents: [0] },
	{ is: "self-attention", seed: 1, length: 20, past: 16, parents: [2, 2] },
]);

t.test("zipformer's activations", { skip: without("swoosh") }, async (t) => {
	const graph = new GraphBuilder("swoosh");
	const x = graph.input("x", "float32", ["R", "L"]);
	for (const [i, swoosh] of [swooshL, swooshR].entries())
		graph.output(graph.call(swoosh, [x], [`y${i}`])[0] ?? "", "float32", [
			"R",
			"L",
		]);
	for (const [rows, columns] of [
		[0, 3],
		[1, 1],
		[3, 21],
		[70, 500],
	] as const) {
		const values = floats(random, rows * columns, 10);
		values.set([100, -100, 0, 4, 1, 1e-7, -90].slice(0, rows * columns));
		const given = await ways.run(graph, { x: tensor(values, rows, columns) });
		t.doesNotThrow(() => assertAlike(given, 1e-5), `${rows} x ${columns}`);
	}
	const none = tensor(Float32Array.of(Number.NaN, 1), 1, 2);
	const [, own = []] = await ways.run(graph, { x: none });
	for (const [first = 0, second = 0] of own)
		t.ok(Number.isNaN(first) && Number.isFinite(second));
});

t.test(
	"an invalid parent is refused",
	{ skip: without("self-attention") },
	async (t) => {
		for (const parents of [[3], [-1]])
			await t.rejects(
				ways.own(ofParents, saidFeeds({ length: 1, past: 4, parents }, random)),
				{ message: /do not fit together/ },
			);
	},
);

t.test(
	"queries of another width than the segment's are refused",
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
			q: tensor(floats(random, width), 1, 1, width),
			k: tensor(floats(random, 64 * 9), 1, 1, 64, 9),
			v: tensor(floats(random, 64 * positions), 1, 1, positions, 64),
			b: tensor(floats(random, 9), 1, 9),
		});
		const message = /do not fit together/;
		await t.rejects(ways.own(graph, feeds(128, 9)), { message });
		await t.rejects(ways.own(graph, feeds(64, 8)), { message });
		await t.resolves(ways.own(graph, feeds(64, 9)));
	},
);

t.test("any size", async (t) => {
	await holds(t, kernelsAreAlike(t), 10);
});
