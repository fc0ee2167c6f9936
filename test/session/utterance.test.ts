/** Times of an utterance's words: within the speech, in order, and none without a length. */
import t from "tap";
import { makeUtterance } from "../../runtime/session/utterance.js";
import { madeHypothesis } from "./made-utterances.js";

const rate = 16_000;

/** A segment from 10 s of the session on, with speech between 0.5 s and 2.5 s of it. */
const segment = {
	index: 1,
	startSample: 10 * rate,
	speechStartSample: 10.5 * rate,
	speechEndSample: 12.3 * rate,
	endSample: 13 * rate,
	pauses: [],
	voiced: [],
	samples: new Float32Array(3 * rate),
};

type Aligned = readonly [
	text: string,
	startSeconds: number,
	endSeconds: number,
];

/** @returns text, begin and end in milliseconds. */
function timesOf(words: readonly Aligned[]): (string | number)[][] {
	const hypothesis = madeHypothesis(words.map(([text]) => text).join(" "), {
		words: words.map(([text, startSeconds, endSeconds]) => ({
			text,
			startSeconds,
			endSeconds,
			confidence: 1,
			kind: /^\p{P}$/u.test(text) ? "punc" : "normal",
		})),
	});
	return makeUtterance(segment, hypothesis).words.map(
		({ text, startMs, endMs }) => [text, startMs, endMs],
	);
}

const cases: readonly {
	readonly name: string;
	readonly words: readonly Aligned[];
	readonly times: (string | number)[][];
}[] = [
	{
		name: "words within the speech keep their times",
		words: [
			["one", 0.6, 0.9],
			["two", 1, 1.5],
		],
		times: [
			["one", 10_600, 10_900],
			["two", 11_000, 11_500],
		],
	},
	{
		name: "a first word before the speech has the time up to the second",
		words: [
			["Television", 0.1, 0.4],
			["reports", 1, 1.5],
		],
		times: [
			["Television", 10_500, 11_000],
			["reports", 11_000, 11_500],
		],
	},
	{
		name: "it shares the second's where there is none before it",
		words: [
			["yes", 0.1, 0.4],
			[",", 0.4, 0.4],
			["sir", 0.4, 1.1],
			["no", 1.2, 1.4],
		],
		times: [
			["yes", 10_500, 10_800],
			[",", 10_800, 10_800],
			["sir", 10_800, 11_100],
			["no", 11_200, 11_400],
		],
	},
	{
		name: "a last word behind the speech shares that of the word before",
		words: [
			["we", 0.6, 0.9],
			["are", 0.9, 2.5],
			[",", 2.5, 2.5],
			["now", 2.6, 2.9],
			[".", 2.9, 2.9],
		],
		times: [
			["we", 10_600, 10_900],
			["are", 10_900, 11_700],
			[",", 11_700, 11_700],
			["now", 11_700, 12_500],
			[".", 12_500, 12_500],
		],
	},
	{
		name: "words of which none is within it share the whole, by their characters",
		words: [
			["no", 0, 0.1],
			["way", 0.1, 0.2],
			["sir", 0.2, 0.3],
		],
		times: [
			["no", 10_500, 11_000],
			["way", 11_000, 11_750],
			["sir", 11_750, 12_500],
		],
	},
];

for (const { name, words, times } of cases)
	t.test(name, async (t) => {
		t.strictSame(timesOf(words), times);
	});
