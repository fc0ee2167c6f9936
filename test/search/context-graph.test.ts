import t from "tap";
import { atOnce } from "../../runtime/event-loop/piecewise.js";
import { Vocabulary } from "../../runtime/search/vocabulary.js";
import { holds } from "../fuzz/holds.js";
import {
	after,
	bytes,
	cutsMakeNoDifference,
	graphOf,
	unitsAreAsFound,
	unitsOf,
} from "./context-graph.property.js";

t.test(
	"a hotword earns units while it is matched, and keeps them when it is complete",
	async (t) => {
		const graph = graphOf("北京图书馆");
		const units = ["北", "北京", "北京图", "北京图书", "北京图书馆"].map(
			(text) => Math.round(graph.units(after(graph, text))),
		);
		t.same(units, [1, 2, 3, 3, 3]);
		t.equal(unitsOf(graph, "我在北京图书馆看书"), 3);
	},
);

t.test("a failed match leaves no units", async (t) => {
	const graph = graphOf("北京图书馆");
	t.equal(graph.units(after(graph, "北京图画")), 0);
	t.equal(unitsOf(graph, "北京图"), 0, "nor does what the text ends in");
});

t.test("a failure falls back to what may still become a hotword", async (t) => {
	const graph = graphOf("上海滩头", "海滩上");
	t.equal(Math.round(graph.units(after(graph, "上海滩上"))), 3);
	t.equal(unitsOf(graph, "上海滩上"), 3);
});

t.test(
	"a hotword that begins another one counts when the longer one fails",
	async (t) => {
		const graph = graphOf("北京", "北京图书馆");
		t.equal(unitsOf(graph, "北京图画"), 2);
		t.equal(unitsOf(graph, "北京图书馆"), 3, "the longest alone");
		t.equal(unitsOf(graph, "北京"), 2);
	},
);

t.test("hotwords that overlap count once, the first", async (t) => {
	t.equal(unitsOf(graphOf("上海", "海关"), "上海关"), 2);
	t.equal(unitsOf(graphOf("上海", "海"), "上海"), 2);
});

t.test("a repeated hotword counts once", async (t) => {
	const graph = graphOf("罗卡角", "辛特拉");
	t.equal(unitsOf(graph, "罗卡角罗卡角罗卡角"), 3);
	t.equal(unitsOf(graph, "罗卡角辛特拉罗卡角"), 6);
});

t.test("words of letters: any case, whole words only, any space", async (t) => {
	const graph = graphOf("New York", "art", "LLMs");
	for (const text of ["in New York.", "NEW YORK", "new-york", "去new york吧"])
		t.equal(unitsOf(graph, text), 7 / 4, text);
	for (const text of ["party", "article", "newyork", "new yorker"])
		t.equal(unitsOf(graph, text), 0, text);
	t.equal(unitsOf(graph, "the art, and llms"), 7 / 8);
	t.equal(unitsOf(graph, "LLM's"), 0.5, "an apostrophe parts nothing");
});

await holds(t, cutsMakeNoDifference(), 300);
await holds(t, unitsAreAsFound(), 300);

t.test("entries without letters are not matched", async (t) => {
	t.ok(graphOf("。", "!", "a", "🙂", "").isEmpty);
	t.ok(graphOf().isEmpty);
	t.equal(
		unitsOf(graphOf("𠮷野"), "去𠮷野"),
		2.3333,
		"four bytes, one character",
	);
	t.equal(unitsOf(graphOf("C++", "C"), "C++"), 0.375);
	t.equal(unitsOf(graphOf("constructor", "__proto__"), "constructor"), 2.75);
});

t.test(
	"a long hotword earns no more than one of three characters",
	async (t) => {
		const long = "纳米比亚西南非洲人民组织执政党议会选举多数席位中央委员会";
		t.equal(unitsOf(graphOf(long), long), 3);
		const endless = "あ".repeat(200);
		t.ok(graphOf(endless).isEmpty, "past any limit: not looked for");
	},
);

t.test(
	"the tokens that continue a hotword, in every tokenisation",
	async (t) => {
		const texts = [
			"",
			"Lu",
			" Lu",
			"lu",
			" l",
			"na",
			"NA",
			"nas",
			"un",
			" ",
			"新",
			"\xe6",
		];
		const tokens = texts.map((text) =>
			text === "\xe6" ? Uint8Array.of(0xe6) : bytes(text),
		);
		const vocabulary = atOnce(Vocabulary.reading(tokens, new Set([2])));
		const graph = graphOf("Luna", "新特");
		const from = (text: string, most = 64) => {
			const { node, inWord } = after(graph, text);
			return vocabulary
				.continuations(graph.trie, node, inWord, most)
				.map((token) => texts[token])
				.sort();
		};
		t.same(
			from("to Lu"),
			["NA", "na"],
			"not what reaches past it, not what is forbidden",
		);
		t.same(from("to"), [], "no word begins inside another");
		t.same(from("to "), [" l", "Lu", "lu", "\xe6", "新"].sort());
		t.same(from("to L"), ["un"]);
		t.same(from("to ", 4), [], "too many to mean anything");
	},
);

t.test("a hotword counts again after much other text", async (t) => {
	const graph = graphOf("罗卡角");
	t.equal(unitsOf(graph, "罗卡角停靠以后又去了罗卡角"), 3, "seven characters");
	t.equal(unitsOf(graph, "罗卡角停靠以后我又去了罗卡角"), 6, "eight");
});

t.test("the spans of hotwords in a text", async (t) => {
	const graph = graphOf("New York", "罗卡角", "LLMs");
	const text = "To new york, 罗卡角,LLM's";
	const found = graph.spans(graph.start, bytes(text));
	const spanTexts = found.map(({ from, to }) =>
		new TextDecoder().decode(bytes(text).subarray(from, to)).trim(),
	);
	t.same(spanTexts, ["new york", "罗卡角", "LLM's"]);
	const open = after(graph, "in New");
	const [rest] = graph.spans(open, bytes(" York"));
	t.same([rest?.from, rest?.to], [0, 5], "begun before");
	for (const [before, text] of [
		["在罗卡角", "到了"],
		["the LLMs", " and others"],
		["the LLMs", ""],
	] as const)
		t.same(graph.spans(after(graph, before), bytes(text)), [], "in it before");
});
