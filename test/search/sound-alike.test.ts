import t from "tap";
import { syllableDistance } from "../../runtime/search/sound-alike.js";
import { syllablesOf } from "../../runtime/text/zh/pinyin.js";
import { holds } from "../fuzz/holds.js";
import { foundAsByComparing, indexOf } from "./sound-alike.property.js";

const read = (text: string) => syllablesOf([...text]);

function found(words: readonly string[], text: string): string[] {
	return indexOf(words.map(read))
		.find(read(text))
		.map(({ word, from, to }) => `${words[word]}=${text.slice(from, to)}`);
}

t.test("characters are read by their words", async (t) => {
	t.same(read("银行行长"), ["yin", "hang", "hang", "zhang"]);
	t.same(read("女儿"), ["nv", "er"]);
	t.same(read("去wifi吧"), [
		"qu",
		undefined,
		undefined,
		undefined,
		undefined,
		"ba",
	]);
	t.same(
		read("𠮷野家").slice(1),
		["ye", "jia"],
		"a character beyond the plane",
	);
	t.same(read(""), []);
});

t.test(
	"syllables are near if they are confused, or share a half",
	async (t) => {
		t.equal(syllableDistance("shi", "shi"), 0);
		t.equal(syllableDistance("shi", "si"), 0.25);
		t.equal(syllableDistance("nan", "lang"), 0.25);
		t.equal(syllableDistance("kao", "kou"), 0.5);
		t.equal(syllableDistance("rong", "long"), 0.5);
		t.equal(syllableDistance("ma", "shi"), 1);
	},
);

t.test("words are found by their sound", async (t) => {
	t.same(found(["豹猫", "绒毛"], "他看见爆猫的容毛"), [
		"豹猫=爆猫",
		"绒毛=容毛",
	]);
	t.same(found(["停靠"], "在罗卡角厅口"), ["停靠=厅口"]);
	t.same(found(["拉斯卡尼塔斯"], "拉斯卡因大斯的球"), [
		"拉斯卡尼塔斯=拉斯卡因大斯",
	]);
	t.same(found(["停靠"], "定好"), [], "two half syllables of two are too much");
	t.same(found(["猫"], "毛"), [], "one syllable has too many homophones");
	t.same(found(["豹猫"], "爆a猫"), [], "nor across what has no sound");
});

t.test("the nearest come first, also those at the edges", async (t) => {
	t.same(found(["恐龙", "孔隆"], "孔了孔隆")[0], "恐龙=孔隆");
	t.same(found(["北京"], "背景"), ["北京=背景"]);
});

await holds(t, foundAsByComparing(), 50);
