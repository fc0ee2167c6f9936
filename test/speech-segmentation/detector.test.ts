/** segmentation-3.0 in our graph: the published network's results; and as a detector combined with Silero, for recordings. */
import { readFileSync } from "node:fs";
import t from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import { SegmentationDetector } from "../../runtime/models/speech-segmentation/detector.js";
import { openSegmentation } from "../../runtime/models/speech-segmentation/network.js";
import { MixedDetector } from "../../runtime/segmentation/mixed-detector.js";
import { filePassageRules } from "../../runtime/segmentation/rules.js";
import { SpeechSegmenter } from "../../runtime/segmentation/speech-segmenter.js";
import { clipNames, ownClipFolder, readClip } from "../audio/clips.js";
import { cutAnywhere } from "../audio/cuts.js";
import { join, pinkNoise, seededRandom, whiteNoise } from "../audio/signals.js";
import { randomOf } from "../fuzz/random.js";
import { ends } from "../segmentation/probabilities.js";
import { openTestSilero, sileroMissing } from "../silero/silero-model.js";

const windowSamples = 512;
const model = await openSegmentation(
	openOnnx(),
	"models/segmentation-3.0/segmentation.onnx",
);
const silero = sileroMissing ? undefined : await openTestSilero();
t.teardown(() => Promise.all([model.close(), silero?.close()]));

const clips = await Promise.all(
	clipNames(ownClipFolder).map((it) => readClip(it, ownClipFolder)),
);

/** Whole windows. */
function talk(seconds: number): Float32Array {
	const pause = new Float32Array(20_000);
	const all = join(clips.flatMap((it) => [it, pause]));
	const windows = Math.floor((seconds * 16_000) / windowSamples);
	return all.subarray(0, windows * windowSamples);
}

async function answersTo(
	samples: Float32Array,
	windowsAtOnce: number,
): Promise<number[]> {
	const detector = new SegmentationDetector(model);
	const answers: number[] = [];
	const step = windowsAtOnce * windowSamples;
	for (let at = 0; at < samples.length; at += step)
		answers.push(...(await detector.accept(samples.subarray(at, at + step))));
	answers.push(...(await detector.finish()));
	return answers;
}

/** Made by a separate export (float computation), for every 19th frame. */
t.test("the graph gives the published network's results", async (t) => {
	const { every, frames } = JSON.parse(
		readFileSync("test/speech-segmentation/published-answers.json", "utf8"),
	) as { every: number; frames: number[][] };
	const [reader, meeting] = await Promise.all(
		["en-librivox-0890.wav", "ja-kokoro-meeting.wav"].map((it) =>
			readClip(it, ownClipFolder),
		),
	);
	const both = new Float32Array(160_000);
	both.set((reader as Float32Array).subarray(0, 80_000));
	for (const [i, it] of (meeting as Float32Array).subarray(0, 96_000).entries())
		both[64_000 + i] = (both[64_000 + i] as number) + it;
	const classes = await model.classesOf(both);
	t.equal(classes.length, 589 * 7);
	let worst = 0;
	for (const [i, frame] of frames.entries())
		for (const [k, wanted] of frame.entries())
			worst = Math.max(
				worst,
				Math.abs(wanted - (classes[i * every * 7 + k] as number)),
			);
	t.ok(worst < 0.002, `${worst}`);
});

t.test(
	"a graph that is not a segmentation is refused with what it lacks",
	async (t) => {
		const other = {
			open: async () => ({
				inputNames: ["wav"],
				outputNames: ["emb"],
				close: async () => {},
			}),
		} as unknown as InferencePort;
		await t.rejects(openSegmentation(other, "other.onnx"), {
			message:
				"other.onnx is not a speech segmentation: it has no output classes",
		});
	},
);

t.test(
	"every window has one probability, with any chunking of the stream",
	async (t) => {
		for (const seconds of [0.04, 0.5, 9.99, 16]) {
			const samples = talk(seconds);
			const whole = await answersTo(samples, samples.length);
			t.equal(whole.length, samples.length / windowSamples, `${seconds} s`);
			t.ok(whole.every((it) => it >= 0 && it <= 1));
			t.same(await answersTo(samples, 50), whole, `${seconds} s in pieces`);
		}
	},
);

t.test(
	"a different start by a stride changes nothing far after it",
	async (t) => {
		const samples = talk(23);
		const detector = new SegmentationDetector(model);
		const later = detector.strideWindows;
		const whole = await answersTo(samples, 1000);
		const rest = await answersTo(samples.subarray(later * windowSamples), 1000);
		t.same(rest.slice(later), whole.slice(2 * later));
	},
);

t.test(
	"an hour is processed as it arrives, and at most 15 s are kept",
	async (t) => {
		// without the real network: it is the same for every span
		let longest = 0;
		const detector = new SegmentationDetector({
			classesOf: async (samples) => {
				longest = Math.max(longest, samples.length);
				return new Float32Array(589 * 7);
			},
			close: async () => {},
		});
		const piece = new Float32Array(100 * windowSamples);
		let accepted = 0;
		let answered = 0;
		for (let i = 0; i < 1125; i++) {
			accepted += 100;
			answered += (await detector.accept(piece)).length;
			t.ok(accepted - answered < 312 + 100, `${accepted - answered} wait`);
		}
		answered += (await detector.finish()).length;
		t.equal(answered, accepted);
		t.equal(longest, 312 * windowSamples);
	},
);

async function segmentsOf(pieces: readonly Float32Array[]) {
	if (!silero) throw new Error("no model");
	const detector = new MixedDetector(
		silero.createDetector(),
		new SegmentationDetector(model),
		0.4,
	);
	const segmenter = new SpeechSegmenter(detector, filePassageRules());
	const events = [];
	for (const piece of pieces) events.push(...(await segmenter.accept(piece)));
	return [...events, ...(await segmenter.finish())];
}

t.test(
	"segments of both together do not depend on the pieces",
	{ skip: sileroMissing },
	async (t) => {
		const samples = join([talk(17), new Float32Array(1234)]);
		const whole = await segmentsOf([samples]);
		t.ok(ends(whole).length > 0);
		const pieces = cutAnywhere(samples, 30_000, randomOf(7));
		t.strictSame(await segmentsOf(pieces), whole);
	},
);

t.test("every clip has speech", { skip: sileroMissing }, async (t) => {
	for (const [i, clip] of clips.entries()) {
		const found = ends(await segmentsOf([clip]));
		t.ok(found.length > 0, `clip ${i}`);
	}
});

t.test(
	"noise is not speech to both together",
	{ skip: sileroMissing },
	async (t) => {
		const count = 12 * 16_000;
		const noises = {
			silence: new Float32Array(count),
			white: whiteNoise(count, 0.1, seededRandom(2)),
			"faint white": whiteNoise(count, 0.001, seededRandom(3)),
			pink: pinkNoise(count, 0.1, seededRandom(4)),
			"faint pink": pinkNoise(count, 0.003, seededRandom(5)),
		};
		for (const [name, samples] of Object.entries(noises))
			t.strictSame(ends(await segmentsOf([samples])), [], name);
	},
);
