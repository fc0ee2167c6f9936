import t from "tap";
import { wordListKinds } from "../../runtime/word-lists/kinds.js";
import {
	correctionRule,
	forbiddenRule,
	parseCorrection,
} from "../../runtime/words/correction.js";
import type { EntryRule } from "../../runtime/words/entry.js";
import {
	describeDrops,
	EntryFilter,
} from "../../runtime/words/entry-filter.js";
import {
	eitherRule,
	readingRule,
	writingRule,
} from "../../runtime/words/hotword.js";
import { holds } from "../fuzz/holds.js";
import { keptEntriesObeyTheRules } from "./rules.property.js";

const categories = ["人名", "地名", "記号", "固有名詞"];
const limits = { bytesMax: 200, wrongFormsMax: 3 };
/** Sorting these marks would take an hour. */
const marks = `a${"\u0315\u0300".repeat(2_000_000)}`;
const japanese = readingRule(categories);

/** The verdict on an entry: itself, or the reason in brackets. */
function fate(rule: EntryRule, given: string): string {
	const verdict = rule(given);
	return "entry" in verdict ? verdict.entry : `(${verdict.dropped})`;
}

const tables: Record<string, [EntryRule, [given: string, fate: string][]]> = {
	"a written hotword": [
		writingRule,
		[
			["earshot", "earshot"],
			["  北京大学 ", "北京大学"],
			["New York", "New York"],
			["", "(empty)"],
			[" \u3000 ", "(empty)"],
			["a,b", "(with too many columns)"],
			["a,", "(with too many columns)"],
			["你好，世界", "你好，世界"],
			["。", "(only punctuation)"],
			["!?…—「」", "(only punctuation)"],
			["，", "(only punctuation)"],
			["\u0301", "(only punctuation)"],
			["...", "(only punctuation)"],
			["C++", "C++"],
			["C#", "C#"],
			["#", "#"],
			["＃", "＃"],
			["R&D", "R&D"],
			["&", "&"],
			["+", "+"],
			["7", "7"],
			["x", "x"],
			["a".repeat(30), "a".repeat(30)],
			["a".repeat(31), "(too long)"],
			["𠮷".repeat(30), "𠮷".repeat(30)],
			["𠮷".repeat(31), "(too long)"],
			["字".repeat(1_000_000), "(too long)"],
			["!".repeat(200), "(only punctuation)"],
			["!".repeat(1_000_000), "(too long)"],
			[" ".repeat(1_000_000), "(too long)"],
			[`a${"\u0315\u0300".repeat(14)}`, `a${"\u0315\u0300".repeat(14)}`],
			[marks, "(too long)"],
			[`${"a".repeat(31)}😀`, "(with emoji or control characters)"],
			["smile😀", "(with emoji or control characters)"],
			["👨‍👩‍👧", "(with emoji or control characters)"],
			["🇯🇵", "(with emoji or control characters)"],
			["1\ufe0f\u20e3", "(with emoji or control characters)"],
			["❤", "(with emoji or control characters)"],
			["☎", "(with emoji or control characters)"],
			["Windows™ ©", "Windows™ ©"],
			["モーニング娘★♪", "モーニング娘★♪"],
			["a\tb", "(with emoji or control characters)"],
			["a\nb", "(with emoji or control characters)"],
			["a\u0000", "(with emoji or control characters)"],
			["\u0085b", "(with emoji or control characters)"],
			["a\u2028b", "(with emoji or control characters)"],
			["a\u200bb", "(with emoji or control characters)"],
			["\u202eevil", "(with emoji or control characters)"],
			["\ud800", "(with emoji or control characters)"],
			["שלום", "שלום"],
			["مرحبا", "مرحبا"],
			["cafe\u0301", "cafe\u0301"],
			["ﾃｽﾄ", "ﾃｽﾄ"],
			["𰻞𰻞面", "𰻞𰻞面"],
			["葛\u{e0100}城", "葛\u{e0100}城"],
			["__proto__", "__proto__"],
			["constructor", "constructor"],
		],
	],
	"a Japanese hotword": [
		japanese,
		[
			["鈴木,すずき,人名", "鈴木,すずき,人名"],
			[" 鈴木 , スズキ , 人名 ", "鈴木,スズキ,人名"],
			["鈴木\u3000,すずき,人名", "鈴木,すずき,人名"],
			["鈴木", "(with too few columns)"],
			["鈴木,すずき", "(with too few columns)"],
			["鈴木,すずき,", "(with too few columns)"],
			["鈴木,,人名", "(with too few columns)"],
			[",すずき,人名", "(with too few columns)"],
			["鈴木,すずき,人名,x", "(with too many columns)"],
			["鈴木,すずき,人名,", "(with too many columns)"],
			["鈴木,すずき,魚", "(with an unknown category)"],
			["鈴木,すずき,constructor", "(with an unknown category)"],
			["鈴木,ｽｽﾞｷ,人名", "(with a pronunciation that is not kana)"],
			["鈴木,suzuki,人名", "(with a pronunciation that is not kana)"],
			["鈴木,鈴木,人名", "(with a pronunciation that is not kana)"],
			["鈴木,すず き,人名", "(with a pronunciation that is not kana)"],
			["鈴木,ー,人名", "(with a pronunciation that is not kana)"],
			["鈴木,・,人名", "(with a pronunciation that is not kana)"],
			["Apple,アップル,固有名詞", "Apple,アップル,固有名詞"],
			["ヴェニス,ヴェニス,地名", "ヴェニス,ヴェニス,地名"],
			[
				"S・ジョブズ,スティーブ・ジョブズ,人名",
				"S・ジョブズ,スティーブ・ジョブズ,人名",
			],
			["学校,か\u3099っこう,固有名詞", "学校,か\u3099っこう,固有名詞"],
			["、,てん,記号", "、,てん,記号"],
			["", "(empty)"],
			[",,", "(empty)"],
			[`${"鈴".repeat(31)},すずき,人名`, "(too long)"],
			[`鈴木,${"す".repeat(31)},人名`, "(too long)"],
			[
				`${"鈴".repeat(30)},${"す".repeat(30)},人名`,
				`${"鈴".repeat(30)},${"す".repeat(30)},人名`,
			],
			["鈴木😀,すずき,人名", "(with emoji or control characters)"],
			[`鈴木,${marks},人名`, "(too long)"],
			[`鈴木,${"す".repeat(1_000_000)}x,人名`, "(too long)"],
		],
	],
	"a Japanese hotword of one request": [
		eitherRule(categories),
		[
			["鈴木", "鈴木"],
			["鈴木,すずき,人名", "鈴木,すずき,人名"],
			["鈴木,すずき", "(with too few columns)"],
			["。", "(only punctuation)"],
		],
	],
	"a correction": [
		correctionRule(limits),
		[
			["。|,\u0301", "(only punctuation)"],
			["lama,Llama", "lama,Llama"],
			[" 拉马 | 喇嘛 , Llama ", "拉马|喇嘛,Llama"],
			["a||b|,c", "a|b,c"],
			["lama", "(with too few columns)"],
			["lama,", "(with too few columns)"],
			[",Llama", "(with too few columns)"],
			["|,Llama", "(with too few columns)"],
			["a,b,c", "(with too many columns)"],
			["", "(empty)"],
			[",", "(empty)"],
			["。,！", "(only punctuation)"],
			["点,。", "点,。"],
			[`${"a".repeat(31)},b`, "(too long)"],
			[`a|${"b".repeat(31)},c`, "(too long)"],
			[`a,${"b".repeat(31)}`, "(too long)"],
			["smile,😀", "(with emoji or control characters)"],
			["a,b|c", "a,b|c"],
			["__proto__,constructor", "__proto__,constructor"],
			["a|b|c,d", "a|b|c,d"],
			["a|b|c|d,e", "(with too many wrong forms)"],
			["。|、|!|?,。", "(only punctuation)"],
			[`${" ".repeat(198)}a,b`, "(too long)"],
			[`${"a".repeat(31)}|b|c|d,e`, "(too long)"],
			[`${marks}a,b`, "(too long)"],
		],
	],
	"a forbidden word": [
		forbiddenRule,
		[
			["darn", "darn"],
			["a,b", "(with too many columns)"],
			["!", "(only punctuation)"],
		],
	],
};

for (const [name, [rule, cases]] of Object.entries(tables))
	t.test(name, async (t) => {
		for (const [index, [given, expected]] of cases.entries())
			t.equal(fate(rule, given), expected, `case ${index}`);
	});

t.test(
	"a stored entry passes the rules again and parses as intended",
	async (t) => {
		for (const [rule, cases] of Object.values(tables))
			for (const [given] of cases) {
				const verdict = rule(given);
				if ("entry" in verdict)
					t.equal(fate(rule, verdict.entry), verdict.entry);
			}
		t.same(parseCorrection("a|b,c"), { wrong: ["a", "b"], right: "c" });
	},
);

t.test(
	"of equal entries the first is kept; drops are counted by reason",
	async (t) => {
		const filter = new EntryFilter(writingRule);
		filter.seed("there");
		for (const word of [
			"ＡＢＣ",
			"ABC",
			"abc",
			" ABC ",
			"café",
			"cafe\u0301",
			"㍿",
			"株式会社",
			"there",
			"",
			"a,b",
		])
			filter.add(word);
		t.same(filter.kept, ["there", "ＡＢＣ", "abc", "café", "㍿"]);
		t.equal(
			describeDrops(filter.drops),
			"7 of 11 entries dropped: 5 duplicate, 1 empty, 1 with too many columns",
		);
		const one = new EntryFilter(writingRule);
		one.add("ok");
		t.equal(describeDrops(one.drops), undefined);
		one.add("ok");
		t.equal(describeDrops(one.drops), "1 of 2 entries dropped: 1 duplicate");
	},
);

t.test(
	"of each reason the first entries are kept as they were submitted, and no long ones",
	async (t) => {
		const filter = new EntryFilter(writingRule);
		for (const word of ["!", "a,b", "x".repeat(31), "x".repeat(5000)])
			filter.add(word);
		for (let i = 0; i < 60; i++) filter.add(` ${"?".repeat(i + 1)}`);
		const { reasons } = filter.drops;
		t.same(reasons.get("with too many columns"), {
			count: 1,
			entries: ["a,b"],
		});
		t.same(reasons.get("too long"), { count: 2, entries: ["x".repeat(31)] });
		const { count, entries } = reasons.get("only punctuation") ?? {};
		t.equal(count, 61);
		t.same([entries?.length, entries?.[1]], [50, " ?"]);
	},
);

t.test("each kind of list has separate codes, paths and ids", async (t) => {
	const kinds = Object.values(wordListKinds(categories, limits));
	for (const field of ["path", "idParameter", "idPrefix", "what"] as const)
		t.equal(new Set(kinds.map((it) => it[field])).size, 3, field);
	const statuses = kinds.flatMap((it) => Object.values(it.status));
	t.equal(new Set(statuses).size, 12);
});

t.test("entries of any characters", async (t) => {
	const outcomes = await holds(t, keptEntriesObeyTheRules(), 10_000);
	const taken = outcomes.get("taken") ?? 0;
	t.ok(taken > 500, `${taken} were taken`);
});
