/** Syllables as initials and finals with tones. */
import { existsSync, readFileSync } from "node:fs";
import t from "tap";
import {
	PinyinSymbols,
	splitSyllable,
} from "../../runtime/models/second-ear/pinyin-symbols.js";
import { SymbolTable } from "../../runtime/models/writing/symbol-table.js";
import { syllablesOf } from "../../runtime/text/zh/pinyin.js";
import { realModel } from "../published/cases.js";

const symbols = [
	"<blk>",
	"zh",
	"ōng",
	"òng",
	"l",
	"ǜ",
	"üè",
	"j",
	"ù",
	"ér",
	"er",
	"A",
	"#0",
];
const table = symbols.map((symbol, i) => `${symbol} ${i}\n`).join("");
const pinyin = new PinyinSymbols(new SymbolTable(table, "pinyin"), 12);

t.test("a syllable's tokens", (t) => {
	const tokens = (base: string, tone?: number) =>
		pinyin
			.tokensOf({ base, ...(tone && { tone }) })
			?.map(({ token, anyTone }) => [symbols[token], anyTone]);
	t.same(tokens("zhong", 4), [
		["zh", false],
		["òng", false],
	]);
	t.same(tokens("zhong"), [
		["zh", false],
		["ōng", true],
	]);
	t.same(
		tokens("zhong", 2),
		[
			["zh", false],
			["ōng", true],
		],
		"a tone that the model lacks",
	);
	t.same(tokens("lv", 4), [
		["l", false],
		["ǜ", false],
	]);
	t.same(tokens("lve", 4), [
		["l", false],
		["üè", false],
	]);
	t.same(tokens("ju", 4), [
		["j", false],
		["ù", false],
	]);
	t.same(tokens("jv", 4), [
		["j", false],
		["ù", false],
	]);
	t.same(tokens("er", 5), [["er", false]]);
	for (const base of ["", "A", "zh", "zhang", "xong", "ê", "toString"])
		t.equal(tokens(base), undefined, base);
	t.end();
});

t.test("a token's part of a syllable", (t) => {
	t.same(pinyin.finalOf(3), { base: "ong", tone: 4 });
	t.same(pinyin.finalOf(6), { base: "ve", tone: 4 });
	t.same(pinyin.finalOf(10), { base: "er", tone: 5 });
	t.equal(pinyin.initialOf(1), "zh");
	for (const token of [0, 11]) {
		t.equal(pinyin.finalOf(token), undefined);
		t.equal(pinyin.initialOf(token), undefined);
	}
	t.same(splitSyllable("shuang"), { initial: "sh", final: "uang" });
	t.same(splitSyllable("er"), { initial: "", final: "er" });
	t.end();
});

t.test("symbols that can't spell Chinese are refused", (t) => {
	t.match(
		pinyin.whyIncomplete,
		/^tokens.txt has no symbols for the syllables ba, pai/,
	);
	t.end();
});

const skip = existsSync(realModel) ? false : `${realModel} is not here`;
t.test("the published model spells common characters", { skip }, (t) => {
	const table = readFileSync(`${realModel}/tokens.txt`, "utf8");
	const real = new PinyinSymbols(new SymbolTable(table, "pinyin"), 197);
	t.equal(real.whyIncomplete, undefined);
	const text =
		"的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其进此话常与活正感绿略虐旅雪月云远永熊穷军捐群";
	const without = syllablesOf([...text])
		.map((base, i) => [text[i], base])
		.filter(([, base]) => !base || !real.tokensOf({ base }));
	t.same(without, []);
	t.end();
});
