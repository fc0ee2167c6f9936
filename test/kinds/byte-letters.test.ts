/** Models with byte-level BPE: their tokens.txt has a letter for each byte, as icefall writes them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { HotwordGraphs } from "../../runtime/models/hotword-graphs.js";
import { readPublishedModel } from "../../runtime/models/package/published-model.js";
import { languagesOf } from "../../runtime/models/writing/symbol-languages.js";
import { SymbolTable } from "../../runtime/models/writing/symbol-table.js";
import { speechPieces } from "./cases.js";
import { openPublished } from "./models.js";
import { writeTinyCtc } from "./tiny/ctc.js";

/** First and last letter of each range, in the order of the bytes (icefall's PRINTABLE_BASE_CHARS). */
const ranges = [
	[256, 287],
	[32, 126],
	[288, 305],
	[308, 318],
	[321, 328],
	[330, 382],
	[384, 422],
] as const;
const letters = ranges.flatMap(([first, last]) =>
	Array.from({ length: last - first + 1 }, (_, i) =>
		String.fromCodePoint(first + i),
	),
);

/** As it is in a list of byte-level BPE. */
function inLetters(symbol: string): string {
	return [...symbol]
		.map((it) => (it === "▁" ? it : lettersOf(Buffer.from(it))))
		.join("");
}

function lettersOf(bytes: Uint8Array): string {
	return Array.from(bytes, (byte) => letters[byte]).join("");
}

function listOf(symbols: readonly string[]): string {
	return symbols.map((it, i) => `${it} ${i}\n`).join("");
}

t.test("the published pieces are read", async (t) => {
	t.equal(letters.length, 256);
	const list = listOf([
		"<blk>",
		"<sos/eos>",
		"<unk>",
		"▁ƋţŅ",
		"▁ƌŋţ",
		"▁ƌĭĺ",
		"▁ƋŠŒ",
		"▁THE",
		"S",
	]);
	const table = new SymbolTable(list);
	const text = (...tokens: number[]) =>
		table.pieces(tokens).map((it) => it.text);
	t.same(text(3, 4, 5, 6), ["你", " 好", " 北", " 京"]);
	t.same(text(7, 8), ["THE", "S"]);
	t.equal(table.letterCase, "upper");
	t.equal(table.tokenOf("<unk>"), 2);
	t.same(languagesOf(list), [
		"zh-cmn-Hans-CN",
		"en-US",
		"zh-cmn-Hans-CN-en-US",
	]);
	const bias = new HotwordGraphs(table).biasFor({
		list: { key: "beijing", entries: ["北京"] },
		weight: 0.4,
	});
	t.match(bias?.read([3, 4, 5, 6]).spans, [{ from: 2, to: 4 }]);
});

t.test("a character of several tokens is whole", async (t) => {
	const bytes = Buffer.from("北");
	const list = listOf([
		"<blk>",
		`▁${lettersOf(bytes.subarray(0, 1))}`,
		lettersOf(bytes.subarray(1, 2)),
		lettersOf(bytes.subarray(2)),
		"▁",
		"a",
	]);
	const pieces = new SymbolTable(list).pieces([5, 1, 2, 3, 4, 5]);
	t.same(
		pieces.map(({ text, tokenStart, tokenEnd }) => [
			text,
			tokenStart,
			tokenEnd,
		]),
		[
			["a", 0, 1],
			[" 北", 1, 4],
			[" ", 4, 5],
			["a", 5, 6],
		],
	);
});

t.test("letters of a language stay letters", async (t) => {
	// Latvian's are all in the table
	const list = listOf(["<blk>", "▁ģimenē", "▁šķūnis", "ļ", "▁žņaugt"]);
	const table = new SymbolTable(list);
	const text = table.pieces([1, 2, 3, 4]).map((it) => it.text);
	t.equal(text.join(""), "ģimenē šķūnisļ žņaugt");
});

t.test(
	"a model with such a list writes what it writes with a plain one",
	async (t) => {
		const folder = t.testdir();
		writeTinyCtc(folder, "zipformer", 15);
		const samples = speechPieces().at(-1) as Float32Array;
		const transcribed = async () => {
			const { languages } = await readPublishedModel(folder);
			const recognizer = await openPublished(folder);
			const found = await recognizer.recognize({
				samples,
				language: "zh-cmn-Hans-CN",
				beam: 1,
				punctuation: true,
				words: true,
			});
			await recognizer.close();
			return { languages, found };
		};
		const plain = await transcribed();
		t.match(plain.found, { text: /\p{Script=Han}/u });
		const path = join(folder, "tokens.txt");
		const lines = readFileSync(path, "utf8").trimEnd().split("\n");
		const symbols = lines.map((it) => it.slice(0, it.lastIndexOf(" ")));
		writeFileSync(
			path,
			listOf(symbols.map((it) => (it.startsWith("<") ? it : inLetters(it)))),
		);
		t.notMatch(readFileSync(path, "utf8"), /\p{Script=Han}/u);
		t.same(await transcribed(), plain);
	},
);
