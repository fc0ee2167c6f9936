/** The text of tokens whose symbols are bytes: whole, interrupted, and without an end. */
import t from "tap";
import { HotwordGraphs } from "../../runtime/models/hotword-graphs.js";
import { SymbolTable } from "../../runtime/models/writing/symbol-table.js";

const table = new SymbolTable(
	[
		"<blk>",
		"<0xE4>",
		"\u2581hello",
		"<0xBD>",
		"<0xA0>",
		"a",
		"<0x61><0xE4>",
		"<0xBD><0xA0>",
		"<0xFF>",
	]
		.map((symbol, i) => `${symbol} ${i}\n`)
		.join(""),
);
const [blank, lead, hello, middle, last, a, aAndLead, rest, none] = [
	0, 1, 2, 3, 4, 5, 6, 7, 8,
];

t.test("only the bytes of an incomplete character are omitted", (t) => {
	const piece = (text: string, tokenStart: number, tokenEnd: number) => ({
		text,
		tokenStart,
		tokenEnd,
	});
	const cases: [string, number[], object[]][] = [
		["whole", [lead, middle, last], [piece("\u4f60", 0, 3)]],
		[
			"with a blank in it",
			[lead, blank, middle, last],
			[piece("\u4f60", 0, 4)],
		],
		["a word after it", [lead, hello], [piece("hello", 1, 2)]],
		["a letter after it", [lead, a, a], [piece("a", 1, 2), piece("a", 2, 3)]],
		["begun twice", [lead, lead, middle, last], [piece("\u4f60", 1, 4)]],
		["in the middle of it", [lead, middle, hello], [piece("hello", 2, 3)]],
		["without a beginning", [middle, hello], [piece("hello", 1, 2)]],
		[
			"too many bytes",
			[lead, rest, rest, a],
			[piece("\u4f60", 0, 2), piece("a", 3, 4)],
		],
		["no byte of text", [a, none, a], [piece("a", 0, 1), piece("a", 2, 3)]],
		["in two tokens of two", [aAndLead, rest], [piece("a\u4f60", 0, 2)]],
		[
			"half a token",
			[aAndLead, hello],
			[piece("a", 0, 1), piece(" hello", 1, 2)],
		],
		["at the end", [hello, aAndLead], [piece("hello", 0, 1), piece("a", 1, 2)]],
		["alone", [lead], []],
	];
	for (const [name, tokens, expected] of cases)
		t.same(table.pieces(tokens), expected, name);
	t.end();
});

t.test("a hotword after a stray byte is found", (t) => {
	const bias = new HotwordGraphs(table).biasFor({
		list: { key: "hello", entries: ["hello"] },
		weight: 0.4,
	});
	t.match(bias?.read([a, lead, hello]).spans, [{ from: 1, to: 2 }]);
	t.end();
});
