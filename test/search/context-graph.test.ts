import t from "tap";
import { ContextGraph } from "../../runtime/search/context-graph.js";
import type { Context } from "../../runtime/search/context-walk.js";
import { atOnce } from "../../runtime/search/piecewise.js";
import { Vocabulary } from "../../runtime/search/vocabulary.js";
import { seededRandom } from "../features/seeded-random.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const graphOf = (...words: string[]) =>
	atOnce(ContextGraph.compiling(words.map((word) => ({ writings: [word] }))));

/** A text in one piece. */
function after(graph: ContextGraph, text: string): Context {
	return graph.advance(graph.start, bytes(text));
}

function unitsOf(graph: ContextGraph, text: string): number {
	return Math.round(1e4 * graph.unitsAtEnd(after(graph, text))) / 1e4;
}

t.test(
	"a hotword earns as it is said, and keeps it when it is whole",
	async (t) => {
		const graph = graphOf("北京图书馆");
		const units = ["北", "北京", "北京图", "北京图书", "北京图书馆"].map(
			(text) => Math.round(graph.units(after(graph, text))),
		);
		t.same(units, [1, 2, 3, 3, 3]);
		t.equal(unitsOf(graph, "我在北京图书馆看书"), 3);
	},
);

t.test("what breaks off leaves nothing behind", async (t) => {
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

t.test("a hotword counts once, however often it is said", async (t) => {
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

t.test("it does not matter how the text is cut", async (t) => {
	const { random, seed } = seededRandom();
	t.comment(`seed ${seed}`);
	const alphabet = [..."北京图书馆上海关ab -.'é🙂"];
	const word = (most: number) =>
		Array.from(
			{ length: 1 + Math.floor(random() * most) },
			() => alphabet[Math.floor(random() * alphabet.length)],
		).join("");
	for (let round = 0; round < 300; round++) {
		const graph = graphOf(...Array.from({ length: 8 }, () => word(4)));
		const text = bytes(word(40));
		let context = graph.start;
		for (let at = 0; at < text.length; ) {
			const to = at + 1 + Math.floor(random() * 4);
			context = graph.advance(context, text.subarray(at, to));
			at = to;
		}
		const whole = graph.advance(graph.start, text);
		t.same(context, whole, { diagnostic: true });
		t.ok(
			graph.unitsAtEnd(context) <= graph.units(context) + 1e-6,
			"the end never adds",
		);
	}
});

t.test("it earns what a search of the text finds", async (t) => {
	const { random, seed } = seededRandom();
	t.comment(`seed ${seed}`);
	for (let round = 0; round < 300; round++) {
		const character = () => "甲乙丙"[Math.floor(random() * 3)] as string;
		const word = (most: number) =>
			Array.from({ length: 1 + Math.floor(random() * most) }, character).join(
				"",
			);
		const words = [...new Set(Array.from({ length: 3 }, () => word(3)))];
		const text = word(8);
		// longest first, from the left, each once in so short a text: where no hotword holds another one's end, that is what the graph counts
		if (words.some((a) => words.some((b) => a !== b && overlap(a, b))))
			continue;
		const said = new Set<string>();
		for (let at = 0; at < text.length; ) {
			const found = words
				.filter((one) => text.startsWith(one, at))
				.sort((a, b) => b.length - a.length)[0];
			if (found !== undefined) said.add(found);
			at += found?.length ?? 1;
		}
		const expected = [...said].reduce(
			(sum, one) => sum + (one.length === 1 ? 0.5 : one.length),
			0,
		);
		t.equal(unitsOf(graphOf(...words), text), expected, `${words} in ${text}`);
	}
});

/** An end of one, short of all of it, begins the other, or one holds the other. */
function overlap(one: string, other: string): boolean {
	if (one.includes(other)) return true;
	for (let i = 1; i < one.length; i++)
		if (other.startsWith(one.slice(i))) return true;
	return false;
}

t.test("entries that say nothing are not looked for", async (t) => {
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
	"the tokens that go on with a hotword, in every tokenisation",
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

t.test("a hotword counts again when much else was said between", async (t) => {
	const graph = graphOf("罗卡角");
	t.equal(unitsOf(graph, "罗卡角停靠以后又去了罗卡角"), 3, "seven characters");
	t.equal(unitsOf(graph, "罗卡角停靠以后我又去了罗卡角"), 6, "eight");
});

t.test("where in a text the hotwords stand", async (t) => {
	const graph = graphOf("New York", "罗卡角", "LLMs");
	const text = "To new york, 罗卡角,LLM's";
	const found = graph.spans(graph.start, bytes(text));
	const said = found.map(({ from, to }) =>
		new TextDecoder().decode(bytes(text).subarray(from, to)).trim(),
	);
	t.same(said, ["new york", "罗卡角", "LLM's"]);
	const open = after(graph, "in New");
	const [rest] = graph.spans(open, bytes(" York"));
	t.same([rest?.from, rest?.to], [0, 5], "begun before");
});
