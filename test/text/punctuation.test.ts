import t from "tap";
import { TextPipeline } from "../../runtime/text/pipeline.js";
import {
	type MarkStyle,
	spellMarks,
	spellMixedMarks,
} from "../../runtime/text/punctuation.js";
import { growRule } from "./numbers.js";

function spell(text: string, style: MarkStyle, keepMarks = true): string {
	const characters = [...text];
	const spelled = spellMarks(characters, style, keepMarks);
	t.equal(spelled.length, characters.length, "one for one");
	return spelled.join("");
}

t.test(
	"marks are full width in Chinese and Japanese, half width in English",
	(t) => {
		t.equal(spell("他称,他来了. 好吗?", "zh"), "他称，他来了。好吗？");
		t.equal(spell("はい,そうです.", "ja"), "はい、そうです。");
		t.equal(spell("Yes，of course。", "en"), "Yes,of course.");
		t.end();
	},
);

t.test("marks between Latin words keep their width in Chinese", (t) => {
	t.equal(spell("他说Hello, world吧", "zh"), "他说Hello, world吧");
	t.equal(spell("3.5公里,19,500人", "zh"), "3.5公里，19,500人");
	t.end();
});

t.test("the period of p.m. is not a mark", (t) => {
	t.equal(spell("会议at 5:30 p.m.开始.", "zh"), "会议at 5:30 p.m.开始。");
	t.end();
});

t.test("periods in a row are an ellipsis in Chinese and Japanese", (t) => {
	t.equal(spell("好...", "zh"), "好……");
	t.equal(spell("我想想... 对了..好.", "zh"), "我想想……对了……好。");
	t.equal(spell("そうですね......", "ja"), "そうですね……");
	t.equal(spell("Well... yes", "en"), "Well... yes");
	t.equal(spell("他说well...yes吧", "zh"), "他说well...yes吧");
	t.equal(spell("好...", "zh", false), "好");
	const mixed = (text: string) =>
		spellMixedMarks([...text], "zh", true).join("");
	t.equal(mixed("好...对了"), "好……对了");
	t.equal(mixed("是吗?!"), "是吗？！");
	t.equal(mixed("Well... yes. 好."), "Well... yes.好。");
	const pipeline = new TextPipeline({
		language: "zh-cmn-Hans-CN",
		punctuation: true,
	});
	t.equal(pipeline.openFrom("好."), 1, "more periods may follow");
	t.equal(pipeline.openFrom("好.."), 1);
	t.end();
});

t.test("the last period of an abbreviation is not a mark", (t) => {
	for (const text of [
		"i.e. this, at 5 a.m.",
		"e.g. a Ph.D. from the U.S.A.",
		"a.k.a. him",
	])
		t.equal(spell(text, "en", false), text.replace(",", ""));
	t.equal(spell("一个Ph.D.学生.", "zh", false), "一个Ph.D.学生");
	t.equal(spell("Plan b. Go.", "en", false), "Plan b Go");
	t.equal(spell("我在U.S.工作.", "zh"), "我在U.S.工作。");
	t.equal(spell("U.S.の市場", "ja"), "U.S.の市場");
	t.end();
});

t.test("the period of a title before a name is no full stop", (t) => {
	t.equal(spell("请Dr.王看一下.", "zh"), "请Dr.王看一下。");
	t.equal(spell("Dr. 王和Mrs. 张", "zh"), "Dr.王和Mrs.张");
	t.equal(spell("鈴木さんとMs.田中", "ja"), "鈴木さんとMs.田中");
	t.equal(spell("中国vs.日本", "zh"), "中国vs.日本");
	t.equal(spell("我找Prof.", "zh"), "我找Prof。");
	t.equal(spell("请Dr.王看", "zh", false), "请Dr王看");
	const mixed = (text: string) =>
		spellMixedMarks([...text], "zh", true).join("");
	t.equal(mixed("Mr.李和Mrs.张."), "Mr.李和Mrs.张。");
	t.equal(mixed("请Dr.王."), "请Dr.王。");
	t.end();
});

t.test("a closing bracket is as wide as the opening one", (t) => {
	t.equal(spell("他说3(.5)吧", "zh"), "他说3(.5)吧");
	t.equal(spell("用API(v2)吧", "zh"), "用API(v2)吧");
	t.equal(spell("在北京(Beijing)工作", "zh"), "在北京（Beijing）工作");
	t.equal(spell("我)走", "zh"), "我）走");
	t.end();
});

t.test("no spaces next to Chinese and Japanese characters", (t) => {
	t.equal(
		spell(" 有名じゃないんだ あして 歩いて", "ja"),
		"有名じゃないんだあして歩いて",
	);
	t.equal(spell("一個WiFi 門鈴", "zh"), "一個WiFi門鈴");
	t.equal(spell("the  press   yard ", "en"), "the press yard");
	t.end();
});

t.test("without marks the words stay the same", (t) => {
	t.equal(
		spell(" Mr. John's cold-hearted, isn't he?", "en", false),
		"Mr John's cold-hearted isn't he",
	);
	t.equal(spell("well--yes", "en", false), "well yes");
	t.equal(spell("他称，他来了。", "zh", false), "他称他来了");
	t.equal(spell("「王も」、と。", "ja", false), "王もと");
	t.equal(
		spell("3.5 and 19,500 at 10:30", "en", false),
		"3.5 and 19,500 at 10:30",
	);
	t.equal(spell("100% & more", "en", false), "100% & more");
	t.equal(spell("10〜20人、です。", "ja", false), "10〜20人です");
	t.equal(spell("2、3日。", "ja", false), "2 3日");
	t.equal(spell("2，3天。", "zh", false), "2 3天");
	t.equal(spell("１，２３４円。", "ja", false), "１，２３４円");
	t.equal(spell("三〜五人。", "ja", false), "三〜五人");
	t.equal(spell("at 5:30 p.m. today.", "en", false), "at 5:30 p.m. today");
	t.end();
});

t.test("a point that begins a word or a number stays with it", (t) => {
	t.equal(
		spell("a .22 caliber rifle, .5 percent , and .NET .", "en"),
		"a .22 caliber rifle, .5 percent, and .NET.",
	);
	t.equal(spell("It grew .5 percent.", "en", false), "It grew .5 percent");
	t.equal(spell("I said ... well ...yes", "en"), "I said... well...yes");
	t.equal(spell("It is -.5 or −.5.", "en", false), "It is -.5 or −.5");
	t.equal(spell("p=.05, x=-5, x=-.5.", "en", false), "p=.05 x=-5 x=-.5");
	t.equal(spell("-$5, $5-$10, .5-.7.", "en", false), "-$5 $5-$10 0.5-.7");
	t.equal(spell("3-.5", "ja", false), "3-.5");
	for (const [text, shown] of [
		["3（.5）", "3 0.5"],
		["3 (.5)", "3 0.5"],
		["3, .5", "3 0.5"],
	] as const) {
		t.equal(spell(text, "en", false), shown, "not 3.5");
		t.equal(spell(shown, "en", false), shown);
	}
	t.equal(spell("气温-.5度.", "zh"), "气温-.5度。");
	t.equal(spell("気温は-.5度.", "ja"), "気温は-.5度。");
	t.equal(spell("用 .NET 开发.", "zh"), "用 .NET开发。");
	for (const [text, style] of [
		["增长 .5个百分点", "zh"],
		["そう .5です", "ja"],
		["他说（.5）", "zh"],
	] as const) {
		const once = spell(text, style);
		t.equal(once, text);
		const shown = spell(once, style, false);
		t.match(shown, ".5");
		t.equal(spell(shown, style, false), shown, "written a second time");
	}
	t.equal(spell("3 .5 percent, - .5, $ .50", "en"), "3.5 percent, -.5, $.50");
	t.equal(spell("Hello .Next one", "en"), "Hello.Next one");
	t.equal(spell("Hello .Next one", "en", false), "Hello Next one");
	t.end();
});

t.test("partial results never show that point as a full stop", (t) => {
	const pipeline = new TextPipeline({
		language: "en-US",
		inverseTextNormalization: true,
		punctuation: true,
	});
	const whole = (text: string) => pipeline.write({ text, words: [] }).text;
	growRule(
		t,
		(text) => [{ from: 0, to: text.length, text: whole(text) }],
		(text) => pipeline.openFrom(text),
		[
			"It grew .5 since",
			"a .22 caliber",
			"with p=.05 it",
			"in .NET too",
			"Hello .Next one",
		],
		() => true,
	);
	t.end();
});

t.test("nothing but marks leaves nothing", (t) => {
	t.equal(spell("...", "en", false), "");
	t.equal(spell("。、", "ja", false), "");
	t.equal(spell("", "zh"), "");
	t.end();
});

t.test("10,000 marks or spaces take no longer than letters", (t) => {
	for (const text of ["。", ".", " ", ", ", "、a", "あ ", "- "])
		t.ok(spell(text.repeat(10_000 / text.length), "ja").length >= 0, text);
	t.end();
});
