/**
 * Runs on a device with memory of its own: what a run returns stays there until it is read or given to the next run, and an input that does not change is copied
 * there once. The device is a fake (test/fixtures/fake-device.c), and, as ONNX Runtime itself has it, the CPU's memory: a GPU was tried by hand (docs/processors.md).
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import t, { type Test } from "tap";
import { liveValues } from "../../drivers/onnx/capi/library.js";
import { openCustomLibrary } from "../../drivers/onnx/capi/session.js";
import { optionsText } from "../../drivers/onnx/capi/session-options.js";
import { stockLibraryPath } from "../../drivers/onnx/capi/stock-library.js";
import { openOnnx } from "../../drivers/onnx/session.js";
import {
	bytesOf,
	GraphBuilder,
} from "../../runtime/models/convert/graph-builder.js";
import type {
	InferenceSession,
	Tensor,
} from "../../runtime/models/inference-port.js";
import { decoderProbe } from "../../runtime/models/whisper/processor-probes.js";
import { compileLibrary, hasCompiler } from "../fixtures/c-compiler.js";
import { writeGraph } from "../published/tiny-graphs.js";
import { modelDirectory, readManifest } from "../whisper/packages.js";

const stock = stockLibraryPath();
const folder = t.testdir();
const path = join(folder, "sum.onnx");
writeGraph(path, sum(), {});
const port = openOnnx();
const fake = fakeDevice();
const options = {
	threads: 1,
	kernels: "none" as const,
	entries: {},
	providers: [],
};
/** Below and above the sizes at which inputs and outputs are passed in another way. */
const sizes = [0, 1, 1024, 8192, 8193, 100_003];

/** a + b, and a. */
function sum() {
	const builder = new GraphBuilder("sum");
	const a = builder.input("a", "float32", ["N"]);
	const b = builder.input("b", "float32", ["N"]);
	builder.op("Add", [a, b], {}, "sum");
	builder.op("Identity", [a], {}, "same");
	builder.output("sum", "float32", ["N"]);
	builder.output("same", "float32", ["N"]);
	return builder.build();
}

/** @returns its path; undefined without a compiler */
function fakeDevice(): string | undefined {
	const library = join(folder, "fake.so");
	const runtime = join(folder, "libcudart.so.13");
	const source = "test/fixtures/fake-device.c";
	if (!hasCompiler()) return undefined;
	compileLibrary(runtime, source, "-DRUNTIME", "-Wl,-soname,libcudart.so.13");
	compileLibrary(
		library,
		source,
		`-DREAL="${stock}"`,
		runtime,
		`-Wl,-rpath,${folder}`,
	);
	return library;
}

const ways = [
	{ name: "the CPU's memory", library: stock, device: "Cpu 0" },
	{ name: "a fake of a GPU's", library: fake, device: "Cuda 0" },
] as const;

/** A difference of two long arrays would take minutes to print. */
function same(t: Test, given: unknown, wanted: Float32Array, what = "") {
	const values = given as Float32Array;
	const equal = Buffer.compare(bytesOf(values), bytesOf(wanted)) === 0;
	const [found, expected] = [values, wanted].map((it) => [...it.slice(0, 3)]);
	t.ok(equal, `the same values ${what}`.trim(), { found, expected });
}

const numbers = (size: number, from = 0) =>
	Float32Array.from({ length: size }, (_, i) => from + i);
const tensor = (values: Float32Array, isConstant = false) =>
	port.tensor("float32", values, [values.length], isConstant);

async function valuesOf(session: InferenceSession, a: Tensor, b: Tensor) {
	const { sum } = await session.run({ a, b }, ["sum"]);
	const values = Float32Array.from(sum?.data as Float32Array);
	sum?.dispose();
	return values;
}

// before the fake is loaded, whose library of CUDA the process then has
t.test(
	"without the means to read a device, results are copied by each run",
	async (t) => {
		const session = openCustomLibrary(stock, path, {
			...options,
			device: "Cuda 0",
		});
		same(
			t,
			await valuesOf(session, tensor(numbers(9000)), tensor(numbers(9000))),
			numbers(9000).map((it) => 2 * it),
		);
		await session.close();
	},
);

for (const { name, library, device } of ways)
	t.test(name, { skip: library === undefined && "no cc" }, async (t) => {
		const open = (graph: string) =>
			openCustomLibrary(library as string, graph, { ...options, device });
		const session = open(path);
		t.teardown(() => session.close());
		const isFake = library === fake;

		t.test("values come back, and are given to the next run", async (t) => {
			await nextTurn();
			const before = liveValues();
			for (const size of sizes) {
				const found = await session.run(
					{ a: tensor(numbers(size)), b: tensor(numbers(size, 5)) },
					["sum", "same"],
				);
				const again = await session.run(
					{ a: found.sum as Tensor, b: found.same as Tensor },
					["sum"],
				);
				same(
					t,
					again.sum?.data,
					numbers(size).map((it) => 3 * it + 5),
					`${size}`,
				);
				const into = tensor(new Float32Array(size));
				const once = await session.run(
					{ a: again.sum as Tensor, b: found.same as Tensor },
					["sum", "same"],
					{ sum: into },
				);
				t.equal(once.sum, into);
				same(
					t,
					into.data,
					numbers(size).map((it) => 4 * it + 5),
					`${size}`,
				);
				same(t, once.same?.data, again.sum?.data as Float32Array);
				for (const it of [found, again, once])
					for (const one of Object.values(it)) one.dispose();
				await nextTurn();
				t.equal(liveValues(), before, "nothing is left behind");
			}
		});

		t.test(
			"a constant is copied once, everything else each time",
			async (t) => {
				for (const size of [3, 50_000]) {
					const changing = numbers(size);
					const constant = numbers(size);
					const [a, b] = [tensor(changing), tensor(constant, true)];
					same(
						t,
						await valuesOf(session, a, b),
						numbers(size).map((it) => 2 * it),
					);
					changing.fill(1);
					same(
						t,
						await valuesOf(session, a, b),
						numbers(size).map((it) => it + 1),
					);
					// only to see it: whoever says that values are constant does not change them
					constant.fill(7);
					const kept = isFake ? numbers(size) : constant;
					same(
						t,
						await valuesOf(session, a, b),
						kept.map((it) => it + 1),
					);
					same(
						t,
						await valuesOf(session, a, tensor(constant, true)),
						numbers(size).fill(8),
						"another one over the same array",
					);
					same(
						t,
						await valuesOf(session, b, a),
						constant.map((it) => it + 1),
						"at another place",
					);
				}
			},
		);

		t.test("a run that fails leaves nothing behind", async (t) => {
			await nextTurn();
			const before = liveValues();
			const a = tensor(numbers(10), true);
			const whole = port.tensor("int32", new Int32Array(10), [10]);
			await t.rejects(session.run({ a, b: whole }, ["sum"]));
			await t.rejects(session.run({ a }, ["sum"]), /b/);
			await t.rejects(session.run({ a, b: tensor(numbers(7)) }, ["sum"]));
			await t.rejects(
				session.run({ a, b: a }, ["sum"], { sum: tensor(numbers(11)) }),
			);
			t.equal(liveValues(), before);
			same(
				t,
				await valuesOf(session, a, a),
				numbers(10).map((it) => 2 * it),
			);
		});

		t.test("rows are searched", async (t) => {
			const rows = numbers(20_000);
			const { same } = await session.run({ a: tensor(rows), b: tensor(rows) }, [
				"same",
			]);
			const found = same?.likeliestOfRows?.({ first: 0, count: 1, most: 2 });
			t.strictSame([...(found?.tokens ?? [])], [19_999, 19_998]);
			t.strictSame(found?.areFinite, true);
			same?.dispose();
		});

		if (!isFake) return;
		t.test("a decoder gives the same, bit for bit", async (t) => {
			const shape = readManifest(modelDirectory).whisper;
			if (!shape) throw new Error("not a Whisper package");
			const graph = join(modelDirectory, "decoder.onnx");
			const found: Float32Array[] = [];
			for (const session of [
				openCustomLibrary(stock, graph, options),
				open(graph),
			]) {
				found.push(await decoderProbe(shape).answers(port, session));
				await session.close();
			}
			same(t, found[1], found[0] as Float32Array);
		});
	});

t.test(
	"NVIDIA's providers have a device, and do not search for convolutions unless told to",
	async (t) => {
		const linesOf = (...providers: string[]) =>
			optionsText({ ...options, providers })
				.split("\n")
				.slice(2);
		t.strictSame(linesOf("CUDA device_id=1"), [
			"provider CUDA",
			"option cudnn_conv_algo_search HEURISTIC",
			"option device_id 1",
			"device Cuda 1",
		]);
		t.strictSame(
			linesOf("TensorRT a=b", "CUDA cudnn_conv_algo_search=EXHAUSTIVE"),
			[
				"provider TensorRT",
				"option a b",
				"provider CUDA",
				"option cudnn_conv_algo_search EXHAUSTIVE",
				"device Cuda 0",
			],
		);
		t.strictSame(linesOf("XNNPACK"), ["provider XNNPACK"]);
		t.strictSame(linesOf(), []);
	},
);

t.test(
	"attention is not left to cuDNN, unless the environment says so",
	async (t) => {
		const wanted = "ORT_ENABLE_CUDNN_FLASH_ATTENTION";
		const code = `await import("./build/drivers/onnx/session.js"); process.stdout.write(process.env.${wanted});`;
		for (const [given, found] of [
			["", "0"],
			["1", "1"],
		] as const)
			t.equal(
				execFileSync(process.execPath, ["--input-type=module", "-e", code], {
					encoding: "utf8",
					env: { ...process.env, [wanted]: given },
				}),
				found,
			);
	},
);
