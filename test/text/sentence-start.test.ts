import t from "tap";
import type { Language } from "../../runtime/text/languages.js";
import { TextPipeline } from "../../runtime/text/pipeline.js";

const english: Language = "en-US";
const mixed: Language = "zh-cmn-Hans-CN-en-US";
const chinese: Language = "zh-cmn-Hans-CN";

t.test("a sentence behind an ended one begins with a capital letter", (t) => {
	for (const [language, before, text, written] of [
		[
			english,
			"For your country.",
			"ask what you can do",
			"Ask what you can do",
		],
		[english, "“Really?”", "that's it.", "That's it."],
		[english, "It was in 1995.", "and then, yes", "And then, yes"],
		[english, "So am I.", "um, so are you", "Um, so are you"],
		[mixed, "我坐火车。", "the train to the city.", "The train to the city."],
		[english, "For your country.", "ask", "Ask"],
		[english, "Did he come?", "no.", "No."],
		// it goes on, or may
		[english, "For your country,", "ask what you can do", undefined],
		[english, "I thought ...", "that it was late", undefined],
		[english, "At 8 p.m.", "in the evening", undefined],
		[english, "In the U.S.", "and in Canada", undefined],
		[english, "Leeds vs.", "the other team", undefined],
		[english, "Martin Luther King Jr.", "was born in 1929", undefined],
		[english, "", "ask what you can do", undefined],
		// written as it is
		[english, "It is new.", "iPhone users know", undefined],
		[english, "It is new.", "mp3 files too", undefined],
		[mixed, "我买了。", "app store很好", undefined],
		[mixed, "我买了。", "wifi很好", undefined],
		[chinese, "我买了。", "app store", undefined],
	] as const) {
		const pipeline = new TextPipeline({ language, punctuation: true });
		t.equal(
			pipeline.write({ text, words: [] }, before).text,
			written ?? text,
			`${before} ${text}`,
		);
	}
	t.end();
});

t.test("its words change with it, and keep their times", (t) => {
	const word = { kind: "normal", confidence: 1 } as const;
	const written = new TextPipeline({
		language: english,
		punctuation: true,
	}).write(
		{
			text: "ask what",
			words: [
				{ ...word, from: 0, to: 3, startMs: 0, endMs: 200 },
				{ ...word, from: 4, to: 8, startMs: 200, endMs: 400 },
			],
		},
		"For you.",
	);
	t.equal(written.text, "Ask what");
	t.match(written.words, [
		{ from: 0, to: 3, startMs: 0, endMs: 200 },
		{ from: 4, to: 8, startMs: 200, endMs: 400 },
	]);
	t.end();
});

t.test("without punctuation, or untouched, a text has no sentences", (t) => {
	for (const punctuation of [false, undefined])
		t.equal(
			new TextPipeline({
				language: english,
				...(punctuation === false && { punctuation }),
			}).write({ text: "ask what you can", words: [] }, "For you.").text,
			"ask what you can",
		);
	t.end();
});
