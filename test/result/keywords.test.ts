/** What a transcript is about, and where it is said: the real dictionaries, in the real process. */

import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import t from "tap";
import { timeCode } from "../../runtime/tasks/result/time-code.js";
import { ResultKeywords } from "../../runtime/tasks/result-keywords.js";
import { KeywordMatcher } from "../../runtime/text/keywords/keyword-matcher.js";
import type { Language } from "../../runtime/text/languages.js";
import { compose, optionsOf, utteranceOf } from "./utterances.js";

const keywords = new ResultKeywords();
t.teardown(() => keywords.close());

const texts: Partial<Record<Language, string[]>> = {
	"zh-cmn-Hans-CN": [
		"今天我们讨论一下人工智能在医院的应用。",
		"人工智能可以帮助医生看病，医生觉得人工智能很好。",
		"不过医院的数据安全也很重要，数据安全不能忽视。",
	],
	"zh-cmn-Hans-CN-en-US": [
		"我们用 machine learning 来做数据分析，machine learning 的模型跑在 Kubernetes 上面。",
		"这个 Kubernetes 集群是上个月才部署的，数据分析的结果 is very good。",
	],
	"ja-JP": [
		"今日は自然言語処理の研究についてお話しします。",
		"自然言語処理は機械学習と関係があります。機械学習のことは皆さんご存じだと思います。",
		"自然言語処理の研究は楽しいです。",
	],
	"ja-JP-en-US": [
		"このプロジェクトは GitHub Actions で回しています。",
		"GitHub Actions の設定ファイルはリポジトリにあります。設定ファイルを見てください。",
	],
	"en-US": [
		"I think the speech recognition engine is what you want to look at.",
		"The speech recognition engine runs on a small device, and the device is cheap.",
	],
};

async function keywordsOf(language: Language, quantity: number) {
	const options = optionsOf(language, {
		variant: "vip",
		keywordsQuantity: quantity,
		words: true,
	});
	const spoken = (texts[language] ?? []).map((it, i) =>
		utteranceOf(it, language, i * 20_000),
	);
	const composed = await compose(options, [spoken], [], keywords);
	return { ...composed, keywords: composed.statistics.keywords ?? [] };
}

t.test("the best keywords of each language", async (t) => {
	const cases: [Language, string[], string[]][] = [
		[
			"zh-cmn-Hans-CN",
			["人工智能", "医院", "医生", "数据安全"],
			["今天", "我们", "讨论", "可以"],
		],
		[
			"zh-cmn-Hans-CN-en-US",
			["machine learning", "Kubernetes", "数据分析"],
			["is", "very", "good", "这个"],
		],
		[
			"ja-JP",
			["自然言語処理", "機械学習"],
			["今日", "こと", "皆さん", "処理", "自然"],
		],
		[
			"ja-JP-en-US",
			["GitHub Actions", "設定ファイル", "プロジェクト"],
			["この", "ファイル"],
		],
		[
			"en-US",
			["speech recognition engine", "device"],
			["think", "look", "the", "speech"],
		],
	];
	for (const [language, wanted, unwanted] of cases) {
		const found = (await keywordsOf(language, 8)).keywords.map((it) => it.word);
		for (const word of wanted)
			t.ok(found.includes(word), `${language}: ${word} in ${found}`);
		for (const word of unwanted)
			t.notOk(found.includes(word), `${language}: ${word} not in ${found}`);
	}
});

t.test(
	"no more than were asked for, numbered from 1, the best first",
	async (t) => {
		const { keywords } = await keywordsOf("zh-cmn-Hans-CN", 2);
		t.same(
			keywords.map((it) => it.index),
			[1, 2],
		);
		t.equal(keywords[0]?.word, "人工智能");
		t.equal(keywords[0]?.words, "人工智能");
	},
);

t.test(
	"frequency, times and the words' numbers agree with what was said",
	async (t) => {
		for (const language of Object.keys(texts) as Language[]) {
			const { keywords, segments } = await keywordsOf(language, 10);
			t.ok(keywords.length > 0);
			const words = segments.flatMap((it) => it.words ?? []);
			for (const { index, word, frequency, time } of keywords) {
				t.ok(frequency > 0, `${word} was said`);
				t.equal(time.length, frequency);
				for (const { begin, end } of time) {
					const covering = words.filter(
						(it) =>
							it.keywords_index === index &&
							timeCode(it.start_time) >= begin &&
							timeCode(it.end_time) <= end,
					);
					t.equal(
						timeCode(covering[0]?.start_time ?? -1),
						begin,
						`${word} begins`,
					);
					t.equal(
						timeCode(covering.at(-1)?.end_time ?? -1),
						end,
						`${word} ends`,
					);
				}
			}
			const numbers = new Set(words.map((it) => it.keywords_index));
			t.ok(numbers.has(0), "most words are none");
		}
	},
);

t.test("keywords go through the cuts of subtitles", async (t) => {
	const options = optionsOf("zh-cmn-Hans-CN", {
		output: "subtitle",
		keywordsQuantity: 1,
		words: true,
	});
	const spoken = [
		utteranceOf(
			"我们今天在这里要讨论的是关于大家都非常关心的人工智能。",
			"zh-cmn-Hans-CN",
		),
	];
	const one = { find: async () => ["人工智能"] };
	const { statistics, segments } = await compose(options, [spoken], [], one);
	t.equal(statistics.keywords?.[0]?.frequency, 1);
	const marked = segments
		.flatMap((it) => it.words ?? [])
		.filter((it) => it.keywords_index === 1);
	t.equal(marked.map((it) => it.word).join(""), "人工智能");
});

t.test("where the interface serves no keywords, nobody is asked", async (t) => {
	for (const [language, variant] of [
		["ja-JP", "standard"],
		["zh-cmn-Hans-CN-en-US", "standard"],
	] as const) {
		const options = optionsOf(language, { variant, keywordsQuantity: 5 });
		const { statistics } = await compose(options, [
			[utteranceOf("はい。", language)],
		]);
		t.notOk("keywords" in statistics);
	}
	const silence = await compose(
		optionsOf("zh-cmn-Hans-CN", { keywordsQuantity: 5 }),
		[[]],
	);
	t.same(silence.statistics.keywords, [], "nothing said, nothing asked");
});

t.test(
	"Latin keywords are whole words, in any case; the longer keyword counts",
	async (t) => {
		const matcher = new KeywordMatcher(["AI", "open ai", "智能", "人工智能"]);
		const found = (text: string) =>
			matcher.find(text).map((it) => text.slice(it.from, it.to));
		t.same(found("ai PAID OpenAI Open AI, 用AI做"), ["ai", "Open AI", "AI"]);
		t.same(found("人工智能和智能"), ["人工智能", "智能"]);
	},
);

t.test(
	"a process that dies is an error once, and the next text finds another",
	async (t) => {
		const mine = new ResultKeywords();
		t.teardown(() => mine.close());
		const first = mine.find("人工智能", "zh-cmn-Hans-CN", 3);
		await yieldToEventLoop();
		await mine.close();
		const failure = await first.catch((error: unknown) => error);
		t.match(failure, { status: "100003" });
		t.same(await mine.find("人工智能", "zh-cmn-Hans-CN", 3), ["人工智能"]);
	},
);
