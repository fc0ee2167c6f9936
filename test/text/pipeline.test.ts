import t from "tap";
import type { PlacedWord } from "../../runtime/text/edits.js";
import { editText } from "../../runtime/text/edits.js";
import { dropFillers, markFillers } from "../../runtime/text/fillers.js";
import type { Language } from "../../runtime/text/languages.js";
import { TextPipeline } from "../../runtime/text/pipeline.js";

/** @param text with its fillers in braces. */
function dropped(text: string): string {
	const fillers: { from: number; to: number }[] = [];
	let plain = "";
	for (const part of text.split(/(\{[^}]*\})/)) {
		const filler = part.startsWith("{");
		const body = filler ? part.slice(1, -1) : part;
		if (filler)
			fillers.push({ from: plain.length, to: plain.length + body.length });
		plain += body;
	}
	return editText(plain, dropFillers(plain, fillers));
}

t.test("a filler is removed with the marks around it", async (t) => {
	const cases: readonly (readonly [string, string])[] = [
		["{嗯}，我知道了。", "我知道了。"],
		["{嗯}，{呃}，我知道了。", "我知道了。"],
		["我觉得，{呃}，可以。", "我觉得，可以。"],
		["我，{呃}，觉得可以。", "我觉得可以。"],
		["我{呃}觉得可以。", "我觉得可以。"],
		["今天，{呃}我们开会。", "今天，我们开会。"],
		["我不知道，{嗯}。", "我不知道。"],
		["我不知道{嗯}", "我不知道"],
		["{嗯}。好的。", "好的。"],
		["好的。{嗯}。{嗯}。", "好的。"],
		["{嗯}……我想想", "我想想"],
		["{嗯}", ""],
		["{嗯}。", ""],
		["{Um}, so we begin.", "So we begin."],
		["{Um} I see.", "I see."],
		["We, {uh}, begin.", "We begin."],
		["Yes, {um}, tomorrow.", "Yes, tomorrow."],
		["We {uh} begin now.", "We begin now."],
		["That is all, {you know}.", "That is all."],
		["Yes. {Um}. No.", "Yes. No."],
		["Yes. {Um}, {uh}, maybe.", "Yes. Maybe."],
	];
	for (const [text, expected] of cases) t.equal(dropped(text), expected, text);
});

t.test("lists that ignore marks see the text without them", async (t) => {
	const write = (
		language: Language,
		text: string,
		lists: { corrections?: string[]; forbidden?: string[] },
	) => {
		const list = (entries: string[] = []) => [
			{ key: entries.join("/"), entries },
		];
		return new TextPipeline({
			language,
			punctuation: true,
			corrections: list(lists.corrections),
			forbidden: list(lists.forbidden),
			listsIgnoreMarks: true,
		}).write({ text, words: [] }).text;
	};
	t.equal(
		write("en-US", "Oh, my god. Yes.", { forbidden: ["oh my god"] }),
		"**, ** ***. Yes.",
	);
	t.equal(
		write("en-US", "I say, air, shot!", { corrections: ["air shot,earshot"] }),
		"I say, earshot!",
	);
	t.equal(
		write("zh-cmn-Hans-CN", "好，他，妈的𠮷。", {
			forbidden: ["他妈", "的𠮷"],
		}),
		"好，他，妈**。",
	);
	t.equal(
		write("zh-cmn-Hans-CN", "今日，本人不在。", { forbidden: ["日本人"] }),
		"今日，本人不在。",
	);
	t.equal(
		write("zh-cmn-Hans-CN", "我去了上海。口罩没带。", {
			corrections: ["海口,海口市"],
		}),
		"我去了上海。口罩没带。",
	);
	t.equal(
		write("en-US", "The air. Shot!", { corrections: ["air shot,earshot"] }),
		"The air. Shot!",
	);
	t.equal(
		write("en-US", "Ask Mr. Smith.", { forbidden: ["mr smith"] }),
		"Ask **. *****.",
	);
	t.equal(
		write("zh-cmn-Hans-CN", "请Dr.王来。", { corrections: ["dr王,王医生"] }),
		"请王医生来。",
	);
	t.equal(
		write("zh-cmn-Hans-CN", "是中国vs.日本。", { forbidden: ["vs日本"] }),
		"是中国**.**。",
	);
});

t.test("a filler that is kept is a separate word", async (t) => {
	const word = (
		from: number,
		to: number,
		startMs: number,
		endMs: number,
	): PlacedWord => ({
		from,
		to,
		startMs,
		endMs,
		kind: "normal",
		confidence: 1,
	});
	const { words } = markFillers(
		{
			text: "呃我就是说好",
			words: [word(0, 2, 0, 200), word(2, 4, 200, 400), word(4, 6, 400, 600)],
		},
		[
			{ from: 0, to: 1 },
			{ from: 2, to: 5 },
		],
	);
	t.same(
		words.map((it) => [it.from, it.to, it.startMs, it.endMs, it.kind]),
		[
			[0, 1, 0, 100, "modal"],
			[1, 2, 100, 200, "normal"],
			[2, 5, 200, 500, "modal"],
			[5, 6, 500, 600, "normal"],
		],
	);
});

t.test("absent options leave the text unchanged", async (t) => {
	const pipeline = new TextPipeline({ language: "zh-cmn-Hans-CN" });
	t.equal(pipeline.write({ text: "嗯,三百 块", words: [] }).text, "嗯,三百 块");
});

t.test(
	"without punctuation, numbers that a mark separated stay apart",
	async (t) => {
		const cases: readonly (readonly [Language, string, string, string])[] = [
			[
				"zh-cmn-Hans-CN",
				"从三到五，十二个。",
				"从3到5 12个",
				"从三到五 十二个",
			],
			["zh-cmn-Hans-CN", "第一, 二是", "第一 二是", "第一 二是"],
			["zh-cmn-Hans-CN", "统一，一起去。", "统一一起去", "统一一起去"],
			["zh-cmn-Hans-CN", "万一, 一般", "万一一般", "万一一般"],
			["zh-cmn-Hans-CN", "一，一定要快", "一 一定要快", "一 一定要快"],
			["zh-cmn-Hans-CN", "三万一，一共", "31000 一共", "三万一 一共"],
			["zh-cmn-Hans-CN", "数一，一，一。", "数一 一 一", "数一 一 一"],
			["zh-cmn-Hans-CN", "三十一，一共", "31 一共", "三十一 一共"],
			["zh-cmn-Hans-CN", "周一，一点半", "周一 1点半", "周一一点半"],
			["ja-JP", "唯一、一番好き。", "唯一一番好き", "唯一一番好き"],
			["zh-cmn-Hans-CN", "负五度，三点五。", "-5度3.5", "负五度三点五"],
			["ja-JP", "三十、二人", "30 二人", "三十 二人"],
			["ja-JP", "1、2、3。", "1 2 3", "一 二 三"],
			["en-US", "Room one, two people.", "Room 1 two people", ""],
			["en-US", "At five p.m., on May fifth.", "At 5 p.m. on May 5", ""],
		];
		for (const [language, text, inDigits, inWords] of cases)
			for (const [inverseTextNormalization, expected] of [
				[true, inDigits],
				[false, inWords || text.replace(/,|\.$/g, "")],
			] as const) {
				const pipeline = new TextPipeline({
					language,
					punctuation: false,
					inverseTextNormalization,
				});
				t.equal(pipeline.write({ text, words: [] }).text, expected);
			}
	},
);

t.test("corrections come before forbidden words, list by list", async (t) => {
	const pipeline = new TextPipeline({
		language: "en-US",
		corrections: [
			{ key: "1", entries: ["alpha,beta"] },
			{ key: "2", entries: ["beta,gamma"] },
		],
		forbidden: [{ key: "3", entries: ["gamma"] }],
	});
	t.equal(
		pipeline.write({ text: "alpha beta", words: [] }).text,
		"***** *****",
	);
});

t.test("half a phrase is not shown while the text grows", async (t) => {
	const pipeline = new TextPipeline({
		language: "zh-cmn-Hans-CN",
		forbidden: [{ key: "f", entries: ["敏感词"] }],
	});
	t.equal(pipeline.openFrom("这是敏"), 2);
	t.equal(pipeline.openFrom("这是敏感"), 2);
	t.equal(pipeline.openFrom("这是敏感词"), 5);
	t.equal(pipeline.openFrom("这是敏捷"), 4);
});
