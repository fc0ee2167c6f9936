/** Graphs that have constants in common hold them once, and compute what they compute with their own. */
import {
	copyFileSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { liveValues } from "../../drivers/onnx/capi/library.js";
import { openOnnx } from "../../drivers/onnx/session.js";
import { openRecognizer } from "../../runtime/engine/child/recognizers.js";
import {
	bytesOf,
	GraphBuilder,
} from "../../runtime/models/convert/graph-builder.js";
import type { Graph } from "../../runtime/models/convert/onnx-format.js";
import { RowNumerics } from "../../runtime/models/convert/row-numerics.js";
import type {
	InferenceSession,
	SharedConstants,
} from "../../runtime/models/inference-port.js";
import { loadPackage } from "../../runtime/models/package/model-package.js";
import { storedConstants } from "../../runtime/models/package/stored-constants.js";
import { randomOf } from "../fuzz/random.js";
import { modelDirectory } from "../whisper/packages.js";
import { writtenGraph } from "./small-graph.js";
import { floats, levels, tensor } from "./ways.js";

const skip = levels.length > 0 ? false : "this processor has no kernels";
const port = openOnnx();
/** Of a layer whose weights are 8 MB. */
const [rows, columns] = [2048, 4096];
const bytesMin = 64 * 1024;
const kept = mkdtempSync(join(tmpdir(), "earshot-constants-"));
t.teardown(() => rmSync(kept, { recursive: true, force: true }));

/** A layer. Once or twice: different graphs with the same constants. */
function layerGraph(seed: number, times: 1 | 2): Graph {
	const graph = new GraphBuilder("layer");
	const row = floats(randomOf(seed), columns, 0.01);
	const weights = () => {
		const all = new Float32Array(rows * columns);
		for (let at = 0; at < all.length; at += columns) all.set(row, at);
		return all;
	};
	const layer = { name: "layer", rows, columns, weights };
	const numerics = new RowNumerics();
	const x = graph.input("x", "float32", ["R", columns]);
	const once = () => numerics.linear(graph, x, layer);
	const y = times === 1 ? once() : graph.op("Add", [once(), once()]);
	graph.output(y, "float32", ["R", rows]);
	return graph.build();
}

/** The same in all tests: a layer's eight million weights take a second to make. */
let made: ReturnType<typeof madeGraphs> | undefined;

/** Both graphs, and where the first one's constants are: the other one's are there too. */
async function madeGraphs(folder: string) {
	const one = await writtenGraph(folder, "one.onnx", layerGraph(1, 1));
	const constants = await storedConstants(one, bytesMin);
	const [weights] = constants;
	const two = layerGraph(1, 2);
	const placed = two.initializers.map((it) =>
		it.name === weights?.name
			? { ...it, place: { file: "one.onnx", offset: weights.offset } }
			: it,
	);
	await writtenGraph(folder, "two.onnx", { ...two, initializers: placed });
	return { constants };
}

/** A test's own copies of them. */
async function twoGraphs(folder: string) {
	made ??= madeGraphs(kept);
	const { constants } = await made;
	const [one = "", two = ""] = ["one.onnx", "two.onnx"].map((name) => {
		copyFileSync(join(kept, name), join(folder, name));
		return join(folder, name);
	});
	return { one, two, shared: { file: one, constants } };
}

async function outputOf(session: InferenceSession): Promise<Float32Array> {
	const x = tensor(floats(randomOf(7), 2 * columns), 2, columns);
	const name = session.outputNames[0] as string;
	const { [name]: y } = await session.run({ x }, [name]);
	const values = Float32Array.from(y?.data as Float32Array);
	y?.dispose();
	return values;
}

/** Arrays of thousands: what differs would be a long list. */
function isSame(one: Float32Array, other: Float32Array | undefined): boolean {
	return (
		other !== undefined && Buffer.compare(bytesOf(one), bytesOf(other)) === 0
	);
}

const open = (path: string, shared?: SharedConstants) =>
	port.open(path, { threads: 1, shared });

/** Pages of a file that are in this process's memory, in bytes. */
function residentBytesOf(file: string): number {
	let bytes = 0;
	let isOfFile = false;
	for (const line of readFileSync("/proc/self/smaps", "utf8").split("\n")) {
		if (/^[0-9a-f]+-/.test(line)) isOfFile = line.endsWith(file);
		const [, kilobytes] = /^Rss: +(\d+) kB/.exec(line) ?? [];
		if (isOfFile && kilobytes) bytes += 1024 * Number(kilobytes);
	}
	return bytes;
}

t.test("constants of a file, and where their values are", async (t) => {
	const { one, shared } = await twoGraphs(t.testdir());
	const [weights, ...others] = shared.constants;
	t.match(weights, {
		name: "layer/weight",
		type: 3,
		dims: [rows / 64, columns / 4, 64, 4],
		bytes: rows * columns,
	});
	t.strictSame(others, [], "smaller ones are left out");
	const file = readFileSync(one);
	const { offset = 0, bytes = 0 } = weights ?? {};
	const stored = layerGraph(1, 1).initializers.find(
		(it) => it.name === "layer/weight",
	);
	t.equal(
		Buffer.compare(
			file.subarray(offset, offset + bytes),
			stored?.bytes() ?? Buffer.alloc(0),
		),
		0,
	);
});

t.test(
	"two graphs hold them once, until the last one is closed",
	{ skip },
	async (t) => {
		const { one, two, shared } = await twoGraphs(t.testdir());
		const expected: Float32Array[] = [];
		for (const path of [one, two]) {
			const alone = await open(path);
			expected.push(await outputOf(alone));
			await alone.close();
		}
		const before = liveValues();
		const first = await open(one, shared);
		t.equal(liveValues(), before + 1);
		const resident = process.memoryUsage.rss();
		const second = await open(two, shared);
		const grown = process.memoryUsage.rss() - resident;
		t.ok(
			grown < (rows * columns) / 2,
			`${grown} bytes more for the second one`,
		);
		t.equal(residentBytesOf("/one.onnx"), 0, "it maps nothing of the file");
		t.ok(isSame(await outputOf(first), expected[0]));
		t.ok(isSame(await outputOf(second), expected[1]));
		await first.close();
		t.ok(
			isSame(await outputOf(second), expected[1]),
			"the other one is closed",
		);
		await second.close();
		t.equal(liveValues(), before);
		const again = await open(two, shared);
		t.ok(isSame(await outputOf(again), expected[1]));
		await again.close();
		t.equal(liveValues(), before);
	},
);

t.test(
	"a file that took the place of another is another",
	{ skip },
	async (t) => {
		const folder = t.testdir({ later: {} });
		const { one, shared } = await twoGraphs(folder);
		const before = await open(one, shared);
		const old = await outputOf(before);
		const later = await writtenGraph(
			`${folder}/later`,
			"one.onnx",
			layerGraph(2, 1),
		);
		renameSync(later, one);
		const after = await open(one, shared);
		t.notOk(isSame(await outputOf(after), old));
		const alone = await open(one);
		t.ok(isSame(await outputOf(after), await outputOf(alone)));
		t.ok(isSame(await outputOf(before), old));
		for (const it of [before, after, alone]) await it.close();
	},
);

t.test(
	"places that cannot be are refused, and nothing stays",
	{ skip },
	async (t) => {
		const { one, shared } = await twoGraphs(t.testdir());
		const [weights] = shared.constants;
		if (!weights) throw new Error("no constant");
		const before = liveValues();
		const but = (change: Partial<typeof weights>): SharedConstants => ({
			...shared,
			constants: [weights, { ...weights, name: "other", ...change }],
		});
		for (const [given, message] of [
			[
				{ ...shared, file: "/nowhere/one.onnx" },
				/nowhere.*can't be opened: No such file/,
			],
			[{ ...shared, file: "/" }, /ends before them|can't be read/],
			[but({ offset: weights.offset + 1e6 }), /ends before them/],
			[but({ offset: 2 ** 52 }), /ends before them/],
			[but({ offset: -1 }), /ends before them/],
			[but({ dims: [2 ** 40, 2 ** 40] }), /impossible shape/],
			[but({ dims: [-1, 4] }), /impossible shape/],
			[but({ dims: [] }), /impossible shape/],
			[but({ dims: Array(9).fill(1) }), /impossible shape/],
			[but({ type: 8 }), /ends before them|impossible shape/],
			[but({ type: 999 }), /ends before them|impossible shape/],
			[but({ name: weights.name }), /already been added/],
		] as const)
			await t.rejects(open(one, given), { message });
		t.equal(liveValues(), before);
		const session = await open(one, but({}));
		t.equal(
			(await outputOf(session)).length,
			2 * rows,
			"a name it does not have",
		);
		await session.close();
		const named = await open(one, { ...shared, file: `${one}\nthreads 3` });
		t.equal((await outputOf(named)).length, 2 * rows, "its own values");
		await named.close();
	},
);

t.test("a whisper's scorer has no weights of its own", { skip }, async (t) => {
	const refiner = {
		refiner: {
			languages: ["zh-cmn-Hans-CN"] as const,
			follow: async () => {},
			refine: async () => undefined,
		},
	};
	const opened = await loadPackage(modelDirectory);
	const options = { threads: 1, processor: "cpu" } as const;
	const recognizer = await openRecognizer(port, opened, options, refiner);
	t.teardown(() => recognizer.close());
	const mapped = residentBytesOf("/whisper-base/decoder.onnx");
	t.ok(mapped < 4e6, `${mapped} bytes of the decoder's file are mapped`);
});
