/** Unusable graphs, which are refused before anything runs them; and usable ones. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import t, { type Test } from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import { GraphBuilder } from "../../runtime/models/convert/graph-builder.js";
import { modelParts } from "../../runtime/models/convert/onnx-file.js";
import type { GraphNode } from "../../runtime/models/convert/onnx-format.js";
import { checkGraph } from "../../runtime/models/package/graph-check.js";
import { field } from "./onnx-bytes.js";

const nan16 = 0x7e01;
/** A NaN other than JavaScript's. */
const nan32 = 0xffc00001;

function graphOf(values: Float32Array, halves = new Uint16Array(4)) {
	const graph = new GraphBuilder("one");
	const x = graph.input("x", "float32", [values.length]);
	const bias = graph.floats("bias", [values.length], () => values);
	const half = graph.initializer("half", "float16", [halves.length], () =>
		Uint8Array.from(new Uint8Array(halves.buffer)),
	);
	graph.op("Add", [x, bias], {}, "sum");
	graph.op("Identity", [half], {}, "halved");
	graph.output("sum", "float32", [values.length]);
	graph.output("halved", "float16", [halves.length]);
	return graph.build();
}

function bytesOf(...[graph]: Parameters<typeof modelParts>): Buffer {
	return Buffer.concat([...modelParts(graph)].map((it) => it.bytes));
}

function written(t: Test, bytes: Buffer): string {
	const path = join(t.testdir({}), "model.onnx");
	writeFileSync(path, bytes);
	return path;
}

t.test("a NaN is found wherever it is", async (t) => {
	// also at the boundaries of reads
	for (const at of [0, 1, 262_143, 262_144, 299_999]) {
		const values = new Float32Array(300_000);
		new Uint32Array(values.buffer)[at] = nan32;
		const message = /its weights "bias" contain NaN/;
		await t.rejects(checkGraph(written(t, bytesOf(graphOf(values)))), {
			name: "PackageError",
			message,
		});
	}
	const halves = Uint16Array.of(1, 2, 3, nan16);
	await t.rejects(
		checkGraph(written(t, bytesOf(graphOf(new Float32Array(3), halves)))),
		{ message: /its weights "half" contain NaN/ },
	);
});

t.test("all other values pass, including infinities", async (t) => {
	const values = Float32Array.of(
		Number.POSITIVE_INFINITY,
		Number.NEGATIVE_INFINITY,
		-0,
		1e-45,
		3.4e38,
	);
	const halves = Uint16Array.of(0x7c00, 0xfc00, 0x7bff, 1);
	await t.resolves(checkGraph(written(t, bytesOf(graphOf(values, halves)))));
	for (const file of ["encoder", "decoder"])
		await t.resolves(checkGraph(`models/whisper-base/${file}.onnx`));
	await t.resolves(checkGraph("models/silero-vad/silero_vad.onnx"));
	await t.resolves(checkGraph("models/campplus-zh-en/campplus.onnx"));
	await t.resolves(checkGraph("models/segmentation-3.0/segmentation.onnx"));
});

t.test(
	"a foreign operator is refused by name, a function of the file is accepted",
	async (t) => {
		const graph = graphOf(new Float32Array(3));
		const alien: GraphNode = {
			op: "Frobnicate",
			domain: "com.example",
			inputs: ["sum"],
			outputs: ["more"],
			attributes: {},
		};
		const bytes = bytesOf({ ...graph, nodes: [...graph.nodes, alien] });
		const path = written(t, bytes);
		await t.rejects(checkGraph(path, "tiny: model.onnx"), {
			name: "PackageError",
			message:
				/^tiny: model\.onnx needs the operator "Frobnicate" of "com\.example", which/,
		});
		await t.rejects(
			openOnnx().open(path, { threads: 1 }),
			{ message: /com.example/ },
			"nor is it loaded",
		);
		const own = field(25, field(1, "Frobnicate"), field(10, "com.example"));
		await checkGraph(written(t, Buffer.concat([bytes, own])));
		const inner = field(
			25,
			field(1, "F"),
			field(7, field(4, "G"), field(7, "x")),
		);
		await t.rejects(
			checkGraph(written(t, Buffer.concat([bytesOf(graph), inner]))),
			{
				message: /needs the operator "G" of "x"/,
			},
		);
		// a branch of an If
		const branch = field(6, field(1, field(4, "H"), field(7, "y")));
		const node = field(7, field(1, field(4, "If"), field(5, branch)));
		await t.rejects(
			checkGraph(written(t, Buffer.concat([bytesOf(graph), node]))),
			{
				message: /needs the operator "H" of "y"/,
			},
		);
	},
);

t.test(
	"weights in another file are refused: it could be any file",
	async (t) => {
		const graph = bytesOf(graphOf(new Float32Array(3)));
		const tensor = field(5, field(8, "w"), field(13, field(2, "/etc/passwd")));
		await t.rejects(
			checkGraph(written(t, Buffer.concat([graph, field(7, tensor)]))),
			{ message: /model\.onnx keeps its weights in another file/ },
		);
	},
);

t.test(
	"weights in another file of the package are accepted, if they are there",
	async (t) => {
		const graph = graphOf(new Float32Array(300));
		const placed = (offset: number) => ({
			...graph,
			initializers: graph.initializers.map((one) =>
				one.name === "bias"
					? { ...one, place: { file: "other.onnx", offset } }
					: one,
			),
		});
		const values = new Uint32Array(500);
		const check = (bytes: Buffer, file = "other.onnx") => {
			const path = written(t, bytes);
			const other = join(dirname(path), "weights");
			writeFileSync(other, values);
			const there = { path: other, bytes: values.byteLength };
			return checkGraph(path, "model.onnx", new Map([[file, there]]));
		};
		await check(bytesOf(placed(0)));
		await check(bytesOf(placed(800)));
		await t.rejects(check(bytesOf(placed(801))), {
			message: /are beyond the end of "other.onnx"/,
		});
		await t.rejects(check(bytesOf(placed(0)), "another.onnx"), {
			message: /model\.onnx keeps its weights in another file/,
		});
		const initializers = graph.initializers.map((one) =>
			one.name === "bias"
				? { ...one, dims: [299], place: { file: "other.onnx", offset: 0 } }
				: one,
		);
		const fewer = bytesOf({ ...graph, initializers });
		const [at] = [fewer.indexOf("1196")];
		fewer.write("1200", at);
		await t.rejects(check(fewer), {
			message: /do not fit their place in another file/,
		});
		values[300] = nan32;
		await check(bytesOf(placed(0)));
		for (const offset of [800, 4])
			await t.rejects(check(bytesOf(placed(offset))), {
				message: /its weights "bias" contain NaN/,
			});
		values.fill(0);
		const often = placed(0).initializers.flatMap((it) => Array(8).fill(it));
		await t.rejects(check(bytesOf({ ...graph, initializers: often })), {
			message: /its weights "bias" use another file too often/,
		});
	},
);

t.test(
	"a file that is not a graph is refused, wherever it is truncated",
	async (t) => {
		const bytes = bytesOf(graphOf(new Float32Array(30)));
		for (let length = 0; length < bytes.length; length++)
			await checkGraph(written(t, bytes.subarray(0, length))).then(
				() => t.ok(length > 20, `${length} bytes`),
				(error: Error) =>
					t.match(
						error.message,
						/model\.onnx is not an ONNX file, or was truncated/,
					),
			);
		await t.rejects(checkGraph(written(t, readFileSync("LICENSE"))), {
			name: "PackageError",
		});
		const deep = (depth: number): Buffer =>
			depth === 0
				? field(1, field(4, "Add"))
				: field(1, field(4, "If"), field(5, field(6, deep(depth - 1))));
		await checkGraph(written(t, field(7, deep(16))));
		await t.rejects(checkGraph(written(t, field(7, deep(17)))), {
			message: /graphs are nested too deeply/,
		});
	},
);
