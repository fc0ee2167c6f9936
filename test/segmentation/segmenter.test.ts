/** The endpoint rules over made-up probabilities. */
import t from "tap";
import type { SegmentEvent } from "../../runtime/segmentation/events.js";
import {
	endpointRules,
	passageRules,
} from "../../runtime/segmentation/rules.js";
import { Segmenter } from "../../runtime/segmentation/segmenter.js";
import { windowSamples } from "../../runtime/segmentation/speech-detector.js";
import { holds } from "../fuzz/holds.js";
import {
	ends,
	numberedWindow,
	probabilities,
	run,
	segment,
	shape,
	windows,
} from "./probabilities.js";
import { eventsKeepTheirOrder } from "./segmenter.property.js";

const pauseSamples = 6 * windowSamples;
const preRollSamples = 4000;

t.test("silence gives nothing", async (t) => {
	t.strictSame(segment(probabilities([[60, 0.02]])), []);
});

t.test("speech between silences is one segment with its margins", async (t) => {
	const events = segment(
		probabilities([
			[2, 0.01],
			[1.5, 0.95],
			[2, 0.01],
		]),
	);
	t.equal(shape(events), "begin pause end");
	const [end] = ends(events);
	const speechStart = windows(2) * windowSamples;
	const speechEnd = speechStart + windows(1.5) * windowSamples;
	t.match(end, {
		why: "silence",
		segment: {
			index: 1,
			startSample: speechStart - preRollSamples,
			speechEndSample: speechEnd,
			endSample: speechEnd + pauseSamples,
		},
	});
});

t.test("a segment has the samples of its range", async (t) => {
	const [end] = ends(
		segment(
			probabilities([
				[2, 0.01],
				[1, 0.95],
				[2, 0.01],
			]),
		),
	);
	if (!end) throw new Error("no segment");
	const { startSample, endSample, samples } = end.segment;
	t.equal(samples.length, endSample - startSample);
	for (let i = 0; i < samples.length; i += 100) {
		const window = Math.floor((startSample + i) / windowSamples);
		if (samples[i] !== window / 65536) t.fail(`sample ${i}`);
	}
});

t.test(
	"minutes of noise that resembles speech are neither kept nor included before later speech",
	async (t) => {
		const segmenter = new Segmenter(endpointRules(800));
		const nearlySpeech = [0.5, ...probabilities([[120, 0.4]])];
		const held = nearlySpeech.map((probability, i) => {
			segmenter.accept(numberedWindow(i), probability);
			return segmenter.samplesHeld;
		});
		t.ok(Math.max(...held) < 8 * 16_000, `${Math.max(...held)} samples held`);

		const segments = ends(
			segment([
				...nearlySpeech,
				...probabilities([
					[3, 0.9],
					[2, 0.01],
				]),
			]),
		);
		t.equal(segments.length, 1);
		const [end] = segments;
		t.ok(end && end.segment.samples.length < 9 * 16_000);
	},
);

t.test("a pause shorter than the limit does not end the segment", async (t) => {
	const events = segment(
		probabilities([
			[1, 0.01],
			[1, 0.95],
			[0.7, 0.01],
			[1, 0.95],
			[2, 0.01],
		]),
	);
	t.equal(shape(events), "begin pause resume pause end");
});

t.test("the same pause ends it under a shorter limit", async (t) => {
	const events = segment(
		probabilities([
			[1, 0.01],
			[1, 0.95],
			[0.7, 0.01],
			[1, 0.95],
			[2, 0.01],
		]),
		250,
	);
	t.equal(shape(events), "begin pause end begin pause end");
	t.strictSame(
		ends(events).map((end) => end.segment.index),
		[1, 2],
	);
});

t.test("a segment ends as soon as the silence is long enough", async (t) => {
	for (const limitMs of [200, 250, 500, 800, 1200]) {
		const rules = endpointRules(limitMs);
		const segmenter = new Segmenter(rules);
		const answers = probabilities([
			[1, 0.01],
			[1, 0.95],
			[3, 0.01],
		]);
		const endedAt = answers.findIndex((probability) =>
			segmenter
				.accept(new Float32Array(windowSamples), probability)
				.some((event) => event.is === "end"),
		);
		const calledSilent = endedAt + 1 - windows(1) - windows(1);
		const silenceMs = (calledSilent + rules.offsetLagWindows) * 32;
		const atLeastMs = Math.max(limitMs, 225); // a pause comes first
		t.ok(
			silenceMs >= atLeastMs && silenceMs < atLeastMs + 32,
			`${limitMs}: after ${silenceMs} ms`,
		);
	}
});

t.test("a gap inside a word makes no pause", async (t) => {
	const events = segment(
		probabilities([
			[1, 0.01],
			[0.5, 0.95],
			[0.16, 0.05],
			[0.5, 0.95],
			[2, 0.01],
		]),
	);
	t.equal(shape(events), "begin pause end");
});

t.test("a short uncertain sound is not speech", async (t) => {
	const doubtful: [string, [number, number][]][] = [
		[
			"one sure window",
			[
				[1, 0.01],
				[0.032, 1],
				[1, 0.01],
			],
		],
		[
			"two windows",
			[
				[1, 0.01],
				[0.064, 0.95],
				[1, 0.01],
			],
		],
		[
			"a second of hardly",
			[
				[1, 0.01],
				[0.5, 0.51],
				[1, 0.01],
			],
		],
		[
			"a long maybe",
			[
				[1, 0.01],
				[5, 0.45],
				[1, 0.01],
			],
		],
		[
			"clicks",
			Array.from({ length: 20 }, (_, i) => [
				i % 2 ? 0.032 : 0.3,
				i % 2 ? 0.99 : 0.01,
			]),
		],
	];
	for (const [name, parts] of doubtful)
		t.strictSame(segment(probabilities(parts)), [], name);
});

t.test("one short word is a segment", async (t) => {
	const events = segment(
		probabilities([
			[0.3, 0.02],
			[0.13, 0.9],
			[0.5, 0.02],
		]),
	);
	t.equal(shape(events), "begin pause end");
});

t.test("a soft ending belongs to its word", async (t) => {
	const [end] = ends(
		segment(
			probabilities([
				[1, 0.01],
				[0.5, 0.95],
				[0.3, 0.4],
				[2, 0.01],
			]),
		),
	);
	const softEnd = (windows(1) + windows(0.5) + windows(0.3)) * windowSamples;
	t.equal(end?.segment.speechEndSample, softEnd);
});

t.test("a faint beginning is kept with its word", async (t) => {
	// an unvoiced sound, a closure, then the vowel
	const parts = [
		[2, 0.01],
		[0.1, 0.25],
		[0.2, 0.03],
		[1, 0.95],
		[2, 0.01],
	] as const;
	const [end] = ends(segment(probabilities(parts)));
	t.ok((end?.segment.startSample ?? 0) <= windows(2) * windowSamples);
});

t.test("speech from the first sample starts at the first sample", async (t) => {
	const [end] = ends(
		segment(
			probabilities([
				[1, 0.95],
				[1, 0.01],
			]),
		),
	);
	t.equal(end?.segment.startSample, 0);
});

t.test("the end of the audio ends the segment", async (t) => {
	t.test("in speech, with every sample", async (t) => {
		const [end] = ends(
			segment(
				probabilities([
					[1, 0.01],
					[1, 0.95],
				]),
			),
		);
		t.match(end, { why: "finish" });
		const total = (windows(1) + windows(1)) * windowSamples;
		t.equal(end?.segment.endSample, total);
	});
	t.test("in a pause, with the samples of the pause", async (t) => {
		const events = segment(
			probabilities([
				[1, 0.01],
				[1, 0.95],
				[0.5, 0.01],
			]),
		);
		t.equal(shape(events), "begin pause end");
		t.strictSame(lastPause(events), ends(events)[0]?.segment);
	});
});

function lastPause(events: readonly SegmentEvent[]) {
	const pauses = events.flatMap((event) =>
		event.is === "pause" ? [event] : [],
	);
	return pauses.at(-1)?.segment;
}

t.test(
	"speech without a pause is split before 28 s, at the quietest moment",
	async (t) => {
		const quietWindow = windows(25);
		const loud = (window: number) =>
			new Float32Array(windowSamples).fill(
				Math.abs(window - quietWindow) <= 3 ? 0.002 : 0.2,
			);
		const events = segment(probabilities([[70, 0.95]]), 800, loud);
		const cuts = ends(events);
		t.equal(cuts[0]?.segment.endSample, quietWindow * windowSamples);
		t.ok(cuts.every((end) => end.segment.samples.length <= 28 * 16_000));
		t.ok(cuts.slice(0, -1).every((end) => end.why === "length"));
		let at = 0;
		for (const { segment } of cuts) {
			t.equal(segment.startSample, at, "nothing is lost or given twice");
			at = segment.endSample;
		}
		t.equal(at, windows(70) * windowSamples);
	},
);

t.test("a split inside a pause leaves no empty segment", async (t) => {
	// 27.5 s of speech, then silence that is not long enough to end it before 28 s
	const quiet = (window: number) =>
		new Float32Array(windowSamples).fill(window < windows(27.5) ? 0.2 : 0.0001);
	const events = segment(
		probabilities([
			[27.5, 0.95],
			[3, 0.01],
		]),
		1200,
		quiet,
	);
	t.equal(ends(events).length, 1);
	t.match(ends(events)[0], { why: "length" });
	t.equal(
		ends(events)[0]?.segment.speechEndSample,
		windows(27.5) * windowSamples,
	);
});

t.test(
	"of a pause that a split is in, the silence is not counted as speech",
	async (t) => {
		// an even silence: the split is near its end
		const quiet = (window: number) =>
			new Float32Array(windowSamples).fill(
				window >= windows(22) && window < windows(23) ? 0.0001 : 0.2,
			);
		const parts = probabilities([
			[0.5, 0.01],
			[21.5, 0.95],
			[1, 0.01],
			[11, 0.95],
		]);
		for (const rules of [endpointRules(1200), passageRules()]) {
			const [before, after] = ends(run(rules, parts, quiet));
			if (!before || !after) throw new Error("no split");
			const { endSample } = before.segment;
			t.ok(endSample > windows(22.5) * windowSamples, `split at ${endSample}`);
			t.equal(after.segment.startSample, endSample, "nothing is lost");
			t.equal(before.segment.speechEndSample, windows(22) * windowSamples);
			t.equal(
				after.segment.speechStartSample,
				Math.max(endSample, windows(23) * windowSamples - rules.leadSamples),
			);
			t.same([...before.segment.pauses, ...after.segment.pauses], []);
		}
	},
);

t.test("speech begins behind a pause that a split is early in", async (t) => {
	const quiet = (window: number) =>
		new Float32Array(windowSamples).fill(
			Math.abs(window - windows(22.3)) <= 3 ? 0.002 : 0.2,
		);
	const parts = probabilities([
		[22, 0.95],
		[1, 0.01],
		[11, 0.95],
	]);
	const rules = endpointRules(1200);
	const [before, after] = ends(run(rules, parts, quiet));
	t.match(before?.segment, {
		endSample: windows(22.3) * windowSamples,
		speechEndSample: windows(22) * windowSamples,
	});
	t.equal(
		after?.segment.speechStartSample,
		windows(23) * windowSamples - rules.leadSamples,
	);
});

await holds(t, eventsKeepTheirOrder(), 20);

t.test(
	"hours of audio take no more memory than the longest segment",
	async (t) => {
		const segmenter = new Segmenter(endpointRules(800));
		const window = new Float32Array(windowSamples);
		let heldMax = 0;
		const parts = probabilities([
			[40, 0.01],
			[40, 0.9],
			[5, 0.45],
		]);
		for (
			let round = 0;
			round < 130;
			round++ // three hours
		)
			for (const probability of parts) {
				segmenter.accept(window, probability);
				heldMax = Math.max(heldMax, segmenter.samplesHeld);
			}
		t.ok(heldMax < 31 * 16_000, `${heldMax} samples held at most`);
	},
);
