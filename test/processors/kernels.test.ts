/** Our kernels (drivers/onnx/capi/kernels/kernels.h) against the operators that they replace: odd sizes, several threads, and NaN. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import t from "tap";
import { kernelsOf } from "../../drivers/onnx/capi/library.js";
import { HostTensor } from "../../drivers/onnx/host-tensor.js";
import { crossAttention } from "../../runtime/models/convert/attention-functions.js";
import { GraphBuilder } from "../../runtime/models/convert/graph-builder.js";
import type { LayerUse } from "../../runtime/models/convert/numerics.js";
import { RowNumerics } from "../../runtime/models/convert/row-numerics.js";
import {
	swooshL,
	swooshR,
} from "../../runtime/models/convert/zipformer/swoosh.js";
import type {
	KernelChoice,
	KernelLevel,
} from "../../runtime/models/inference-port.js";
import { holds } from "../fuzz/holds.js";
import { randomOf } from "../fuzz/random.js";
import {
	built,
	type KernelCase,
	kernelsAreAlike,
	layerGraph,
	ofParents,
	selfAttentionFeeds,
} from "./kernels.property.js";
import {
	apart,
	assertAlike,
	floats,
	layerWeights,
	levels,
	tensor,
	Ways,
} from "./ways.js";

/** Where there is one kernel there are all of them. */
const skip = levels.length > 0 ? false : "this processor has no kernels";
const random = randomOf(1);
const ways = new Ways(t.testdir());

function alike(name: string, cases: readonly KernelCase[]): void {
	t.test(name, { skip }, async (t) => {
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
			is: "linear",
			seed: 1,
			use,
			rows,
			columns,
			outputs,
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

t.test("rows of zeros, and of NaN", { skip }, async (t) => {
	const columns = 20;
	const graph = layerGraph({ columns, outputs: 3 }, {}, random);
	const x = floats(random, 4 * columns);
	x.fill(0, 0, columns);
	x[columns + 19] = Number.NaN;
	x[2 * columns] = Number.POSITIVE_INFINITY;
	const [library = [], ...ours] = await ways.run(graph, {
		x: tensor(x, 1, 4, columns),
	});
	const [expected] = library as [Float32Array];
	for (const [y] of ours as [Float32Array][]) {
		t.ok(apart(y.subarray(0, 3), expected.subarray(0, 3)) < 1e-5, "the bias");
		for (const value of y.subarray(3, 9)) t.notOk(Number.isFinite(value));
		t.ok(apart(y.subarray(9), expected.subarray(9)) < 0.01, "its neighbours");
	}
});

t.test(
	"an input of another width is refused, and the graph stays usable",
	{ skip },
	async (t) => {
		const graph = new GraphBuilder("wrong");
		const x = graph.input("x", "float32", ["R", "K"]);
		const weights = layerWeights(random, 8, 8);
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
		is: "attention",
		seed: 1,
		sounds,
		heads,
		positions,
	})),
);

const crossAttentionSizes = [
	[1, 1, 1, 1, 1],
	[2, 3, 1, 2, 50],
	[1, 1, 13, 3, 67],
	[3, 2, 4, 2, 16],
	[1, 8, 1, 1, 129],
] as const;
alike(
	"cross-attention, watched and not",
	crossAttentionSizes.flatMap(([sounds, beams, length, heads, positions]) =>
		[undefined, [0], [heads - 1, 0].slice(0, heads)].map((watched) => ({
			is: "cross-attention",
			seed: 1,
			sounds,
			beams,
			length,
			heads,
			positions,
			...(watched && { watched }),
		})),
	),
);

alike("self-attention to the past of a row's parent, and to the row", [
	{ is: "self-attention", seed: 1, length: 1, past: 5, parents: [2, 0, 0, 1] },
	{ is: "self-attention", seed: 1, length: 1, past: 33, parents: [1] },
	{ is: "self-attention", seed: 1, length: 7, past: 0, parents: [0] },
	{ is: "self-attention", seed: 1, length: 20, past: 16, parents: [2, 2] },
]);

const vocabularySizes = [
	[1, 1, 4, 17, [0, 0], 1],
	[5, 1, 64, 256, [200, 56], 3],
	[5, 1, 64, 257, [256, 1], 0],
	[2, 3, 512, 1100, [250, 600], 6],
	[3, 2, 96, 9000, [300, 700], 2],
	[40, 1, 32, 3000, [1, 300], 5],
] as const;
alike(
	"the likeliest tokens of a vocabulary, and those that are asked for",
	vocabularySizes.flatMap(
		([rows, positions, columns, tokens, forbidden, extras]) =>
			[true, false].map((isSure) => ({
				is: "vocabulary" as const,
				seed: 1,
				isSure,
				rows,
				positions,
				columns,
				tokens,
				forbidden,
				extras,
			})),
	),
);

t.test("of no rows, nothing", { skip }, async (t) => {
	const { graph, feeds } = built({
		is: "vocabulary",
		seed: 1,
		isSure: true,
		forbidden: [0, 0],
		rows: 0,
		positions: 1,
		columns: 8,
		tokens: 40,
		extras: 2,
	});
	const [given = []] = await ways.own(graph, feeds);
	t.same(
		given.map(({ length }) => length),
		[0, 0, 0],
	);
});

t.test("ids that are no tokens are refused", { skip }, async (t) => {
	const [rows, positions, columns, tokens, extras] = [2, 1, 8, 40, 1];
	const { graph, feeds } = built({
		is: "vocabulary",
		seed: 1,
		isSure: true,
		forbidden: [0, 0],
		rows,
		positions,
		columns,
		tokens,
		extras,
	});
	for (const id of [-1, tokens]) {
		const ids = new HostTensor("int32", Int32Array.of(3, id), [2, 1, 1]);
		const wrong = ways.own(graph, { ...feeds, extra_ids: ids });
		await t.rejects(wrong, { message: /no token/ });
	}
	const given = await ways.run(graph, feeds);
	t.doesNotThrow(() => assertAlike(given, 1e-4), "the graph stays usable");
});

t.test("zipformer's activations", { skip }, async (t) => {
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
	const [, ...ours] = await ways.run(graph, { x: none });
	for (const [first = 0, second = 0] of ours.flat())
		t.ok(Number.isNaN(first) && Number.isFinite(second));
});

t.test("an invalid parent is refused", { skip }, async (t) => {
	for (const parents of [[3], [-1]])
		await t.rejects(
			ways.own(
				ofParents,
				selfAttentionFeeds({ length: 1, past: 4, parents }, random),
			),
			{ message: /do not fit together/ },
		);
});

t.test(
	"queries of another width than the segment's are refused",
	{ skip },
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

t.test("a level that is forced has no better kernels", { skip }, (t) => {
	t.ok(kernelsOf("none").every((it) => it.instructions === undefined));
	const lowest = levels[0] as KernelLevel;
	for (const { instructions, refused } of kernelsOf(lowest)) {
		t.equal(instructions, lowest);
		for (const { why, isFault } of refused) {
			t.match(why, /does not (have|allow) it/);
			t.notOk(isFault);
		}
	}
	t.throws(() => kernelsOf("sse" as KernelLevel), /no such level .* sse/);
	t.end();
});

t.test(
	"a processor that lies: the level below, and the reason",
	{ skip },
	(t) => {
		const best = kernelsOf("auto")[0]?.instructions;
		for (const [fault, why] of [
			["illegal", /refuses it \(SIGILL\)/],
			["wrong", /results differ/],
		] as const) {
			const [linear, ...others] = kernelsWith(`${fault}:${best}`);
			t.not(linear?.instructions, best);
			t.match(
				linear?.refused.find((it) => it.instructions === best),
				{ why, isFault: true },
			);
			// with the lowest level there is nothing below it for those of that level
			const refuses = (it: KernelChoice) =>
				it.refused.some(({ instructions }) => instructions === best);
			t.ok(
				others.every((it) => it.instructions || refuses(it)),
				"the others are used",
			);
		}
		t.end();
	},
);

/** In a process of its own: what was proved once is not tried again. */
function kernelsWith(fault: string): KernelChoice[] {
	const library = resolve("build/drivers/onnx/capi/library.js");
	const script = `import { kernelsOf } from ${JSON.stringify(library)}; console.log(JSON.stringify(kernelsOf("auto")))`;
	const given = ["--input-type=module", "--eval", script];
	const env = { ...process.env, EARSHOT_KERNELS_FAULT: fault };
	return JSON.parse(
		execFileSync(process.execPath, given, { env, encoding: "utf8" }),
	);
}

t.test("any size", async (t) => {
	await holds(t, kernelsAreAlike(t), 10);
});
