/**
 * A vendor's ONNX Runtime. The included one is used in its place: its results must match the npm package's, bit for bit. Libraries that are broken in
 * all known ways are refused with a reason, and the CPU is used.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { arch } from "node:os";
import { join, resolve } from "node:path";
import t from "tap";
import { openCustomLibrary } from "../../drivers/onnx/capi/session.js";
import { stockLibraryPath } from "../../drivers/onnx/capi/stock-library.js";
import { openPackaged } from "../../drivers/onnx/packaged.js";
import { openOnnx } from "../../drivers/onnx/session.js";
import { openCore } from "../../runtime/engine/child/open-core.js";
import { engineHealth } from "../../runtime/engine/health.js";
import { bytesOf } from "../../runtime/models/convert/graph-builder.js";
import type {
	InferenceSession,
	Tensor,
	TensorData,
	TensorType,
} from "../../runtime/models/inference-port.js";
import {
	decoderProbe,
	encoderProbe,
} from "../../runtime/models/whisper/processor-probes.js";
import { realLane } from "../engine/real-lane.js";
import { compileLibrary, hasCompiler } from "../fixtures/c-compiler.js";
import { modelDirectory, readManifest } from "../whisper/packages.js";
import { outputOf, probe, smallGraph, typesGraph } from "./small-graph.js";

const stock = stockLibraryPath();
const native = "drivers/onnx/capi/native";
const options = {
	threads: 1,
	kernels: "none" as const,
	entries: {},
	providers: [],
};
const folder = t.testdir();
const small = await smallGraph(folder);
const types = await typesGraph(folder);
const port = openOnnx();
/** Another engine that is started twice: 4 s. */
const allCrashes = process.env.EARSHOT_TEST_PROCESSORS !== undefined;
const noCompiler = hasCompiler() ? false : "no cc";

/** A library of test/fixtures/fake-onnxruntime.c. */
function faulty(fault: number): string {
	const path = join(folder, `fault-${fault}.so`);
	const source = "test/fixtures/fake-onnxruntime.c";
	compileLibrary(path, source, `-DFAULT=${fault}`, `-DREAL="${stock}"`);
	return path;
}

async function choiceOf(library: string, customProviders: string[] = []) {
	const session = await openOnnx({ customProviders }).open(small, {
		threads: 1,
		processor: { wanted: `custom:${library}`, probe },
	});
	t.equal((await outputOf(port, session)).length, 72, "it computes");
	await session.close();
	return session.choice;
}

t.test("the same library gives the same results, bit for bit", async (t) => {
	const shape = readManifest(modelDirectory).whisper;
	if (!shape) throw new Error("not a Whisper package");
	for (const [file, { answers }] of [
		["encoder.onnx", encoderProbe(shape)],
		["decoder.onnx", decoderProbe(shape)],
	] as const) {
		const path = join(modelDirectory, file);
		const npm = await openPackaged(path, { threads: 1 }, "cpu");
		const custom = openCustomLibrary(stock, path, options);
		t.strictSame(custom.inputs, npm.inputs);
		t.strictSame(custom.outputNames, npm.outputNames);
		const expected = await answers(port, npm);
		t.ok(expected.length > 0);
		const given = await answers(port, custom);
		t.equal(Buffer.compare(bytesOf(given), bytesOf(expected)), 0, file);
		await npm.close();
		await custom.close();
	}
});

t.test("an engine recognizes with it", async (t) => {
	const settings = {
		modelFolder: modelDirectory,
		voiceActivityFolder: "models/silero-vad",
		speakerFolder: "models/campplus-zh-en",
		threads: 1,
		recognizers: 1,
		beam: 2,
		spoolFolder: t.testdir(),
		spoolBytesMax: 1e6,
		verify: false,
	};
	const core = await openCore({ ...settings, processor: `custom:${stock}` });
	t.teardown(() => core.close());
	t.strictSame(core.processors, [
		{ graph: "encoder.onnx", used: `custom:${stock}`, refused: [] },
		{ graph: "decoder.onnx", used: `custom:${stock}`, refused: [] },
	]);
	const given = await core.probe();
	const cpu = await openCore({ ...settings, processor: "cpu" });
	t.teardown(() => cpu.close());
	t.equal(given.text, (await cpu.probe()).text);
	t.strictSame(given.wordsMissing, []);
});

t.test("tensors of every type are returned unchanged", async (t) => {
	const npm = await openPackaged(types, { threads: 1 }, "cpu");
	const custom = openCustomLibrary(stock, types, options);
	const given: [TensorType, TensorData][] = [
		["float32", Float32Array.of(1.5, -0, Number.NaN, 1e-40)],
		["int32", Int32Array.of(1, -2, 2 ** 31 - 1, 0)],
		["int64", BigInt64Array.of(1n, -2n, 2n ** 62n, 0n)],
		["bool", Uint8Array.of(0, 1, 1, 0)],
	];
	/** As an output's name says, from one library to the next and back again. */
	let tensors: Record<string, Tensor> = Object.fromEntries(
		given.map(([type, data]) => [type, port.tensor(type, data, [2, 2])]),
	);
	const through = async (session: InferenceSession) => {
		const feeds = Object.fromEntries(
			given.map(([type]) => [`${type}_in`, tensors[type] as Tensor]),
		);
		const names = given.map(([type]) => type);
		const made = await session.run(feeds, names);
		for (const type of names) tensors[type]?.dispose();
		tensors = made;
	};
	for (const session of [custom, custom, npm, custom, npm])
		await through(session);
	for (const [type, data] of given) {
		t.match(tensors[type], { type, dims: [2, 2] });
		t.strictSame(tensors[type]?.data, data, type);
	}
	const none = port.tensor("float32", new Float32Array(0), [0, 2]);
	tensors.float32 = none;
	await through(custom);
	t.match(tensors.float32, { dims: [0, 2] });
	t.equal(tensors.float32?.data.length, 0);
});

t.test(
	"a run that fails reports the reason, and the next one works",
	async (t) => {
		const session = openCustomLibrary(stock, small, options);
		const wide = port.tensor("float32", new Float32Array(4), [1, 4]);
		await t.rejects(session.run({ x: wide }, ["y"]), /Got invalid dimensions/);
		const whole = port.tensor("int32", new Int32Array(24), [1, 24]);
		await t.rejects(session.run({ x: whole }, ["y"]), /Unexpected input data/);
		await t.rejects(session.run({}, ["y"]), /Missing Input: x/);
		await t.rejects(session.run({ z: wide }, ["y"]), /Missing Input: x/);
		await t.rejects(session.run({ x: wide }, ["z"]), /no output z/);
		const deep = port.tensor("float32", new Float32Array(1), Array(9).fill(1));
		await t.rejects(session.run({ x: deep }, ["y"]), /9 dimensions/);
		t.equal((await outputOf(port, session)).length, 72);
		const turn = new Promise((resolve) => setImmediate(resolve, "a turn"));
		const steps = (async () => {
			for (let i = 0; i < 50; i++) await outputOf(port, session);
		})();
		t.equal(
			await Promise.race([steps, turn]),
			"a turn",
			"others get their turn",
		);
		await steps;
		const x = port.tensor("float32", new Float32Array(24), [1, 24]);
		const { y } = await session.run({ x }, ["y"]);
		y?.dispose();
		y?.dispose();
		t.throws(() => y?.data, /was disposed/);
		await session.close();
		await session.close();
		await t.rejects(session.run({ x }, ["y"]), /closed/);
	},
);

t.test(
	"a file that is not a library is refused with a reason, and the CPU works",
	async (t) => {
		for (const [library, why] of [
			["/nowhere/libonnxruntime.so", /No such file/],
			[resolve("package.json"), /invalid ELF header|file too short/],
			[resolve(native, `linux-${arch()}.so`), /exports no OrtGetApiBase/],
		] as const)
			t.match(await choiceOf(library), {
				used: "cpu",
				refused: [{ processor: `custom:${library}`, why }],
			});
		for (const [provider, why] of [
			["TensorRT trt_fp16_enable=1", /libonnxruntime_providers_shared/],
			["CUDA device_id=0", /libonnxruntime_providers_shared/],
			["XNNPACK intra_op_num_threads=1", /not supported in this build/],
			["Nobody", /Unknown provider name/],
		] as const)
			t.match(await choiceOf(stock, [provider]), {
				used: "cpu",
				refused: [{ why }],
			});
	},
);

t.test(
	"a faulty library is refused with a reason, and the CPU works",
	{ skip: noCompiler },
	async (t) => {
		for (const [fault, why] of [
			[1, /exports no OrtGetApiBase/],
			[2, /it is ONNX Runtime 1\.8\.1, and 1\.18 or newer is needed/],
			[3, /results differ from the CPU/],
			[6, /gives no functions/],
		] as const)
			t.match(await choiceOf(faulty(fault)), {
				used: "cpu",
				refused: [{ why }],
			});
	},
);

t.test(
	"one that crashes while it is loaded or run ends one engine, and speech is recognized",
	{ skip: noCompiler },
	async (t) => {
		for (const fault of allCrashes ? [4, 5] : [4]) {
			const { supervisor } = realLane(t, "live", [
				`engine.processor=custom:${faulty(fault)}`,
				"engine.threads=1",
			]);
			await supervisor.engine();
			const health = engineHealth(supervisor.state);
			t.equal(health.ok, true);
			t.match(
				health.says,
				/encoder.onnx runs on cpu, not on custom:.*: an engine died of it before it was ready: signal SIGSEGV/,
			);
			t.equal(supervisor.state.deaths, 1);
		}
	},
);

t.test("the libraries beside the sources were built from them", async (t) => {
	const sum = createHash("sha256");
	const kernels = "drivers/onnx/capi/kernels";
	const folders = ["arm", "ops", "simd", "x86"].map((it) => `${kernels}/${it}`);
	for (const folder of [native, kernels, ...folders])
		for (const name of readdirSync(folder).sort())
			if (/\.[ch]$/.test(name)) sum.update(readFileSync(join(folder, name)));
	sum.update(readFileSync(join(native, "build")));
	const wanted = sum.digest("hex");
	for (const each of ["x64", "arm64"])
		t.ok(
			readFileSync(join(native, `linux-${each}.so`)).includes(wanted),
			`${native}/build makes linux-${each}.so anew`,
		);
});
