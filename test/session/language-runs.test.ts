/** Where mixed speech is cut and in which language each piece is recognized, from recorded answers of a model. No model. */

import t from "tap";
import type { Hypothesis } from "../../runtime/models/recognizer.js";
import type { Segment } from "../../runtime/segmentation/events.js";
import {
	decidedRuns,
	doubtfulSpans,
	holdsAll,
	isBeyondDoubt,
	languageRuns,
	likelierReading,
	runSegment,
	withSecondQuery,
} from "../../runtime/session/language-runs.js";
import {
	LanguageQueries,
	speechSpans,
} from "../../runtime/session/language-spans.js";
import type { Language, LanguagePair } from "../../runtime/text/languages.js";
import { madeHypothesis } from "./made-utterances.js";

const rate = 16_000;
const startSample = 50 * rate; // an arbitrary position in a stream
const pair: LanguagePair = ["zh-cmn-Hans-CN", "en-US"];
const [zh, en] = pair;

/** @param pauses from and to, seconds from the segment's start. */
function segmentOf(
	seconds: number,
	pauses: readonly [number, number][],
	samples = new Float32Array(seconds * rate),
): Segment {
	return {
		index: 3,
		startSample,
		speechStartSample: startSample + 0.2 * rate,
		speechEndSample: startSample + (seconds - 0.2) * rate,
		endSample: startSample + seconds * rate,
		pauses: pauses.map(([from, to]) => ({
			startSample: Math.round(startSample + from * rate),
			endSample: Math.round(startSample + to * rate),
		})),
		voiced: [],
		samples,
	};
}

const secondsOf = (
	spans: readonly { startSample: number; endSample: number }[],
	from = startSample,
) =>
	spans.map((it) => [
		Number(((it.startSample - from) / rate).toFixed(2)),
		Number(((it.endSample - from) / rate).toFixed(2)),
	]);

const hypothesisOf = (text: string, confidence = 0.9): Hypothesis =>
	madeHypothesis(text, { confidence });

const parts = (...texts: string[]) =>
	texts.map((text) => ({
		segment: segmentOf(1, []),
		hypothesis: hypothesisOf(text),
	}));

/** Start and end in seconds, and log odds. */
const spans = (...all: [number, number, number][]) =>
	all.map(([from, to, logOdds]) => ({
		startSample: startSample + from * rate,
		endSample: startSample + to * rate,
		logOdds,
	}));

t.test(
	"speech is cut at pauses; short spans join the nearer neighbour",
	async (t) => {
		const cut = speechSpans(
			segmentOf(8, [
				[2, 2.3],
				[2.7, 3.5],
				[5, 5.6],
				[5.9, 6.1],
			]),
		);
		t.same(secondsOf(cut), [
			[0.2, 2.7],
			[3.5, 5],
			[5.6, 7.8],
		]);
		t.same(secondsOf(speechSpans(segmentOf(0.6, []))), [[0.2, 0.4]]);
	},
);

t.test("long spans are also queried in windows", async (t) => {
	const spans = new LanguageQueries(segmentOf(9, [[3, 3.4]])).spans;
	t.same(secondsOf(spans, 0), [
		[0.2, 3],
		[3.4, 8.8],
		[3.4, 5.9],
		[4.65, 7.15],
		[5.9, 8.4],
		[6.3, 8.8],
	]);
});

t.test(
	"a language that changes without a pause: cut at the quietest moment between the windows that are sure",
	async (t) => {
		const samples = new Float32Array(6 * rate).fill(0.1);
		samples.fill(0.001, 3.25 * rate, 3.37 * rate);
		const questions = new LanguageQueries(segmentOf(6, [], samples));
		t.same(secondsOf(questions.spans, 0).slice(1), [
			[0.2, 2.7],
			[1.45, 3.95],
			[2.7, 5.2],
			[3.3, 5.8],
		]);
		const found = questions.withLogOdds([2.9, 7.2, 0.8, -3.1, -6.3]);
		t.same(secondsOf(found), [
			[0.2, 3.3],
			[3.3, 5.8],
		]);
		t.same(
			found.map((it) => it.logOdds),
			[7.2, -4.7],
		);
		const sure = questions.withLogOdds([5.6, 7.2, 0.8, -3.1, -6.3]);
		t.equal(sure.length, 1, "the whole of it is sure: a name in it");
		const windows = questions.withLogOdds([1.2, 7.2, 6.1, 1.9, 3.9]);
		t.same(
			windows.map((it) => it.logOdds.toFixed(2)),
			["5.73"],
			"windows agree where the whole is unsure",
		);
	},
);

t.test(
	"runs: neighbours of one language are recognized together",
	async (t) => {
		const runs = languageRuns(
			spans([0, 2, 7], [2.5, 4, 1.2], [4.4, 6, 5], [6.6, 9, -8], [9.5, 11, -4]),
			pair,
		);
		t.same(
			runs.map((it) => it.language),
			[zh, en],
		);
		t.same(secondsOf(runs), [
			[0, 6],
			[6.6, 11],
		]);
	},
);

t.test("an unsure span", async (t) => {
	const languages = (...odds: number[]) =>
		languageRuns(
			spans(
				...odds.map((it, i): [number, number, number] => [
					2 * i,
					2 * i + 1,
					it,
				]),
			),
			pair,
		).map((it) => it.language);
	t.same(languages(7, 0.5, 6), [zh], "is its neighbours'");
	t.same(languages(7, -0.5, 6), [zh, undefined, zh], "but not against them");
	t.same(languages(7, 0.5, -6), [zh, undefined, en], "nor between two");
	t.same(languages(0.4, 7), [zh]);
	t.same(languages(1, -1.4), [undefined], "unknown");
});

t.test("spans that are queried again separately", async (t) => {
	const doubtful = (...all: [number, number, number][]) =>
		doubtfulSpans(spans(...all)).map((it) => it.logOdds);
	t.same(doubtful([0, 3, 7], [4, 5, -3], [6, 9, 5]), [-3], "short, and alone");
	t.same(
		doubtful([0, 3, 7], [4, 5, 3], [6, 9, 5]),
		[3],
		"short, as the others",
	);
	t.same(doubtful([0, 3, 7], [4, 5, 6], [6, 9, 5]), [], "beyond doubt");
	t.same(doubtful([0, 3, 7], [4, 7, -3], [8, 9, 6]), [], "a sentence");
	t.same(doubtful([0, 3, 7], [4, 7, -1]), [-1]);
	t.same(doubtful([0, 3, 1], [4, 7, -1]), [], "none is sure: both are queried");
	t.same(doubtful([0, 3, 1]), []);
	const again = (seconds: number) =>
		spans([0, seconds, 2]).map((it) => withSecondQuery(it, -4).logOdds);
	t.ok(Math.abs((again(1)[0] as number) + 2) < 1e-9, "a third and two thirds");
	t.same(again(3), [-4], "a sentence by itself is what it is");
});

t.test("a short text of high confidence is not read again", async (t) => {
	const [run] = languageRuns(spans([0, 1, -1]), pair);
	const isSure = (text: string, confidence: number, spokenIn: Language) =>
		run &&
		isBeyondDoubt({ ...hypothesisOf(text, confidence), spokenIn }, run, pair);
	t.ok(isSure("what's the weather like", 0.95, en));
	t.notOk(isSure("what's the weather like", 0.85, en));
	t.notOk(isSure("沃茨", 0.95, zh), "the sound leans to the other one");
	t.notOk(isSure("", 0.95, en));
});

t.test(
	"a run includes its context up to the middle of the pauses",
	async (t) => {
		const segment = segmentOf(12, [
			[1, 1.4],
			[4, 7],
			[9, 9.3],
		]);
		const runs = spans([0.2, 4, 7], [7, 9, -7], [9.3, 11.8, 7]);
		const [first, second, third] = runs.map((_, i) =>
			runSegment(segment, runs, i),
		);
		t.same(secondsOf([first, second, third].flatMap((it) => it ?? [])), [
			[0, 5],
			[6, 9.15],
			[9.15, 12],
		]);
		t.equal(first?.samples.length, 5 * rate);
		t.same(secondsOf(first?.pauses ?? []), [[1, 1.4]]);
		t.same(second?.pauses, []);
		t.equal(second?.speechStartSample, startSample + 7 * rate);
		t.equal(second?.speechEndSample, startSample + 9 * rate);
	},
);

t.test("a word between sentences of the other language", async (t) => {
	const runs = languageRuns(
		spans([0, 3, 7], [3.2, 3.9, -4], [4.2, 7, 6]),
		pair,
	);
	const [, word] = runs;
	t.same(
		runs.map((it) => it.language),
		[zh, undefined, zh],
		"is read in both languages",
	);
	const decided = (reading: Hypothesis) =>
		decidedRuns(runs, word ? new Map([[word, reading]]) : new Map()).map(
			(it) => it.language,
		);
	t.same(decided({ ...hypothesisOf("OK"), spokenIn: en }), [zh, en, zh]);
	t.same(decided({ ...hypothesisOf("噢"), spokenIn: zh }), [zh]);
	t.same(decided({ ...hypothesisOf(""), spokenIn: en }), [zh], "no text");
	const words = spans([0, 0.7, 4], [1, 1.7, -4], [2, 2.7, 5]);
	t.same(
		languageRuns(words, pair).map((it) => it.language),
		[zh, en, zh],
		"single words keep their language",
	);
});

t.test("the likelier of two readings is chosen", async (t) => {
	const chosen = (a: Hypothesis, b: Hypothesis, logOdds: number) =>
		likelierReading(a, b, logOdds).text;
	t.equal(chosen(hypothesisOf("歐"), hypothesisOf("Oh"), 0), "歐");
	t.equal(chosen(hypothesisOf("歐", 0.6), hypothesisOf("Oh", 0.9), 0), "Oh");
	t.equal(chosen(hypothesisOf("歐", 0.8), hypothesisOf("Oh", 0.9), 4), "歐");
	t.equal(chosen(hypothesisOf("", 0.9), hypothesisOf("Oh", 0.1), 4), "Oh");
	t.equal(chosen(hypothesisOf("歐", 0), hypothesisOf("", 0), -4), "歐");
	const digits = [
		hypothesisOf("1，2，3。", 0.9),
		hypothesisOf("1, 2, 3.", 0.6),
	];
	const ofDigits = (logOdds: number) =>
		chosen(digits[0] as Hypothesis, digits[1] as Hypothesis, logOdds);
	t.equal(ofDigits(-1), "1, 2, 3.", "the same words: as it sounds");
	t.equal(ofDigits(1), "1，2，3。");
	t.equal(ofDigits(0), "1，2，3。", "nothing is known of the sound");
});

t.test("the whole is kept if it has the words of both languages", async (t) => {
	const runs = parts("我们用", "machine learning", "做这个");
	t.ok(holdsAll(hypothesisOf("我们用machine learning做这个"), runs));
	t.notOk(holdsAll(hypothesisOf("我们用机器学习做这个"), runs));
	t.notOk(holdsAll(hypothesisOf("we use machine learning"), runs));
});

t.test("the whole has the digits of English, too", async (t) => {
	const holds = (text: string, english: string, spokenIn: Language = en) => {
		const [before, part, after] = parts("今天很好。", english, "走吧。");
		if (!before || !part || !after) throw new Error("no parts");
		return holdsAll(hypothesisOf(text), [
			{ ...before, spokenIn: zh },
			{ ...part, spokenIn },
			{ ...after, spokenIn: zh },
		]);
	};
	const lost = "今天很好。一二三。走吧。";
	t.notOk(holds(lost, "1, 2, 3."));
	t.notOk(holds("今天很好。五五五一二一二。走吧。", "555-1212."));
	t.notOk(holds(lost, "One, two, three."));
	t.ok(holds("今天很好。１，２，３。走吧。", "1, 2, 3."));
	t.ok(holds("今天很好。one two three. 走吧。", "1, 2, 3."), "in words");
	t.ok(holds(lost, ""), "an English run without a text");
	t.ok(holds(lost, "123。", zh), "Chinese may be in either");
});
