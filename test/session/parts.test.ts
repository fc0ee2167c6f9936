/** A segment that was recognized in pieces, as one text. */
import t from "tap";
import type { Hypothesis } from "../../runtime/models/recognizer.js";
import type { Segment } from "../../runtime/segmentation/events.js";
import { joinParts, type Part } from "../../runtime/session/parts.js";
import { madeHypothesis } from "./made-utterances.js";

const rate = 16_000;

function segmentOf(fromSeconds: number, toSeconds: number): Segment {
	const startSample = fromSeconds * rate;
	const endSample = toSeconds * rate;
	return {
		index: 3,
		startSample,
		endSample,
		speechStartSample: startSample,
		speechEndSample: endSample,
		pauses: [],
		voiced: [],
		samples: new Float32Array(endSample - startSample),
	};
}

function hypothesisOf(
	text: string,
	more: Partial<Hypothesis> = {},
): Hypothesis {
	return madeHypothesis(text, { tokens: [1], ...more });
}

function word(text: string, startSeconds: number, endSeconds: number) {
	return {
		text,
		startSeconds,
		endSeconds,
		kind: "normal",
		confidence: 1,
	} as const;
}

const whole = segmentOf(10, 16);

t.test("one part is the whole unchanged", async (t) => {
	const hypothesis = hypothesisOf("Hello.", { tokens: [5, 6] });
	t.equal(
		joinParts(whole, [{ segment: whole, hypothesis }], "en-US"),
		hypothesis,
	);
});

t.test(
	"texts are joined by the language's rule, word times are moved",
	async (t) => {
		const parts: Part[] = [
			{
				segment: segmentOf(10, 12),
				hypothesis: hypothesisOf("Good morning.", {
					words: [word("Good", 0.1, 0.5), word("morning", 0.5, 1)],
					guards: ["repetition"],
				}),
			},
			{
				segment: segmentOf(13, 16),
				hypothesis: hypothesisOf("Go on.", {
					words: [word("Go", 0.25, 0.5), word("on", 1, 1.5)],
					confidence: 0.25,
				}),
			},
		];
		const joined = joinParts(whole, parts, "en-US");
		t.equal(joined.text, "Good morning. Go on.");
		t.same(
			joined.words.map((it) => [it.text, it.startSeconds, it.endSeconds]),
			[
				["Good", 0.1, 0.5],
				["morning", 0.5, 1],
				["Go", 3.25, 3.5],
				["on", 4, 4.5],
			],
		);
		t.same(joined.tokens, [], "it has no tokens of one decode");
		t.same(joined.guards, ["repetition"]);
		t.equal(
			joined.confidence.toFixed(3),
			((13 + 0.25 * 6) / 19).toFixed(3),
			"parts are weighted by length",
		);
		t.equal(joinParts(whole, parts, "ja-JP").text, "Good morning.Go on.");
	},
);

t.test(
	"the language of all parts is that of the whole, of different ones none",
	async (t) => {
		const part = (text: string, spokenIn: "en-US" | "ja-JP"): Part => ({
			segment: segmentOf(10, 12),
			hypothesis: hypothesisOf(text, { spokenIn }),
		});
		const both = [part("はい。", "ja-JP"), part("Yes.", "en-US")];
		t.notOk("spokenIn" in joinParts(whole, both, "ja-JP-en-US"));
		const one = [
			part("はい。", "ja-JP"),
			part("", "en-US"),
			part("ええ。", "ja-JP"),
		];
		t.equal(joinParts(whole, one, "ja-JP-en-US").spokenIn, "ja-JP");
	},
);

t.test("if no part has text, the whole has none", async (t) => {
	const nothing = {
		segment: whole,
		hypothesis: hypothesisOf("", { confidence: 0 }),
	};
	t.match(joinParts(whole, [nothing, nothing], "en-US"), {
		text: "",
		confidence: 0,
	});
});
