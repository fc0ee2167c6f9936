import t from "tap";
import { TextPipeline } from "../../../runtime/text/pipeline.js";
import { zh } from "../../../runtime/text/zh/rules.js";

const filtered = new TextPipeline({
	language: "zh-cmn-Hans-CN",
	modalParticleFilter: true,
});

t.test("fillers are removed, and so are the marks around them", async (t) => {
	const cases: readonly (readonly [string, string])[] = [
		["嗯，我觉得可以。", "我觉得可以。"],
		["呃呃，我们开始吧。", "我们开始吧。"],
		["我呃想去上海。", "我想去上海。"],
		["额，这个金额不对。", "这个金额不对。"],
		["那个，我想问一下。", "我想问一下。"],
		["我想要，那个，三杯咖啡。", "我想要三杯咖啡。"],
		["这个这个，我看看。", "我看看。"],
		["啊，原来是这样。", "原来是这样。"],
		["哦，好的。", "好的。"],
		["就是说我们要努力。", "我们要努力。"],
		["明天，嗯，下午吧。", "明天，下午吧。"],
		["我不知道，嗯。", "我不知道。"],
		["嗯。", ""],
		["好的。嗯。再见。", "好的。再见。"],
		["嗯对", "对"],
		["哎呀，忘了。", "忘了。"],
		["他说，怎么说呢，不太好。", "他说，不太好。"],
		["那个，那个，我们走吧。", "我们走吧。"],
		["我想，这个，这个怎么说", "我想，怎么说"],
		["我要这个这个红的", "我要红的"],
	];
	for (const [given, expected] of cases)
		t.equal(filtered.write({ text: given, words: [] }).text, expected, given);
});

t.test("words that look like fillers stay", async (t) => {
	for (const text of [
		"那个人是谁？",
		"那个是什么？",
		"我要那个。",
		"这个多少钱？",
		"就这个吧。",
		"也就是说我们输了。",
		"你好啊。",
		"好啊，走吧。",
		"是啊，没错。",
		"哦。",
		"啊？",
		"金额和额度",
		"他的前额",
		"那个那个人",
		"我喜欢这个，这个便宜。",
		"我要这个，这个不要",
		"不是那个，那个太大了",
		"哪个呢",
		"就是你。",
		"这个 bug 是第三次",
		"好嘛。",
	])
		t.equal(filtered.write({ text, words: [] }).text, text, text);
});

t.test("fillers that are kept are words of kind modal", async (t) => {
	const kept = new TextPipeline({
		language: "zh-cmn-Hans-CN",
		modalParticleFilter: false,
	});
	const word = {
		startMs: 0,
		endMs: 100,
		kind: "normal",
		confidence: 1,
	} as const;
	const { text, words } = kept.write({
		text: "嗯好",
		words: [{ ...word, from: 0, to: 2 }],
	});
	t.equal(text, "嗯好");
	t.same(
		words.map((it) => [it.from, it.to, it.kind]),
		[
			[0, 1, "modal"],
			[1, 2, "normal"],
		],
	);
});

t.test("fillers are in order and do not overlap in any text", async (t) => {
	const text = "嗯那个，额额额，这个这个啊啊就是说。".repeat(500);
	let end = 0;
	for (const { from, to } of zh.fillers(text)) {
		if (from < end || to <= from || to > text.length) t.fail(`${from}-${to}`);
		end = to;
	}
	t.ok(end > 0);
});
