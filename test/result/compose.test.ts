/** The transcript of a file: sentences, voices, channels, paragraphs, words and figures (docs/interface.md section 2.5, docs/decisions.md section 8). */

import t from "tap";
import type { Turn } from "../../runtime/engine/file-job.js";
import type { Language } from "../../runtime/text/languages.js";
import { compose, optionsOf, utteranceOf } from "./heard.js";

const zh: Language = "zh-cmn-Hans-CN";
const ja: Language = "ja-JP";
const en: Language = "en-US";

t.test("a segment is a sentence", async (t) => {
	const cases: [Language, string, string[]][] = [
		[zh, "今天开会。你来吗？来！", ["今天开会。", "你来吗？", "来！"]],
		[zh, "那个……我不知道。", ["那个……我不知道。"]],
		[ja, "はい。そうですね。", ["はい。", "そうですね。"]],
		[ja, "「本当？」と聞いた。はい。", ["「本当？」と聞いた。", "はい。"]],
		[
			en,
			"Hello. It is 3.5 degrees. Go!",
			["Hello.", "It is 3.5 degrees.", "Go!"],
		],
		[
			en,
			"Mr. Jones met J. Smith at 5 p.m. today.",
			["Mr. Jones met J. Smith at 5 p.m. today."],
		],
		[en, '"Really?" he said. "Yes."', ['"Really?" he said.', '"Yes."']],
		[en, "no marks at all", ["no marks at all"]],
	];
	for (const [language, text, sentences] of cases) {
		const { texts } = await compose(optionsOf(language), [
			[utteranceOf(text, language)],
		]);
		t.same(texts, sentences, text);
	}
});

t.test(
	"a segment that was full does not end a sentence, a silence does",
	async (t) => {
		const first = utteranceOf("we went to the", en);
		const second = (gapMs: number) =>
			utteranceOf("station. It was late.", en, first.endMs + gapMs);
		const seam = await compose(optionsOf(en), [[first, second(40)]]);
		t.same(seam.texts, ["we went to the station.", "It was late."]);
		const silence = await compose(optionsOf(en), [[first, second(900)]]);
		t.same(silence.texts, ["we went to the", "station.", "It was late."]);
	},
);

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

t.test("what was skipped is not in the text", async (t) => {
	const heard = utteranceOf("听得清。", zh, 5000);
	const skipped = {
		...utteranceOf("？", zh),
		text: "",
		words: [],
		skipped: true,
	};
	const { texts, statistics } = await compose(optionsOf(zh), [
		[skipped, heard],
	]);
	t.same(texts, ["听得清。"]);
	t.equal(statistics.word_count, 3);
});

t.test("with words, speech without a text has its place", async (t) => {
	const heard = utteranceOf("听得清。", zh, 5000);
	const missed = {
		...{ index: 1, beginMs: 1200, endMs: 3400, confidence: 0 },
		...{ text: "", words: [], unheard: { why: "doubt", seconds: 1.5 } },
	};
	const skipped = { ...missed, beginMs: 7000, endMs: 8000, skipped: true };
	const channel = [missed, heard, skipped];
	const { segments, statistics } = await compose(
		optionsOf(zh, { words: true, clusters: 1 }),
		[channel],
	);
	t.match(segments, [
		{
			...{ begin: "00:00:01,200", end: "00:00:03,400", seg_num: 1 },
			...{ transcript: "", understood: false, confidence: 0, words: [] },
			paragraph: 1,
		},
		{ seg_num: 2, transcript: "听得清。", paragraph: 1, cluster_id: 1 },
		{ begin: "00:00:07,000", seg_num: 3, transcript: "", understood: false },
	]);
	t.equal(segments.length, 3);
	t.notOk("understood" in (segments[1] ?? {}), "as before");
	t.equal(statistics.word_count, 3);
	for (const options of [
		optionsOf(zh),
		optionsOf(zh, { words: true, output: "subtitle" }),
	])
		t.equal((await compose(options, [channel])).segments.length, 1);
	const stereo = await compose(optionsOf(zh, { words: true, channels: 2 }), [
		[heard],
		[missed],
	]);
	t.same(
		stereo.segments.map((it) => [it.cluster_id, it.understood]),
		[
			[2, false],
			[1, undefined],
		],
	);
});

t.test(
	"speech without a text inside an utterance keeps its time",
	async (t) => {
		const times = new Map([
			["先", [0, 3000] as const],
			["后", [6000, 7000] as const],
			["完", [7000, 8000] as const],
		]);
		const heard = (text: string) => ({
			...{ index: 1, beginMs: 0, endMs: 8000, confidence: 0.9, text },
			words: [...text].map((it, at) => {
				const mark = times.get(text[at - 1] ?? "")?.[1] ?? 0;
				const [startMs, endMs] = times.get(it) ?? [mark, mark];
				const kind: "normal" | "punc" = times.has(it) ? "normal" : "punc";
				return { text: it, startMs, endMs, kind, confidence: 0.9 };
			}),
		});
		const missed = {
			...{ index: 2, beginMs: 3500, endMs: 5200, confidence: 0 },
			...{ text: "", words: [], unheard: { why: "no words", seconds: 1.5 } },
		};
		const next = utteranceOf("再见。", zh, 7900);
		const told = async (text: string, turns: readonly Turn[] = []) => {
			const { segments } = await compose(
				optionsOf(zh, { words: true }),
				[[heard(text), missed, next]],
				turns,
			);
			t.same(
				segments.map((it) => it.seg_num),
				segments.map((_, at) => at + 1),
			);
			return segments.map((it) => [it.transcript, it.begin, it.end]);
		};
		const gap = ["", "00:00:03,500", "00:00:05,200"];
		const end = ["再见。", "00:00:08,000", "00:00:08,200"];
		t.same(await told("先后完。"), [
			["先后完。", "00:00:00,000", "00:00:08,000"],
			gap,
			end,
		]);
		t.same(
			await told("先。后。完。"),
			[
				["先。", "00:00:00,000", "00:00:03,000"],
				gap,
				["后。", "00:00:06,000", "00:00:07,000"],
				["完。", "00:00:07,000", "00:00:08,000"],
				end,
			],
			"between two sentences",
		);
		const turns = [
			{ startMs: 0, endMs: 3200, speaker: 1 },
			{ startMs: 5500, endMs: 9000, speaker: 2 },
		];
		t.same(
			await told("先后完。", turns),
			[
				["先", "00:00:00,000", "00:00:03,000"],
				gap,
				["后完。", "00:00:06,000", "00:00:08,000"],
				end,
			],
			"between two speakers",
		);
	},
);

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

t.test("channels are told by time, each under its number", async (t) => {
	const left = [utteranceOf("你好。", zh, 0), utteranceOf("再见。", zh, 8000)];
	const right = [utteranceOf("您好。", zh, 4000)];
	const { segments } = await compose(
		optionsOf(zh, { channels: 2, paragraphCondition: 100 }),
		[left, right],
	);
	t.same(
		segments.map((it) => [it.transcript, it.cluster_id, it.paragraph]),
		[
			["你好。", 1, 1],
			["您好。", 2, 2],
			["再见。", 1, 3],
		],
	);
});

t.test("a sentence that two voices share is cut between them", async (t) => {
	const turns = [
		{ startMs: 0, endMs: 950, speaker: 1 },
		{ startMs: 950, endMs: 4000, speaker: 2 },
	];
	const spoken = [utteranceOf("今天下雨了吗下了一整天啊。", zh, 0, 150)];
	const { segments } = await compose(
		optionsOf(zh, { clusters: 2 }),
		[spoken],
		turns,
	);
	t.same(
		segments.map((it) => [it.transcript, it.cluster_id]),
		[
			["今天下雨了吗", 1],
			["下了一整天啊。", 2],
		],
	);
});

t.test("a border drawn a little wrong cuts no word off", async (t) => {
	const turns = [
		{ startMs: 0, endMs: 1700, speaker: 1 },
		{ startMs: 1700, endMs: 9000, speaker: 2 },
	];
	const spoken = [
		utteranceOf("今天下雨了吗？", zh),
		utteranceOf("下了一整天啊。", zh, 1500),
	];
	const { segments } = await compose(
		optionsOf(zh, { clusters: 0 }),
		[spoken],
		turns,
	);
	t.same(
		segments.map((it) => [it.transcript, it.cluster_id]),
		[
			["今天下雨了吗？", 1],
			["下了一整天啊。", 2],
		],
	);
});

t.test(
	"a border through what belongs together moves to the best place nearby",
	async (t) => {
		const cases: [Language, string, borderMs: number, string[]][] = [
			[
				ja,
				"お名前をお願い致します山田です",
				1500,
				["お名前をお願い致します", "山田です"],
			],
			[
				en,
				"what is your name it is the Smith family",
				1000,
				["what is your name", "it is the Smith family"],
			],
			[
				zh,
				"你们什么时候来的我们昨天来的",
				1050,
				["你们什么时候来的", "我们昨天来的"],
			],
		];
		for (const [language, text, borderMs, said] of cases) {
			const turns = [
				{ startMs: 0, endMs: borderMs, speaker: 1 },
				{ startMs: borderMs, endMs: 60_000, speaker: 2 },
			];
			const spoken = [utteranceOf(text, language)];
			const { texts } = await compose(
				optionsOf(language, { clusters: 2 }),
				[spoken],
				turns,
			);
			t.same(texts, said, text);
		}
	},
);

t.test("voices are numbered as they appear in the result", async (t) => {
	const turns = [
		{ startMs: 0, endMs: 100, speaker: 1 }, // hums
		{ startMs: 500, endMs: 4000, speaker: 7 },
		{ startMs: 8000, endMs: 9000, speaker: 3 },
		{ startMs: 12_000, endMs: 13_000, speaker: 7 },
	];
	const spoken = [1000, 8000, 12_000].map((it) => utteranceOf("好。", zh, it));
	const { segments } = await compose(
		optionsOf(zh, { clusters: 0 }),
		[spoken],
		turns,
	);
	t.same(
		segments.map((it) => it.cluster_id),
		[1, 2, 1],
	);
});

t.test("one voice that was asked for is voice 1", async (t) => {
	const { segments } = await compose(optionsOf(zh, { clusters: 1 }), [
		[utteranceOf("好。", zh)],
	]);
	t.equal(segments[0]?.cluster_id, 1);
});

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
		const heard = utteranceOf("嗯我们用Python。", zh, 0, 100);
		const words = heard.words.map((it) =>
			it.text === "嗯" ? { ...it, kind: "modal" as const } : it,
		);
		const spoken = [[{ ...heard, words }]];
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
	const told = await compose(optionsOf(mixed, { langLabel: true }), [
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
		told.segments.map((it) => it.lang_type),
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
		const heard = utteranceOf("清楚的话。不清楚的话。", zh);
		const words = heard.words.map((it) => ({
			...it,
			confidence: it.startMs < 600 ? 0.9 : 0.5,
		}));
		const { segments } = await compose(optionsOf(zh), [
			[{ ...heard, words, confidence: 0.7 }],
		]);
		const [first = { confidence: 0 }, second = { confidence: 1 }] = segments;
		t.ok(first.confidence > 0.7 && second.confidence < 0.7);
	},
);
