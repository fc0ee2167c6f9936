/** The detector: the published model's results, a state for each stream, and amplification of quiet ones. */
import { readFileSync } from "node:fs";
import t from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import { openSilero } from "../../runtime/models/silero/detector.js";
import { readPublishedWeights } from "../../scripts/models/silero/published-weights.js";
import { clipNames, ownClipFolder, readClip } from "../audio/clips.js";
import { join, seededRandom, whiteNoise } from "../audio/signals.js";
import { openTestSilero, sileroMissing, sileroPath } from "./silero-model.js";

const windowSamples = 512;
const skip = sileroMissing;

async function speech(): Promise<Float32Array> {
	return wholeWindows(await readClip("en-librivox-0930.wav", ownClipFolder));
}

function wholeWindows(clip: Float32Array): Float32Array {
	return clip.subarray(0, clip.length - (clip.length % windowSamples));
}

/** The graph without the front end, with this many windows per run. */
async function bareModel(
	samples: Float32Array,
	windowsARun: number,
): Promise<number[]> {
	const port = openOnnx();
	const session = await port.open(sileroPath, { threads: 1 });
	let state = new Float32Array(256);
	const padded = new Float32Array(64 + samples.length);
	padded.set(samples, 64);
	const count = samples.length / windowSamples;
	const answers: number[] = [];
	for (let first = 0; first < count; first += windowsARun) {
		const windows = Math.min(windowsARun, count - first);
		const input = new Float32Array(windows * 576);
		for (let i = 0; i < windows; i++) {
			const start = (first + i) * windowSamples;
			input.set(padded.subarray(start, start + 576), i * 576);
		}
		const feeds = {
			input: port.tensor("float32", input, [windows, 576]),
			state: port.tensor("float32", state, [2, 1, 128]),
		};
		const { output, stateN } = await session.run(feeds, ["output", "stateN"]);
		if (!output || !stateN) throw new Error("no answer came back");
		answers.push(...(output.data as Float32Array));
		state = Float32Array.from(stateN.data as Float32Array);
	}
	await session.close();
	return answers;
}

t.test(
	"the graph gives the published one's results, with any batch",
	{ skip },
	async (t) => {
		const { answers } = JSON.parse(
			readFileSync("test/silero/published-answers.json", "utf8"),
		) as { answers: number[] };
		const samples = (await speech()).subarray(
			0,
			answers.length * windowSamples,
		);
		for (const windowsARun of [1, 7, 96]) {
			const ours = await bareModel(samples, windowsARun);
			const worst = Math.max(
				...ours.map((it, i) => Math.abs(it - (answers[i] as number))),
			);
			t.equal(ours.length, answers.length);
			t.ok(worst < 1e-5, `${windowsARun} a run: ${worst}`);
		}
	},
);

t.test("a file that is not a published Silero VAD is refused", async (t) => {
	const files = {
		nothing: new Uint8Array(0),
		noise: Uint8Array.from({ length: 4096 }, (_, i) => (i * 73) % 251),
		whisper: readFileSync("test/silero/published-answers.json"),
		"our own graph": readFileSync(sileroPath),
	};
	for (const [name, bytes] of Object.entries(files))
		t.throws(() => readPublishedWeights(bytes), { name: "SourceError" }, name);
});

t.test(
	"a graph that is not Silero is refused with what it lacks",
	async (t) => {
		const other = {
			open: async () => ({
				inputNames: ["x"],
				outputNames: ["output"],
				close: async () => {},
			}),
		} as unknown as InferencePort;
		await t.rejects(openSilero(other, "other.onnx"), {
			message: "other.onnx is not Silero VAD: it has no input input",
		});
	},
);

t.test(
	"loud speech has the results of the published model",
	{ skip },
	async (t) => {
		const samples = await speech();
		const model = await openTestSilero();
		const ours = await model.createDetector().accept(samples);
		const theirs = await bareModel(samples, 64);
		const agree = theirs.filter(
			(answer, i) => answer >= 0.5 === (ours[i] as number) >= 0.5,
		);
		const share = agree.length / theirs.length;
		t.ok(share > 0.97, `${(100 * share).toFixed(1)} % of the windows agree`);
		await model.close();
	},
);

t.test(
	"one window at a time gives the same as all at once",
	{ skip },
	async (t) => {
		const samples = await speech();
		const model = await openTestSilero();
		const whole = await model.createDetector().accept(samples);
		const detector = model.createDetector();
		for (let i = 0; i < whole.length; i++) {
			const start = i * windowSamples;
			const window = samples.subarray(start, start + windowSamples);
			const [alone] = await detector.accept(window);
			t.ok(Math.abs((alone as number) - (whole[i] as number)) < 1e-5);
		}
		await model.close();
	},
);

t.test(
	"streams are independent, and a reset one is new",
	{ skip },
	async (t) => {
		const samples = await speech();
		const noise = whiteNoise(samples.length, 0.1, seededRandom(4));
		const model = await openTestSilero();
		const alone = await model.createDetector().accept(samples);
		const [one, other] = [model.createDetector(), model.createDetector()];
		const together: number[] = [];
		for (let start = 0; start < samples.length; start += windowSamples) {
			const end = start + windowSamples;
			together.push(...(await one.accept(samples.subarray(start, end))));
			await other.accept(noise.subarray(start, end));
		}
		const worst = Math.max(
			...together.map((it, i) => Math.abs(it - (alone[i] as number))),
		);
		t.ok(worst < 1e-5, `${worst}`); // in other batches
		other.reset();
		t.strictSame(await other.accept(samples), alone);
		await model.close();
	},
);

t.test(
	"speech 40 dB quieter, or with a DC offset, is still detected",
	{ skip },
	async (t) => {
		const samples = await speech(); // -23 dBFS as it is
		const model = await openTestSilero();
		const clear = await model.createDetector().accept(samples);
		const spoken = clear.filter((answer) => answer >= 0.5).length;
		const versions = {
			quiet: samples.map((sample) => Math.round(sample * 328) / 32768),
			offset: samples.map((sample) => sample + 0.4),
		};
		for (const [name, version] of Object.entries(versions)) {
			const answers = await model.createDetector().accept(version);
			const found = answers.filter(
				(answer, i) => answer >= 0.5 && (clear[i] as number) >= 0.5,
			).length;
			t.ok(found / spoken > 0.9, `${name}: ${found} of ${spoken} windows`);
		}
		await model.close();
	},
);

t.test("speech 40 dB below earlier speech is detected", { skip }, async (t) => {
	const model = await openTestSilero();
	const clips = await Promise.all(
		clipNames(ownClipFolder).map((it) => readClip(it, ownClipFolder)),
	);
	const pause = new Float32Array(31 * windowSamples); // 1 s
	let spoken = 0;
	let found = 0;
	for (const [i, loud] of clips.entries()) {
		const clip = clips[(i + 1) % clips.length] as Float32Array;
		const clear = await model.createDetector().accept(wholeWindows(clip));
		const before = join([wholeWindows(loud), pause]);
		const quiet = clip.map((it) => Math.round(it * 328) / 32768);
		const answers = await model
			.createDetector()
			.accept(wholeWindows(join([before, quiet])));
		const after = answers.subarray(before.length / windowSamples);
		for (const [window, answer] of clear.entries()) {
			if (answer < 0.5) continue;
			spoken++;
			if ((after[window] as number) >= 0.5) found++;
		}
	}
	t.ok(found / spoken >= 0.85, `${found} of ${spoken} windows`);
	await model.close();
});
