/** Segmentation with the real detector: speech is found, other sounds are not. */
import t from "tap";
import type { SegmentEvent } from "../../runtime/segmentation/events.js";
import { endpointRules } from "../../runtime/segmentation/rules.js";
import { SpeechSegmenter } from "../../runtime/segmentation/speech-segmenter.js";
import {
	clipFolder,
	clipNames,
	clipsMissing,
	ownClipFolder,
	readClip,
} from "../audio/clips.js";
import { cutAnywhere } from "../audio/cuts.js";
import {
	join,
	pinkNoise,
	seededRandom,
	tone,
	whiteNoise,
} from "../audio/signals.js";
import { randomOf } from "../fuzz/random.js";
import { openTestSilero, sileroMissing } from "../silero/silero-model.js";
import { ends, shape } from "./probabilities.js";

const model = sileroMissing ? undefined : await openTestSilero();
const skip = sileroMissing || clipsMissing;

async function segmentsOf(
	pieces: readonly Float32Array[],
	maxSentenceSilenceMs = 800,
): Promise<SegmentEvent[]> {
	if (!model) throw new Error("no model");
	const detector = model.createDetector();
	const segmenter = new SpeechSegmenter(
		detector,
		endpointRules(maxSentenceSilenceMs),
	);
	const events: SegmentEvent[] = [];
	for (const piece of pieces) events.push(...(await segmenter.accept(piece)));
	return [...events, ...(await segmenter.finish())];
}

const seconds = 8;
const count = seconds * 16_000;

function sine(hz: number, amplitude: number): Float32Array {
	return tone({ hz, rateHz: 16_000, seconds, amplitude });
}

/** Sounds without speech. Seeds are fixed: add a line for a seed on which a detector fails. */
const sounds: [string, () => Float32Array][] = [
	["digital silence", () => new Float32Array(count)],
	["dither", () => whiteNoise(count, 1e-5, seededRandom(1))],
	["white noise", () => whiteNoise(count, 0.1, seededRandom(2))],
	["faint white noise", () => whiteNoise(count, 0.001, seededRandom(3))],
	["pink noise", () => pinkNoise(count, 0.1, seededRandom(4))],
	["faint pink noise", () => pinkNoise(count, 0.003, seededRandom(5))],
	["a 50 Hz hum", () => sine(50, 0.3)],
	["a faint 50 Hz hum", () => sine(50, 0.005)],
	[
		"a hum with harmonics in noise",
		() =>
			sum(
				whiteNoise(count, 0.005, seededRandom(6)),
				...[1, 2, 3, 5, 7].map((k) => sine(50 * k, 0.2 / k)),
			),
	],
	["a test tone", () => sine(1000, 0.2)],
	["a direct current", () => new Float32Array(count).fill(0.3)],
	["clicks", () => clicks(seededRandom(7))],
	[
		"bursts of noise",
		() => gated(whiteNoise(count, 0.1, seededRandom(8)), 0.7, 0.15),
	],
	["beeps", () => gated(sine(800, 0.3), 1, 0.2)],
	["a ringing tone", () => gated(sine(425, 0.2), 4, 1)],
];

function sum(...parts: Float32Array[]): Float32Array {
	return new Float32Array(count).map((_, i) =>
		parts.reduce((total, part) => total + (part[i] as number), 0),
	);
}

function clicks(random: () => number): Float32Array {
	const samples = new Float32Array(count);
	for (let i = 0; i < 30; i++) samples[Math.floor(random() * count)] = 0.9;
	return samples;
}

function gated(
	samples: Float32Array,
	periodSeconds: number,
	openSeconds: number,
): Float32Array {
	return samples.map((sample, i) =>
		(i / 16_000) % periodSeconds < openSeconds ? sample : 0,
	);
}

t.test(
	"sounds without speech give no segment",
	{ skip: sileroMissing },
	async (t) => {
		for (const [name, make] of sounds)
			t.strictSame(await segmentsOf([make()]), [], name);
	},
);

t.test("recorded noise gives no segment", { skip }, async (t) => {
	const folder = "../shared/audio/noise";
	for (const name of clipNames(folder))
		t.strictSame(await segmentsOf([await readClip(name, folder)]), [], name);
});

t.test(
	"every clip has speech, and hardly any of it is missed",
	{ skip: sileroMissing },
	async (t) => {
		const folders = clipsMissing
			? [ownClipFolder]
			: [ownClipFolder, clipFolder];
		for (const folder of folders)
			for (const name of clipNames(folder)) {
				const clip = await readClip(name, folder);
				const found = ends(await segmentsOf([clip]));
				t.ok(found.length > 0, `${name} has a segment`);
				const kept = found.reduce(
					(sum, it) => sum + energy(it.segment.samples),
					0,
				);
				const left = 1 - kept / energy(clip);
				const percent = (100 * left).toFixed(2);
				t.ok(left < 0.02, `${name}: ${percent} % of the energy is left out`);
			}
	},
);

function energy(samples: Float32Array): number {
	let sum = 0;
	for (const sample of samples) sum += sample * sample;
	return sum;
}

t.test(
	"the chunking of the audio makes no difference",
	{ skip: sileroMissing },
	async (t) => {
		const clip = await readClip("en-librivox-0890.wav", ownClipFolder);
		const whole = await segmentsOf([clip]);
		t.ok(ends(whole).length > 0);
		for (const longest of [512, 900, 20_000]) {
			const pieces = cutAnywhere(clip, longest, randomOf(longest));
			t.strictSame(await segmentsOf(pieces), whole, `at most ${longest}`);
		}
	},
);

t.test(
	"a short limit makes more segments of the same speech",
	{ skip },
	async (t) => {
		const clip = await readClip("en-jfk-1.wav");
		const long = ends(await segmentsOf([clip], 1200));
		const short = ends(await segmentsOf([clip], 250));
		t.ok(short.length > long.length, `${short.length} and ${long.length}`);
	},
);

t.test("a word at the very end is not lost", { skip }, async (t) => {
	const word = await readClip("en-alnum-seven-evmaki.wav");
	const cutOff = word.subarray(0, 0.6 * 16_000); // in the middle of it
	const events = await segmentsOf([join([new Float32Array(16_000), cutOff])]);
	t.equal(shape(events), "begin end");
	t.equal(ends(events)[0]?.segment.endSample, 16_000 + cutOff.length);
});

t.teardown(() => model?.close());
