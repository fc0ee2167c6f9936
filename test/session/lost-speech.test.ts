/** Speech that a passage's words leave out: found by when the words were said. */
import t from "tap";
import type { Hypothesis } from "../../runtime/models/recognizer.js";
import type { Segment } from "../../runtime/segmentation/events.js";
import {
	hasMoreText,
	lostSpeechSegments,
	mayLoseSpeech,
} from "../../runtime/session/lost-speech.js";
import { madeHypothesis } from "./made-utterances.js";

const rate = 16_000;

/** @param pauses from and to, seconds. */
function passage(
	seconds: number,
	pauses: readonly [number, number][],
): Segment {
	const at = 100 * rate; // an arbitrary position in a file
	return {
		index: 1,
		startSample: at,
		speechStartSample: at,
		speechEndSample: at + seconds * rate,
		endSample: at + seconds * rate,
		pauses: pauses.map(([from, to]) => ({
			startSample: at + from * rate,
			endSample: at + to * rate,
		})),
		voiced: [],
		samples: Float32Array.from({ length: seconds * rate }, (_, i) => i / rate),
	};
}

/** @param words texts, start and end in seconds. */
function hypothesisOf(...words: [string, number, number][]): Hypothesis {
	return madeHypothesis(words.map(([text]) => text).join(" "), {
		confidence: 0.9,
		words: words.map(([text, startSeconds, endSeconds]) => ({
			text,
			startSeconds,
			endSeconds,
			kind: "normal",
			confidence: 0.9,
		})),
	});
}

const secondsOf = (pieces: readonly Segment[]) =>
	pieces.map(({ startSample, endSample }) => [
		(startSample - 100 * rate) / rate,
		(endSample - 100 * rate) / rate,
	]);

t.test("a span without words is a separate piece", async (t) => {
	const whole = passage(9, [
		[2, 2.5],
		[5, 5.9],
	]);
	const words = hypothesisOf(
		["I", 0, 0.3],
		["heard", 0.4, 1.9],
		["that", 2.6, 3],
		["noise", 3.2, 3.8],
		["again", 4.2, 4.9],
	);
	const pieces = lostSpeechSegments(whole, words);
	t.same(secondsOf(pieces), [
		[0, 5.25],
		[5.65, 9],
	]);
	t.same(pieces[0]?.pauses, [whole.pauses[0]], "a short pause stays inside");
	const [, last] = pieces;
	t.equal(last?.speechStartSample, 105.9 * rate);
	t.equal(last?.samples[0], Math.fround(5.65), "its own samples");
});

t.test(
	"speech that continues where words end is a piece, with or without a pause",
	async (t) => {
		const first = hypothesisOf(["prepare", 0.2, 0.9], ["yourself", 1, 1.9]);
		const sure = { startSample: 100 * rate, endSample: 108 * rate };
		const flowing = { ...passage(8, []), voiced: [sure] };
		t.ok(mayLoseSpeech(flowing));
		t.same(secondsOf(lostSpeechSegments(flowing, first)), [
			[0, 1.9],
			[1.9, 8],
		]);
		const short = { ...passage(8, [[2, 2.2]]), voiced: [sure] };
		t.same(secondsOf(lostSpeechSegments(short, first)), [
			[0, 2.2],
			[2, 8],
		]);
		const between = hypothesisOf(
			["so", 0.1, 0.5],
			["it", 6.9, 7.1],
			["is", 7.1, 7.9],
		);
		t.same(secondsOf(lostSpeechSegments(flowing, between)), [
			[0, 0.5],
			[0.5, 6.9],
			[6.9, 8],
		]);
		// sound that voice activity is not sure of, as long as a word
		const murmur = {
			...flowing,
			voiced: [{ ...sure, endSample: 103.3 * rate }],
		};
		t.same(lostSpeechSegments(murmur, first), []);
	},
);

t.test("a word that lasts impossibly long covers nothing", async (t) => {
	const sure = { startSample: 100 * rate, endSample: 110 * rate };
	const whole = {
		...passage(10, [
			[3, 3.3],
			[6.5, 6.8],
		]),
		voiced: [sure],
	};
	const words = hypothesisOf(
		["in", 2, 2.3],
		["the", 2.3, 2.4],
		["morning", 2.4, 3],
		["My", 3.3, 5.2],
		["sister", 6.9, 7.4],
		["planted", 7.5, 8.4],
		["trees", 8.8, 9.9],
	);
	t.same(
		secondsOf(
			lostSpeechSegments({ ...whole, speechStartSample: 101.9 * rate }, words),
		),
		[
			[0, 3.25],
			[3.05, 6.75],
			[6.55, 10],
		],
	);
});

t.test(
	"speech of which one stretched word is all that was recognized is divided where it is quiet",
	async (t) => {
		const sure = { startSample: 100 * rate, endSample: 111 * rate };
		const flowing = { ...passage(11, []), voiced: [sure] };
		const samples = new Float32Array(11 * rate).fill(0.5);
		samples.fill(0.01, 1 * rate, 1.2 * rate); // too near to its beginning
		samples.fill(0.02, 6.4 * rate, 6.5 * rate);
		const quietAt = { ...flowing, samples };
		const stretched = hypothesisOf(["警方", 0, 4.8]);
		const half = quietAt.startSample + 6.45 * rate;
		t.same(secondsOf(lostSpeechSegments(quietAt, stretched)), [
			[0, 6.45],
			[6.45, 11],
		]);
		t.equal(lostSpeechSegments(quietAt, stretched)[1]?.startSample, half);
		t.same(
			lostSpeechSegments(quietAt, { ...hypothesisOf(), guards: ["noise"] }),
			[],
			"a text that a guard refused is left",
		);
		const short = { ...passage(3.5, []), voiced: [sure] };
		t.same(lostSpeechSegments(short, hypothesisOf(["警方", 0, 3])), []);
		const hum = { ...quietAt, voiced: [{ ...sure, endSample: 101 * rate }] };
		t.same(lostSpeechSegments(hum, stretched), [], "hardly any is sure");
	},
);

t.test("words said one by one that are missing are one piece", async (t) => {
	const whole = passage(8, [
		[3, 3.6],
		[4, 4.5],
		[4.9, 5.5],
	]);
	const words = hypothesisOf(["your", 0.5, 1.4], ["country", 1.5, 2.9]);
	const digits = { ...whole, speechEndSample: 105.9 * rate };
	t.same(secondsOf(lostSpeechSegments(digits, words)), [
		[0, 3.25],
		[3.35, 8],
	]);
	const one = {
		...digits,
		speechEndSample: 104 * rate,
		pauses: whole.pauses.slice(0, 1),
	};
	t.same(lostSpeechSegments(one, words), [], "a single one is too short");
});

t.test("if every span has its words, nothing is split", async (t) => {
	const whole = passage(6, [[3, 3.8]]);
	t.ok(mayLoseSpeech(whole));
	const words = hypothesisOf(
		["one", 0.1, 0.8],
		["two", 1, 2.1],
		["three", 3.9, 4.5],
		["four", 4.6, 5.9],
	);
	t.same(lostSpeechSegments(whole, words), []);
	t.same(
		lostSpeechSegments(
			whole,
			hypothesisOf(["你好吗", 0, 1.2], ["我很好", 4.8, 6]),
		),
		[],
	);
});

t.test(
	"a hum of half a second, and a stop between syllables, are ignored",
	async (t) => {
		const hum = passage(4, [[3, 3.6]]);
		t.same(
			lostSpeechSegments(hum, hypothesisOf(["well", 0, 1], ["then", 1.6, 3])),
			[],
		);
		const stop = passage(2.9, [[2, 2.3]]);
		t.notOk(mayLoseSpeech(stop));
		t.same(lostSpeechSegments(stop, hypothesisOf(["no", 0, 1])), []);
	},
);

t.test("without any text, all of it is doubtful", async (t) => {
	const whole = passage(5, [[2, 3]]);
	t.same(secondsOf(lostSpeechSegments(whole, hypothesisOf())), [
		[0, 2.25],
		[2.75, 5],
	]);
});

t.test("a recognizer without word times is trusted", async (t) => {
	const whole = { ...hypothesisOf(), text: "all of it" };
	t.same(lostSpeechSegments(passage(5, [[2, 3]]), whole), []);
});

t.test("the pieces are used if they have clearly more text", async (t) => {
	const whole = hypothesisOf(["I had that curiosity", 0, 3]);
	const [same, more] = [hypothesisOf(["this has been a day", 0, 2]), whole];
	t.ok(hasMoreText([more, same], whole));
	t.notOk(
		hasMoreText(
			[
				hypothesisOf(["I had that", 0, 1]),
				hypothesisOf(["curious city", 1, 2]),
			],
			whole,
		),
	);
	t.ok(
		hasMoreText(
			[hypothesisOf(["广州市", 0, 1]), hypothesisOf(["分析", 1, 2])],
			hypothesisOf(["分析", 0, 2]),
		),
	);
});
