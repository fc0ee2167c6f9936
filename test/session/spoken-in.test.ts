/** The language that a model identified, passed on to the labels of sentences. No model, no clock. */
import t from "tap";
import type { Hypothesis } from "../../runtime/models/recognizer.js";
import { passageSentencesOf } from "../../runtime/session/sentences.js";
import { of, perform, recognize, rehearse, speech } from "./rehearsal.js";

t.test("a final has the language that was identified in it", async (t) => {
	const { events } = await perform(rehearse(), speech(-500, 2000, -1500), {
		recognize: ({ segment }) => ({ ...recognize(segment), spokenIn: "en-US" }),
	});
	t.equal(of(events, "final")[0]?.utterance.spokenIn, "en-US");
	const silent = await perform(rehearse(), speech(-500, 2000, -1500));
	t.notOk("spokenIn" in (of(silent.events, "final")[0]?.utterance ?? {}));
});

t.test("the language of a passage is not that of its sentences", async (t) => {
	const rate = 16_000;
	const word = (text: string, startSeconds: number) => ({
		text,
		startSeconds,
		endSeconds: startSeconds + 1,
		kind: "normal" as const,
		confidence: 0.9,
	});
	const hypothesis: Hypothesis = {
		text: "one two",
		tokens: [],
		confidence: 0.9,
		spokenIn: "en-US",
		words: [word("one", 0), word("two", 4)],
		guards: [],
	};
	const segment = {
		index: 1,
		startSample: 0,
		speechStartSample: 0,
		speechEndSample: 5 * rate,
		endSample: 5 * rate,
		pauses: [{ startSample: rate, endSample: 4 * rate }],
		voiced: [],
		samples: new Float32Array(5 * rate),
	};
	const options = {
		language: "zh-cmn-Hans-CN-en-US",
		punctuation: true,
		maxSentenceSilenceMs: 800,
	} as const;
	const sentences = passageSentencesOf(segment, hypothesis, options);
	t.equal(sentences.length, 2);
	t.ok(sentences.every((it) => it.hypothesis.spokenIn === undefined));
	const [whole] = passageSentencesOf(
		{ ...segment, pauses: [] },
		hypothesis,
		options,
	);
	t.equal(whole?.hypothesis.spokenIn, "en-US");
});
