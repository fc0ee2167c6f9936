/** Where subtitles are cut, language by language (docs/decisions.md section 8: 42 half-width or 21 full-width characters and 7 s). */

import t from "tap";
import type { FileOptions } from "../../runtime/tasks/file-options.js";
import type { Language } from "../../runtime/text/languages.js";
import { compose, optionsOf, utteranceOf } from "./utterances.js";

async function lines(
	language: Language,
	text: string,
	options: Partial<FileOptions> = {},
	msPerCharacter?: number,
): Promise<string[]> {
	const spoken = utteranceOf(text, language, 0, msPerCharacter);
	const requested = optionsOf(language, { output: "subtitle", ...options });
	return (await compose(requested, [[spoken]])).texts;
}

const cases: Partial<Record<Language, [text: string, lines: string[]][]>> = {
	"zh-cmn-Hans-CN": [
		["今天的会议就到这里！", ["今天的会议就到这里"]],
		["你好，我来了。", ["你好 我来了"]],
		[
			"人工智能技术正在改变我们的生活方式，但是我们需要认真地考虑它对社会和经济的影响。",
			[
				"人工智能技术正在改变我们的生活方式",
				"但是我们需要认真地考虑它对社会和经济的影响",
			],
		],
		[
			"今天我们来讨论一下关于明年的产品计划以及市场推广的策略因为竞争越来越激烈了所以我们必须尽快做出决定",
			[
				"今天我们来讨论一下关于明年的产品计划",
				"以及市场推广的策略因为竞争越来越激烈了",
				"所以我们必须尽快做出决定",
			],
		],
		["他说“好”，然后就走了。", ["他说好 然后就走了"]],
	],
	"ja-JP": [
		["はい、そうです。", ["はい そうです"]],
		[
			"この問題については来週の会議で改めて議論する予定ですので資料を事前に確認しておいていただけると助かります",
			[
				"この問題については来週の会議で",
				"改めて議論する予定ですので資料を事前に",
				"確認しておいていただけると助かります",
			],
		],
		[
			"昨日は東京駅で友達に会って、新しいレストランでお昼ご飯を食べました。",
			["昨日は東京駅で友達に会って", "新しいレストランでお昼ご飯を食べました"],
		],
	],
	"en-US": [
		["Hello, world.", ["Hello world"]],
		[
			"I think that we should probably wait for the results of the investigation before we decide.",
			[
				"I think that we should probably wait",
				"for the results of the investigation",
				"before we decide",
			],
		],
		[
			"We spoke with Mr. Smith about the new budget yesterday.",
			["We spoke with Mr Smith", "about the new budget yesterday"],
		],
		[
			"We went to the other house at No. 5 of the street yesterday.",
			["We went to the other house", "at No 5 of the street yesterday"],
		],
		[
			"They will close the shop at 5 p.m. sharp every day of the week.",
			["They will close the shop", "at 5 p.m. sharp every day of the week"],
		],
		[
			"It costs 19,500 dollars, doesn't it?",
			["It costs 19,500 dollars doesn't it"],
		],
	],
	"zh-cmn-Hans-CN-en-US": [
		[
			"我们用 Visual Studio Code 写代码，然后部署到 Kubernetes 集群上面。",
			["我们用Visual Studio Code写代码", "然后部署到Kubernetes集群上面"],
		],
	],
	"ja-JP-en-US": [
		[
			"このプロジェクトは GitHub Actions で動いていて、毎週金曜日に公開します。",
			[
				"このプロジェクトはGitHub Actionsで",
				"動いていて 毎週金曜日に公開します",
			],
		],
	],
};

t.test("lines end where a reader would take breath", async (t) => {
	for (const [language, rows] of Object.entries(cases) as [
		Language,
		[string, string[]][],
	][])
		for (const [text, wanted] of rows)
			t.same(await lines(language, text), wanted, text);
});

t.test(
	"with punctuation, marks stay on the word before them and count",
	async (t) => {
		const text =
			"人工智能技术正在改变我们的生活方式，但是我们需要认真地考虑它对社会的影响。";
		t.same(await lines("zh-cmn-Hans-CN", text, { punctuation: true }), [
			"人工智能技术正在改变我们的生活方式，",
			"但是我们需要认真地考虑它对社会的影响。",
		]);
		const full = `${"字".repeat(21)}。`;
		const cut = await lines("zh-cmn-Hans-CN", full, { punctuation: true }, 100);
		t.equal(cut.join(""), full);
		t.ok(cut.every((it) => [...it].length <= 21));
		t.same(
			await lines("zh-cmn-Hans-CN", full, {}, 100),
			["字".repeat(21)],
			"exactly 21",
		);
	},
);

t.test(
	"no line lasts longer than 7 s, and one word that does is drawn in",
	async (t) => {
		const slow = utteranceOf(
			"我们慢慢地说这一句话",
			"zh-cmn-Hans-CN",
			1000,
			1200,
		);
		const options = optionsOf("zh-cmn-Hans-CN", { output: "subtitle" });
		const { segments } = await compose(options, [[slow]]);
		t.equal(segments.map((it) => it.transcript).join(""), slow.text);
		t.ok(segments.length >= 2);
		const word = utteranceOf("啊", "zh-cmn-Hans-CN", 1000, 9000);
		t.match((await compose(options, [[word]])).segments, [
			{ begin: "00:00:01,000", end: "00:00:08,000" },
		]);
	},
);

t.test("a silence within a sentence ends a line", async (t) => {
	const first = utteranceOf("我觉得", "zh-cmn-Hans-CN");
	const second = utteranceOf(
		"这样很好。",
		"zh-cmn-Hans-CN",
		first.endMs + 2000,
	);
	const whole = {
		...second,
		beginMs: 0,
		text: first.text + second.text,
		words: [...first.words, ...second.words],
	};
	const { texts } = await compose(
		optionsOf("zh-cmn-Hans-CN", { output: "subtitle" }),
		[[whole]],
	);
	t.same(texts, ["我觉得", "这样很好"]);
});

t.test(
	"a word wider than a line is cut, and nothing of it is lost",
	async (t) => {
		const word = "pneumonoultramicroscopicsilicovolcanoconiosisandthensome";
		const cut = await lines("en-US", `The ${word} case.`);
		t.equal(cut.join("").replace(/ /g, ""), `The${word}case`);
		t.ok(cut.every((it) => it.length <= 42));
	},
);

t.test(
	"a paragraph begins with a sentence, not with a line of one",
	async (t) => {
		const sentence =
			"今天我们来讨论一下关于明年的产品计划以及市场推广的策略因为竞争越来越激烈了所以我们必须尽快做出决定，今天我们来讨论一下关于明年的产品计划以及市场推广的策略因为竞争越来越激烈了所以我们必须尽快做出决定，今天我们来讨论一下。";
		const options = optionsOf("zh-cmn-Hans-CN", {
			output: "subtitle",
			paragraphCondition: 100,
		});
		const { segments } = await compose(options, [
			[utteranceOf(sentence.repeat(2), "zh-cmn-Hans-CN")],
		]);
		const half = segments.length / 2;
		t.ok(segments.every((it, i) => it.paragraph === (i < half ? 1 : 2)));
	},
);
