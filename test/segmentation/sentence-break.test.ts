/** Sentence breaks that adapt to the speaker, sentences that end on request, and open segments. */
import t from "tap";
import { endpointRules } from "../../runtime/segmentation/rules.js";
import { Segmenter } from "../../runtime/segmentation/segmenter.js";
import { SentenceBreak } from "../../runtime/segmentation/sentence-break.js";
import { windowSamples } from "../../runtime/segmentation/speech-detector.js";
import {
	ends,
	numberedWindow,
	probabilities,
	segment,
	shape,
	windows,
} from "./probabilities.js";

function breakOf(maxSentenceSilenceMs: number, dynamicBreak = true) {
	return new SentenceBreak(endpointRules(maxSentenceSilenceMs, dynamicBreak));
}

t.test("a fixed break does not move", async (t) => {
	const fixed = breakOf(800, false);
	for (let i = 0; i < 20; i++) fixed.acceptSilence(4 + i);
	t.equal(fixed.windows, 25);
});

t.test("two pauses change nothing, three do", async (t) => {
	const following = breakOf(800);
	following.acceptSilence(6);
	following.acceptSilence(6);
	t.equal(following.windows, 25);
	following.acceptSilence(6);
	t.equal(following.windows, 18, "three times the median");
});

t.test("a break stays between half and one and a half", async (t) => {
	for (const silenceMs of [200, 500, 800, 1200]) {
		const rules = endpointRules(silenceMs, true);
		const quick = breakOf(silenceMs);
		for (let i = 0; i < 9; i++) quick.acceptSilence(3);
		t.equal(
			quick.windows,
			Math.max(9, rules.silenceWindowsMin),
			`${silenceMs}`,
		);
		const slow = breakOf(silenceMs);
		for (let i = 0; i < 9; i++) slow.acceptSilence(rules.silenceWindowsMax);
		t.equal(slow.windows, rules.silenceWindowsMax);
		t.ok(rules.silenceWindowsMax * 32 <= silenceMs * 1.5 + 32);
		t.ok(rules.silenceWindowsMin * 32 >= silenceMs / 2);
	}
});

t.test(
	"a silence that is not a pause of the speaker is not counted",
	async (t) => {
		const following = breakOf(800);
		for (let i = 0; i < 9; i++) following.acceptSilence(2); // stop consonants
		for (let i = 0; i < 9; i++) following.acceptSilence(300); // the speaker left the room
		t.equal(following.windows, 25);
	},
);

t.test("old pauses are forgotten", async (t) => {
	const following = breakOf(800);
	for (let i = 0; i < 9; i++) following.acceptSilence(12);
	t.equal(following.windows, 36);
	for (let i = 0; i < 9; i++) following.acceptSilence(5);
	t.equal(following.windows, 15);
});

/** Words of half a second with the same pause between them, then half a second more of silence than the break asked for. */
function speaker(pauseSeconds: number, words: number) {
	const parts: [number, number][] = [[1, 0.01]];
	for (let i = 0; i < words; i++) parts.push([0.5, 0.95], [pauseSeconds, 0.01]);
	return probabilities([...parts, [2, 0.01]]);
}

t.test("a speaker with long pauses is not interrupted", async (t) => {
	const hesitant = speaker(0.9, 8);
	t.equal(ends(segment(hesitant, 800)).length, 8);
	const [first, second, third, ...rest] = ends(
		segment(hesitant, 800, numberedWindow, true),
	);
	t.ok(first && second && third, "three breaks teach");
	t.equal(rest.length, 1, "then the sentence holds together");
});

t.test("a speaker without pauses gets results sooner", async (t) => {
	const answers = speaker(0.13, 8);
	const rules = endpointRules(800, true);
	const segmenter = new Segmenter(rules);
	let endedAt = 0;
	answers.forEach((probability, i) => {
		const events = segmenter.accept(numberedWindow(i), probability);
		if (events.some((it) => it.is === "end")) endedAt = i;
	});
	const speechEnd = answers.lastIndexOf(0.95);
	t.equal(
		endedAt - speechEnd + rules.offsetLagWindows,
		rules.silenceWindowsMin,
	);
});

t.test("a sentence ends on request, and the next begins there", async (t) => {
	const segmenter = new Segmenter(endpointRules(800));
	const events = [...segmenter.endSentence()];
	t.same(events, [], "nothing is open");
	const answers = probabilities([
		[1, 0.01],
		[2, 0.95],
		[2, 0.01],
	]);
	answers.forEach((probability, i) => {
		events.push(...segmenter.accept(numberedWindow(i), probability));
		if (i === windows(2)) events.push(...segmenter.endSentence());
	});
	t.equal(shape(events), "begin end begin pause end");
	const [requested, silence] = ends(events);
	t.equal(requested?.why, "request");
	t.equal(silence?.why, "silence");
	t.equal(silence?.segment.startSample, requested?.segment.endSample, "no gap");
	t.same(segmenter.endSentence(), [], "once");
});

t.test("on request in a pause: the segment of the pause", async (t) => {
	const segmenter = new Segmenter(endpointRules(800));
	const answers = probabilities([
		[1, 0.01],
		[1, 0.95],
		[0.4, 0.01],
	]);
	const events = answers.flatMap((probability, i) =>
		segmenter.accept(numberedWindow(i), probability),
	);
	const [requested] = ends(segmenter.endSentence());
	const pause = events.find((it) => it.is === "pause");
	t.same(requested?.segment, pause?.is === "pause" ? pause.segment : undefined);
});

t.test("an open segment can be read", async (t) => {
	const segmenter = new Segmenter(endpointRules(800));
	const answers = probabilities([
		[1, 0.01],
		[1, 0.95],
	]);
	t.equal(segmenter.openSegment(), undefined);
	t.equal(segmenter.silentSamples, undefined, "before any speech");
	answers.forEach((probability, i) => {
		segmenter.accept(numberedWindow(i), probability);
	});
	const open = segmenter.openSegment();
	if (!open) throw new Error("no open segment");
	t.equal(open.index, 1);
	t.equal(open.endSample, answers.length * windowSamples);
	t.equal(open.samples.length, open.endSample - open.startSample);
	const from = open.endSample - 1000;
	t.match(segmenter.openSegment(from), { startSample: from });
	t.same(segmenter.openSegment(from)?.samples, open.samples.subarray(-1000));
	t.equal(segmenter.silentSamples, 0);
	for (let i = 0; i < 40; i++) segmenter.accept(numberedWindow(0), 0.01);
	t.equal(segmenter.openSegment(), undefined, "it ended");
	t.equal(segmenter.silentSamples, 42 * windowSamples, "noticed late");
	segmenter.accept(numberedWindow(0), 0.7);
	t.equal(segmenter.silentSamples, undefined, "this may be speech");
});
