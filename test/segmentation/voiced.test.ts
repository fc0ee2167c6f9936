/** How much of a segment is certainly speech, however the segment was created; with made-up probabilities. */
import assert from "node:assert/strict";
import t from "tap";
import type { Segment } from "../../runtime/segmentation/events.js";
import {
	type EndpointRules,
	endpointRules,
} from "../../runtime/segmentation/rules.js";
import { Segmenter } from "../../runtime/segmentation/segmenter.js";
import { windowSamples } from "../../runtime/segmentation/speech-detector.js";
import { voicedSeconds } from "../../runtime/segmentation/voiced.js";
import { ends, probabilities, run, segment, windows } from "./probabilities.js";

const rate = 16_000;
const window = windowSamples / rate;

/** Two words with certain voice activity, and a doubtful one between them. */
const words = probabilities([
	[1, 0.01],
	[0.64, 0.95],
	[0.32, 0.6],
	[0.32, 0.9],
	[1, 0.01],
]);
const sureSeconds = 0.96;

t.test("a segment has the ranges with certain voice activity", async (t) => {
	const [end] = ends(segment(words));
	assert(end);
	const at = windows(1) * windowSamples;
	t.strictSame(end.segment.voiced, [
		{ startSample: at, endSample: at + 0.64 * rate },
		{ startSample: at + 0.96 * rate, endSample: at + 1.28 * rate },
	]);
	t.equal(voicedSeconds(end.segment), sureSeconds);
});

t.test("doubtful sound has none of it, however long it is", async (t) => {
	const [end] = ends(
		segment(
			probabilities([
				[1, 0.01],
				[4, 0.79],
				[2, 0.01],
			]),
		),
	);
	assert(end);
	t.equal(voicedSeconds(end.segment), 0);
});

t.test("a pause's segment has as much as the final one", async (t) => {
	const events = segment(words);
	const pause = events.find((it) => it.is === "pause");
	assert(pause?.is === "pause");
	t.strictSame(pause.segment.voiced, ends(events)[0]?.segment.voiced);
});

t.test(
	"an open segment has the speech so far, and a part of it only its own",
	async (t) => {
		const segmenter = new Segmenter(endpointRules(800));
		const accept = (probability: number, count: number) => {
			for (let i = 0; i < count; i++)
				segmenter.accept(new Float32Array(windowSamples), probability);
		};
		accept(0.01, 20);
		accept(0.9, 10);
		const open = segmenter.openSegment();
		assert(open);
		t.equal(voicedSeconds(open), 10 * window);
		accept(0.6, 5);
		accept(0.9, 5);
		const later = segmenter.openSegment(25 * windowSamples);
		assert(later);
		t.equal(voicedSeconds(later), 10 * window, "of the second half");
		const [requested] = segmenter.endSentence();
		assert(requested?.is === "end");
		t.equal(voicedSeconds(requested.segment), 15 * window);
	},
);

t.test("the parts of a split segment count each sample once", async (t) => {
	const parts = probabilities([
		[1, 0.01],
		...Array.from({ length: 20 }, () => [
			[2.4, 0.9] as const,
			[0.16, 0.5] as const,
		]).flat(),
		[2, 0.01],
	]);
	const segments = ends(segment(parts)).map((it) => it.segment);
	t.ok(segments.length > 1);
	const sum = segments.reduce((all, it) => all + voicedSeconds(it), 0);
	t.equal(
		Math.round(sum / window),
		parts.filter((probability) => probability >= 0.8).length,
	);
});

t.test(
	"a recording that ends inside a window counts its samples",
	async (t) => {
		const segmenter = new Segmenter(endpointRules(800));
		for (let i = 0; i < 10; i++)
			segmenter.accept(new Float32Array(windowSamples), 0.9);
		segmenter.accept(new Float32Array(100), 0.9);
		const [end] = segmenter.finish();
		assert(end?.is === "end");
		t.equal(voicedSeconds(end.segment), (10 * windowSamples + 100) / rate);
	},
);

t.test("a part of a segment has its own share", async (t) => {
	const [end] = ends(segment(words));
	assert(end);
	const { segment: whole } = end;
	const middle = windows(1) * windowSamples + 0.8 * rate;
	const first: Segment = { ...whole, speechEndSample: middle };
	const second: Segment = { ...whole, speechStartSample: middle };
	t.equal(voicedSeconds(first), 0.64);
	t.equal(voicedSeconds(second), 0.32);
});

t.test("a rule may ask for more", async (t) => {
	const stricter: EndpointRules = {
		...endpointRules(800),
		sureProbability: 0.92,
	};
	const [end] = ends(run(stricter, words));
	assert(end);
	t.equal(voicedSeconds(end.segment), 0.64);
});
