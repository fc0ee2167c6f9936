import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { mock } from "node:test";
import t from "tap";
import { ProcessorChooser } from "../../drivers/onnx/choice.js";
import { openOnnx } from "../../drivers/onnx/session.js";
import { describeChoice } from "../../runtime/engine/health.js";
import type {
	InferenceSession,
	ProcessorProbe,
} from "../../runtime/models/inference-port.js";
import { outputOf, probe, size, smallGraph } from "./small-graph.js";

/** A Vulkan device in software, which comes with Debian's chromium. */
const swiftShader = "/usr/lib/chromium/vk_swiftshader_icd.json";
process.env.VK_ICD_FILENAMES = swiftShader;
const noDevice = existsSync(swiftShader)
	? false
	: `no ${swiftShader} (apt-get install chromium)`;

const port = openOnnx();
const path = await smallGraph(t.testdir());

t.test("a session on the CPU reports no choice", async (t) => {
	const session = await port.open(path, {
		threads: 1,
		processor: { wanted: "cpu", probe },
	});
	t.equal(session.choice, undefined);
	await session.close();
});

t.test(
	"a missing processor is refused with a reason, and the CPU works",
	async (t) => {
		const session = await port.open(path, {
			threads: 1,
			processor: { wanted: "cuda", probe },
		});
		t.match(session.choice, {
			graph: "small.onnx",
			used: "cpu",
			refused: [{ processor: "cuda", why: /\w+/ }],
		});
		t.equal((await outputOf(port, session)).length, 3 * size);
		t.match(session.choice && describeChoice(session.choice), [
			/^small.onnx runs on cpu, not on cuda: /,
		]);
		await session.close();
	},
);

t.test(
	"WebGPU is used if its results match the CPU's",
	{
		skip: noDevice,
	},
	async (t) => {
		const session = await port.open(path, {
			threads: 1,
			processor: { wanted: "webgpu", probe },
		});
		t.strictSame(session.choice, {
			graph: "small.onnx",
			used: "webgpu",
			refused: [],
		});
		const cpu = await port.open(path, { threads: 1 });
		const expected = await outputOf(port, cpu);
		const given = await outputOf(port, session);
		given.forEach((value, i) => {
			if (Math.abs(value - (expected[i] as number)) > 1e-4)
				t.fail(`${i}: ${value} instead of ${expected[i]}`);
		});
		await session.close();
		await cpu.close();
	},
);

t.test(
	"WebGPU is refused if its results differ",
	{
		skip: noDevice,
	},
	async (t) => {
		let requests = 0;
		/** The reference is asked once the other is open, and the CPU twice; then that. */
		const strange = (change: (values: Float32Array) => Float32Array) =>
			port.open(path, {
				threads: 1,
				processor: {
					wanted: "webgpu",
					probe: {
						toleranceMax: 0.001,
						answers: async (...of) => {
							const values = await outputOf(...of);
							return ++requests > 3 ? change(values) : values;
						},
					},
				},
			});
		for (const [change, why] of [
			[
				(it: Float32Array) => it.map((one) => one * 1.01),
				/1\.0 % of the largest/,
			],
			[(it: Float32Array) => it.fill(Number.NaN, 4, 5), /not finite/],
			[
				(it: Float32Array) => it.subarray(1),
				/it returns \d+ values, the CPU \d+/,
			],
		] as const) {
			requests = 0;
			const session = await strange(change);
			t.match(session.choice, {
				used: "cpu",
				refused: [{ processor: "webgpu", why }],
			});
			t.equal(
				(await outputOf(port, session)).length,
				3 * size,
				"the CPU works",
			);
			await session.close();
		}
	},
);

t.test("auto on a machine without a GPU prints no errors of others", (t) => {
	const session = resolve("build/drivers/onnx/session.js");
	const script = `
		import { openOnnx } from ${JSON.stringify(session)};
		const probe = { answers: async () => new Float32Array(1), toleranceMax: 0 };
		const processor = { wanted: "auto", probe };
		const { choice } = await openOnnx().open(${JSON.stringify(path)}, { threads: 1, processor });
		console.log(JSON.stringify(choice.refused.map((it) => it.processor)));`;
	const { VK_ICD_FILENAMES: _, ...env } = process.env;
	const given = ["--input-type=module", "--eval", script];
	const { stdout, stderr } = spawnSync(process.execPath, given, {
		env: { ...env, HOME: t.testdir() },
		encoding: "utf8",
	});
	t.strictSame(JSON.parse(stdout), ["tensorrt", "cuda", "webgpu"]);
	if (!existsSync("/usr/share/vulkan/icd.d")) t.equal(stderr, "");
	t.end();
});

t.test("auto chooses nothing slower than the CPU", async (t) => {
	const hourMs = 3_600_000;
	let aheadMs = 0;
	const nowMs = performance.now.bind(performance);
	const clock = mock.method(performance, "now", () => nowMs() + aheadMs);
	t.teardown(() => clock.mock.restore());
	const seen = new Set<InferenceSession>();
	const slowProbe: ProcessorProbe = {
		...probe,
		answers: async (port, session) => {
			// after the reference and the CPU; nothing waits so long for a processor of a busy machine
			if (seen.add(session).size > 2) aheadMs += hourMs;
			return probe.answers(port, session);
		},
	};
	const session = await port.open(path, {
		threads: 1,
		processor: { wanted: "auto", probe: slowProbe },
	});
	t.equal(session.choice?.used, "cpu");
	t.equal(session.choice?.refused.length, 3);
	await session.close();
});

t.test(
	"a reference that fails leaves the graph on the CPU, and nothing open",
	async (t) => {
		const fails = () =>
			Promise.reject(new Error("no memory for the reference"));
		const failures = {
			"to open": fails,
			"to run": async (): Promise<InferenceSession> => ({
				inputNames: [],
				inputs: [],
				outputNames: [],
				run: fails,
				close: async () => {},
			}),
		};
		for (const [name, openReference] of Object.entries(failures)) {
			const open: string[] = [];
			const tried: (string | undefined)[] = [];
			const chooser = new ProcessorChooser(
				port,
				async (path, { threads }, processor) => {
					const session =
						processor === "reference"
							? await openReference()
							: await port.open(path, { threads });
					open.push(processor);
					return {
						inputNames: session.inputNames,
						inputs: session.inputs,
						outputNames: session.outputNames,
						run: (...of) => session.run(...of),
						close: async () => {
							open.splice(open.indexOf(processor), 1);
							await session.close();
						},
					};
				},
				{
					distrusted: [],
					onTry: async (processor) => void tried.push(processor),
				},
			);
			const session = await chooser.open(path, {
				threads: 1,
				processor: { wanted: "webgpu", probe },
			});
			t.match(
				session.choice,
				{
					used: "cpu",
					refused: [
						{ processor: "webgpu", why: /no memory for the reference/ },
					],
				},
				name,
			);
			t.same(open, ["cpu"], name);
			t.same(tried, ["webgpu", undefined], name);
			t.equal((await outputOf(port, session)).length, 3 * size, name);
			await session.close();
		}
	},
);
