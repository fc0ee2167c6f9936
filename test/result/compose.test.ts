/** The transcript of a file: paragraphs, words and statistics (docs/interface.md section 2.5, docs/decisions.md section 8). */

import t from "tap";
import type { Language } from "../../runtime/text/languages.js";
import { compose, optionsOf, utteranceOf } from "./utterances.js";

const zh: Language = "zh-cmn-Hans-CN";
const ja: Language = "ja-JP";
const en: Language = "en-US";

t.test(
	"begin and end are the words' times, numbers count from 1",
	async (t) => {
		const { segments } = await compose(optionsOf(zh), [
			[utteranceOf("好。再见。", zh, 3_661_500)],
		]);
		t.match(segments, [
			{ begin: "01:01:01,500", end: "01:01:01,650", seg_num: 1, paragraph: 1 },
			{ begin: "01:01:01,650", end: "01:01:01,950", seg_num: 2, paragraph: 1 },
		]);
		t.notOk("cluster_id" in (segments[0] ?? {}));
		t.notOk("words" in (segments[0] ?? {}));
		t.notOk("lang_type" in (segments[0] ?? {}));
	},
);

t.test("without words, sentences get their share of the time", async (t) => {
	const bare = {
		...utteranceOf("一二三四。五六七八。", zh, 0, 250),
		words: [],
	};
	const { segments } = await compose(optionsOf(zh), [[bare]]);
	t.match(segments, [
		{ begin: "00:00:00,000", end: "00:00:01,000" },
		{ begin: "00:00:01,000", end: "00:00:02,000" },
	]);
});

t.test(
	"punctuation that nobody asked for is taken out, numbers keep their points",
	async (t) => {
		const options = optionsOf(en, { punctuation: false, words: true });
		const { segments } = await compose(options, [
			[utteranceOf("Well, it costs 3.5 dollars. Don't!", en)],
		]);
		t.same(
			segments.map((it) => it.transcript),
			["Well it costs 3.5 dollars", "Don't"],
		);
		t.same(
			segments[0]?.words?.map((it) => it.word),
			["Well", "it", "costs", "3.5", "dollars"],
		);
	},
);

t.test("a paragraph ends behind the sentence that fills it", async (t) => {
	const sentence = `${"字".repeat(39)}。`;
	const spoken = [utteranceOf(sentence.repeat(6), zh)];
	const paragraphs = async (paragraphCondition?: number) => {
		const options = optionsOf(
			zh,
			paragraphCondition === undefined ? {} : { paragraphCondition },
		);
		return (await compose(options, [spoken])).segments.map(
			(it) => it.paragraph,
		);
	};
	t.same(await paragraphs(100), [1, 1, 1, 2, 2, 2]);
	t.same(await paragraphs(120), [1, 1, 1, 2, 2, 2]);
	t.same(await paragraphs(121), [1, 1, 1, 1, 2, 2]);
	t.same(await paragraphs(), [1, 1, 1, 1, 1, 1]);
});

t.test(
	"words: fillers and marks by their type, or character by character",
	async (t) => {
		const recognized = utteranceOf("嗯我们用Python。", zh, 0, 100);
		const words = recognized.words.map((it) =>
			it.text === "嗯" ? { ...it, kind: "modal" as const } : it,
		);
		const spoken = [[{ ...recognized, words }]];
		const asWords = await compose(optionsOf(zh, { words: true }), spoken);
		t.same(
			asWords.segments[0]?.words?.map((it) => [
				it.word,
				it.type,
				it.is_punc,
				it.keywords_index,
			]),
			[
				["嗯", "modal", false, 0],
				["我们", "normal", false, 0],
				["用", "normal", false, 0],
				["Python", "normal", false, 0],
				["。", "punc", true, 0],
			],
		);
		const asCharacters = await compose(
			optionsOf(zh, { words: true, wordsType: 1 }),
			spoken,
		);
		t.same(
			asCharacters.segments[0]?.words?.map((it) => [
				it.word,
				it.type,
				it.start_time,
			]),
			[
				["嗯", "normal", 0],
				["我", "normal", 100],
				["们", "normal", 200],
				["用", "normal", 300],
				["Python", "normal", 400],
				["。", "punc", 1000],
			],
		);
		t.notOk("keywords_index" in (asCharacters.segments[0]?.words?.[0] ?? {}));
		const elsewhere = await compose(
			optionsOf(ja, { words: true, wordsType: 1 }),
			[[utteranceOf("東京です。", ja)]],
		);
		t.equal(elsewhere.segments[0]?.words?.[0]?.word, "東京", "Mandarin only");
	},
);

t.test("language labels where two languages are mixed", async (t) => {
	const mixed: Language = "zh-cmn-Hans-CN-en-US";
	const spoken = [
		[
			utteranceOf(
				"我们用 Python 写代码。 That is really all there is. 2026。 好的。",
				mixed,
			),
		],
	];
	const { segments } = await compose(
		optionsOf(mixed, { langLabel: true }),
		spoken,
	);
	t.same(
		segments.map((it) => it.lang_type),
		["zh-cmn-Hans-CN", "en-US", "en-US", "zh-cmn-Hans-CN"],
	);
	const labelled = await compose(optionsOf(mixed, { langLabel: true }), [
		[
			{ ...utteranceOf("2026。", mixed), spokenIn: "en-US" },
			{ ...utteranceOf("OK。", mixed, 5000), spokenIn: zh },
			{ ...utteranceOf("好的。", mixed, 9000), spokenIn: "ja-JP" },
			{
				...utteranceOf("That is all there is. 好的。", mixed, 15_000),
				spokenIn: zh,
			},
		],
	]);
	t.same(
		labelled.segments.map((it) => it.lang_type),
		["en-US", zh, zh, "en-US", zh],
		"what the model says goes before what is written, of one sentence, if it is one of the two",
	);
	const alone = await compose(optionsOf(zh, { langLabel: true }), [
		[utteranceOf("好。", zh)],
	]);
	t.notOk(
		"lang_type" in (alone.segments[0] ?? {}),
		"ignored on other languages",
	);
});

t.test(
	"statistics count in the language's unit, over the time that was spoken",
	async (t) => {
		const cases: [Language, string, number][] = [
			[en, "It's 3.5 degrees, Mr. Jones.", 5],
			[en, "**** it, Mr. Jones.", 4],
			[en, "5 * 3 is 15.", 4],
			[zh, "我们用 Visual Studio，在2026年。", 11],
			[ja, "東京は２℃です。", 7],
		];
		for (const [language, text, count] of cases) {
			const first = { ...utteranceOf(text, language, 0), endMs: 30_000 };
			const second = {
				...utteranceOf(text, language, 600_000),
				endMs: 630_000,
			};
			const { statistics } = await compose(optionsOf(language), [
				[first, second],
			]);
			t.equal(statistics.word_count, 2 * count, text);
			t.equal(statistics.speed, 2 * count, "a minute was spoken");
		}
		const { statistics } = await compose(optionsOf(en), [[]]);
		t.match(statistics, {
			word_count: 0,
			speed: 0,
			finish_time: "2026-11-21 08:00:02",
		});
		t.notOk("keywords" in statistics);
	},
);

t.test(
	"confidence is the utterance's, more for the surer of its sentences",
	async (t) => {
		const recognized = utteranceOf("清楚的话。不清楚的话。", zh);
		const words = recognized.words.map((it) => ({
			...it,
			confidence: it.startMs < 600 ? 0.9 : 0.5,
		}));
		const { segments } = await compose(optionsOf(zh), [
			[{ ...recognized, words, confidence: 0.7 }],
		]);
		const [first = { confidence: 0 }, second = { confidence: 1 }] = segments;
		t.ok(first.confidence > 0.7 && second.confidence < 0.7);
	},
);
