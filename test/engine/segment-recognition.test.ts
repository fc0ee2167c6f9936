/** Speech that a segment's words leave out is recognized again, in pieces, and in pieces of those. */
import t from "tap";
import {
	type Recognize,
	uncancelledResults,
} from "../../runtime/engine/child/segment-query.js";
import { recognizeSegment } from "../../runtime/engine/child/segment-recognition.js";
import type { Hypothesis } from "../../runtime/models/recognizer.js";
import type { Segment } from "../../runtime/segmentation/events.js";
import { madeHypothesis } from "../session/made-utterances.js";

const rate = 16_000;

/** Speech of two seconds each, with pauses of one between. */
function sentences(count: number): Segment {
	const samples = new Float32Array((3 * count - 1) * rate);
	const pauses = Array.from({ length: count - 1 }, (_, i) => ({
		startSample: (3 * i + 2) * rate,
		endSample: (3 * i + 3) * rate,
	}));
	return {
		index: 1,
		startSample: 0,
		endSample: samples.length,
		speechStartSample: 0,
		speechEndSample: samples.length,
		pauses,
		voiced: [{ startSample: 0, endSample: samples.length }],
		samples,
	};
}

const texts = ["one two three", "four five six", "seven eight nine"];

/** @param written which of the sentences in the segment are written. */
function recognizer(written: (inside: number[]) => readonly number[]) {
	const queries: number[][] = [];
	const recognize: Recognize = async (wanted) =>
		wanted.map(({ segment }) => {
			const inside = texts.flatMap((_, i) => {
				const middle = (3 * i + 1) * rate;
				const isIn =
					segment.startSample <= middle && middle < segment.endSample;
				return isIn ? [i] : [];
			});
			queries.push(inside);
			return hypothesisOf(segment, written(inside));
		});
	return { queries, recognize };
}

function hypothesisOf(
	segment: Segment,
	written: readonly number[],
): Hypothesis {
	const words = written.flatMap((i) =>
		(texts[i] ?? "").split(" ").map((text, k) => {
			const startSeconds = 3 * i + 0.5 * k - segment.startSample / rate;
			const endSeconds = startSeconds + 0.4;
			return {
				text,
				startSeconds,
				endSeconds,
				kind: "normal",
				confidence: 1,
			} as const;
		}),
	);
	const text = written.map((i) => texts[i]).join(" ");
	return madeHypothesis(text, { words });
}

const textsOf = (parts: Awaited<ReturnType<typeof recognizeSegment>>) =>
	parts.map((it) => it.hypothesis.text);

t.test("a segment whose words are complete is recognized once", async (t) => {
	const { queries, recognize } = recognizer((inside) => inside);
	t.same(textsOf(await recognizeSegment(sentences(3), "en-US", recognize)), [
		texts.join(" "),
	]);
	t.same(queries, [[0, 1, 2]]);
});

t.test("a piece that also loses a sentence is split again", async (t) => {
	const { queries, recognize } = recognizer((inside) =>
		inside.length === 3 ? [0, 1] : inside.slice(-1),
	);
	const whole = sentences(3);
	// such a short pause is not a cut at first: a word's times may be wrong next to a longer pause
	const short = { startSample: 2 * rate, endSample: 2.5 * rate };
	const segment = { ...whole, pauses: [short, ...whole.pauses.slice(1)] };
	t.same(textsOf(await recognizeSegment(segment, "en-US", recognize)), texts);
	t.same(queries, [[0, 1, 2], [0, 1], [2], [0], [1]]);
});

t.test(
	"a recognizer that writes nothing is not retried for ever",
	async (t) => {
		const { queries, recognize } = recognizer(() => []);
		t.same(textsOf(await recognizeSegment(sentences(3), "en-US", recognize)), [
			"",
		]);
		t.equal(queries.length, 4, "the whole, and each sentence once");
	},
);

t.test("pieces without more text leave the whole as it is", async (t) => {
	const { recognize } = recognizer((inside) =>
		inside.length === 3 ? [0, 2] : inside.includes(1) ? [] : inside,
	);
	const parts = await recognizeSegment(sentences(3), "en-US", recognize);
	t.same(textsOf(parts), [`${texts[0]} ${texts[2]}`]);
});

t.test("pieces are in the language of the whole", async (t) => {
	const asked: (string | undefined)[] = [];
	const { recognize } = recognizer((inside) =>
		inside.length === 3 ? [0, 1] : inside,
	);
	const parts = await recognizeSegment(
		sentences(3),
		"ja-JP-en-US",
		async (wanted, isAgain) => {
			asked.push(...wanted.map((it) => it.spokenIn));
			const found = await recognize(wanted, isAgain);
			return found.map((it, i) => ({
				...it,
				spokenIn: wanted[i]?.spokenIn ?? ("en-US" as const),
				languageLogOdds: wanted[i]?.languageSpans?.map(() => -6) ?? [],
			}));
		},
	);
	t.same(textsOf(parts), texts);
	t.same(asked, [undefined, "en-US", "en-US", "en-US"]);
});

t.test("a cancellation in the middle is reported", async (t) => {
	const { recognize } = recognizer(() => [0]);
	let left = 2;
	const answered = recognizeSegment(
		sentences(3),
		"en-US",
		async (wanted, again) => {
			const found = await recognize(wanted, again);
			return uncancelledResults(
				found.map((it) => (left-- > 0 ? it : "cancelled")),
			);
		},
	);
	await t.rejects(answered, { message: "cancelled" });
});
