import t from "tap";
import { correct } from "../../runtime/text/corrections.js";
import { editText } from "../../runtime/text/edits.js";
import { mask } from "../../runtime/text/forbidden.js";
import { Phrases } from "../../runtime/text/phrases.js";
import { holds } from "../fuzz/holds.js";
import { foundAsByTrying } from "./phrases.property.js";

function corrected(text: string, ...entries: string[]): string {
	return editText(text, correct(text, { key: "c", entries }));
}

function masked(text: string, ...entries: string[]): string {
	return editText(text, mask(text, [{ key: "f", entries }]));
}

t.test("each wrong form is corrected, in any case", async (t) => {
	t.equal(
		corrected("open ear shot, EARSHOT!", "ear shot|earshot,Earshot"),
		"open Earshot, Earshot!",
	);
	t.equal(corrected("打开一耳机", "一耳机|以耳机,耳机"), "打开耳机");
	t.equal(corrected("ＡＰＩ 和 api", "api,API"), "API 和 API");
});

t.test("of overlapping entries the longest counts", async (t) => {
	t.equal(corrected("北京大学", "北京,X", "北京大学,北大"), "北大");
	t.equal(corrected("甲乙丙丁", "甲乙,X", "乙丙丁,Y"), "甲Y");
	t.equal(corrected("new york city", "new york,NY", "york city,YC"), "new YC");
	t.equal(corrected("啊啊啊", "啊啊,哦"), "哦啊");
});

t.test("a vocabulary does not correct its own replacements", async (t) => {
	t.equal(corrected("甲乙", "甲,乙", "乙,甲"), "乙甲");
	t.equal(corrected("a", "a,a a a"), "a a a");
});

t.test(
	"Latin phrases match whole words, Chinese and Japanese ones anywhere",
	async (t) => {
		t.equal(corrected("the cat in category", "cat,dog"), "the dog in category");
		t.equal(corrected("cat的cat", "cat,dog"), "dog的dog");
		t.equal(corrected("concat, cat's", "cat,dog"), "concat, dog's");
		t.equal(corrected("5G 15G", "5g,5G网"), "5G网 15G");
		t.equal(corrected("我们的话", "们的,x"), "我x话");
		t.equal(corrected("привет приветик", "привет,hi"), "hi приветик");
	},
);

t.test("a number is one word", async (t) => {
	const five = ["5,five", "$5,a fiver", "5公里,五km"];
	t.equal(corrected("$5.50, $5, 5.", ...five), "$5.50, a fiver, five.");
	t.equal(corrected("3.5公里，5公里", ...five), "3.5公里，五km");
	t.equal(
		masked("19,500 at 10:30, 19, 10.", "19", "500", "10", "30"),
		"19,500 at 10:30, **, **.",
	);
	t.equal(masked("1,2,3 is 1, 2, 3", "2"), "1,*,3 is 1, *, 3");
	t.equal(masked("3.5 and 3.5.1", "3.5"), "*** and 3.5.1");
	t.equal(masked("grew .5, No.5", "5"), "grew .5, No.*");
	t.equal(masked("(.5) $.5 5.", "5", ".5"), "(**) $** *.");
});

t.test("regular expression characters are literal", async (t) => {
	t.equal(corrected("c++ and a.b", "c++,C#", "a.b,x", ".*,y"), "C# and x");
	t.equal(masked("(a|b) [x] ^$", "(a|b)", "[x]", "^$"), "***** *** **");
	t.equal(masked("a\\d", "\\d"), "a**");
});

t.test("characters are whole: accents, emoji, rare characters", async (t) => {
	t.equal(masked("cafe\u0301 cafe", "cafe"), "cafe\u0301 ****");
	t.equal(masked("café caf\u0065\u0301", "café"), "**** ****");
	t.equal(masked("𠮷野家和吉野家", "𠮷"), "*野家和吉野家");
	t.equal(masked("👨‍👩‍👧 👨", "👨"), "👨‍👩‍👧 *");
	t.equal(masked("👨‍👩‍👧好", "👨‍👩‍👧"), "*好");
	t.equal(masked("\ud83d broken \udc68", "👨"), "\ud83d broken \udc68");
});

t.test("a masked phrase keeps its spaces", async (t) => {
	t.equal(masked("say Bad Word here", "bad word"), "say *** **** here");
	t.equal(masked("敏感词很敏感", "敏感词", "敏感"), "***很**");
});

t.test("of overlapping forbidden words nothing is left", async (t) => {
	t.equal(masked("是王八蛋的", "王八", "八蛋"), "是***的");
	t.equal(masked("啊啊啊", "啊啊"), "***");
	t.equal(masked("甲乙丙丁", "甲乙", "乙丙丁"), "****");
	t.equal(
		masked("damn it all, darn", "damn it", "it all"),
		"**** ** ***, darn",
	);
	const edits = mask("王八蛋", [
		{ key: "1", entries: ["王八"] },
		{ key: "2", entries: ["八蛋"] },
	]);
	t.equal(editText("王八蛋", edits), "***", "of two lists");
});

t.test("empty and odd entries do nothing", async (t) => {
	t.equal(corrected("text", ",x", "|,y", "text"), "text");
	t.equal(masked("text", "", " "), "text");
	t.equal(
		masked("__proto__ constructor", "constructor"),
		"__proto__ ***********",
	);
});

t.test("the end of a text may be the beginning of a phrase", async (t) => {
	const phrases = new Phrases<true>();
	phrases.add("北京大学", true);
	phrases.add("new york", true);
	t.equal(phrases.openFrom("我在北京"), 2);
	t.equal(phrases.openFrom("我在北京大学"), 6);
	t.equal(phrases.openFrom("我在"), 2);
	t.equal(phrases.openFrom("a new"), 2);
	t.equal(phrases.openFrom("renew"), 5);
	t.equal(phrases.openFrom(""), 0);
});

await holds(t, foundAsByTrying(), 500);

t.test("entries made to explode a search are found in time", async (t) => {
	const entries = Array.from({ length: 30 }, (_, i) => "啊".repeat(i + 1));
	t.equal(masked("啊".repeat(20_000), ...entries), "*".repeat(20_000));
	t.equal(
		masked(`${"啊".repeat(20_000)}哦`, `${"啊".repeat(29)}呀`),
		`${"啊".repeat(20_000)}哦`,
	);
});
