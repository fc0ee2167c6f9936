/** What the page computes by itself. */
import t from "tap";
import { foundPieces } from "../../runtime/console/pages/files/found-pieces.js";
import {
	piecesOf,
	replaced,
} from "../../runtime/console/pages/files/word-pieces.js";
import { stablePart, Timing } from "../../runtime/console/pages/live/timing.js";
import { secondsOf } from "../../runtime/console/pages/words/clock-input.js";
import {
	broughtBy,
	difference,
} from "../../runtime/console/pages/words/difference.js";
import { hotwordsOf } from "../../runtime/console/parts/hotwords-of.js";
import { pageCode } from "./page-code.js";

t.test("a list's gains and harm are counted", async (t) => {
	const one = difference(
		"Mr. John dash would had leisure.",
		"Mr. John Dashwood has leisure.",
		["Dashwood", "Norland"],
	);
	t.equal(one.brought, 1);
	t.equal(one.changed, 2, "dash would had: three went, one of the list came");
	t.same(
		one.after.filter((it) => it.is === "new").map((it) => it.text),
		["Dashwood", "has"],
	);
	const han = difference("我要去望京", "我要去旺京", ["旺京"]);
	t.match(han, { brought: 1, changed: 0 });
	t.match(difference("same.", "same.", ["same"]), { brought: 0, changed: 0 });
	t.match(difference("", "x", []), { brought: 0, changed: 1 });
	const corrections = broughtBy("correction-words", "en-US", [
		"Jon|John,Jonathan",
	]);
	t.match(difference("Mr. John", "Mr. Jonathan", corrections), {
		brought: 1,
		changed: 0,
	});
	t.same(broughtBy("hotwords", "en-US", ["Dashwood, Inc."]), [
		"Dashwood, Inc.",
	]);
	for (const language of ["ja-JP", "ja-JP-en-US"]) {
		const entries = ["鈴木商店,すずきしょうてん,会社名"];
		const hotwords = broughtBy("hotwords", language, entries);
		t.match(difference("鱸商店です。", "鈴木商店です。", hotwords), {
			brought: 1,
			changed: 0,
		});
	}
});

t.test("hotwords are separated as people write lists", async (t) => {
	for (const text of [
		"张三，李四",
		"张三、李四",
		"张三, 李四",
		"张三\n李四\n",
		"张三,，张三，李四",
	])
		t.same(hotwordsOf(text), ["张三", "李四"], text);
	t.same(hotwordsOf(" ，"), []);
});

t.test("a time is read as people type it", async (t) => {
	for (const [text, seconds] of [
		["0:00", 0],
		[" 75 ", 75],
		["1:05", 65],
		["2:03.5", 123.5],
		["2:03,25", 123.25],
		["1:02:03", 3723],
		["90000", 90_000],
	] as const)
		t.equal(secondsOf(text), seconds, text);
	for (const text of ["", "x", "1:75", "1:60:00", "-1", "1:", ":5", "1e3"])
		t.equal(secondsOf(text), undefined, text);
});

t.test("a time that is shown has no sixtieth second", async (t) => {
	const { clockTime } = await pageCode<{
		clockTime(seconds: number, digits?: number): string;
	}>("texts/texts.ts");
	for (const [seconds, digits, shown] of [
		[0, 0, "0:00"],
		[59.2, 0, "0:59"],
		[59.7, 0, "1:00"],
		[119.97, 0, "2:00"],
		[3599.6, 0, "1:00:00"],
		[59.94, 1, "0:59.9"],
		[59.97, 1, "1:00.0"],
	] as const) {
		t.equal(clockTime(seconds, digits), shown);
		t.not(secondsOf(shown), undefined, "Words takes what it shows");
	}
});

t.test("words keep their times when others are corrected", async (t) => {
	const word = (text: string, start_time: number) => ({
		word: text,
		start_time,
		end_time: start_time + 100,
		is_punc: false,
	});
	const words = [
		word("He", 0),
		word("said", 100),
		word("hallo", 200),
		word("twice", 300),
	];
	const pieces = piecesOf({ transcript: "He said hello twice.", words });
	t.equal(pieces.map((it) => it.text).join(""), "He said hello twice.");
	t.same(
		pieces.flatMap((it) =>
			it.beginMs === undefined ? [] : [[it.text, it.beginMs]],
		),
		[
			["He", 0],
			["said", 100],
			["twice", 300],
		],
	);
	t.same(piecesOf({ transcript: "", words }), []);
	t.same(piecesOf({ transcript: "x" }), [{ text: "x" }]);
});

t.test("a correction becomes an entry of whole words", async (t) => {
	t.same(replaced("Mr. Dashwood had", "Mr. Ashwood had"), {
		wrong: "Dashwood",
		right: "Ashwood",
	});
	t.same(replaced("去望京吧", "去旺京吧"), { wrong: "望京", right: "旺京" });
	t.same(replaced("我们去望", "我们去旺"), { wrong: "去望", right: "去旺" });
	t.same(replaced("望", "旺"), { wrong: "望", right: "旺" });
	t.same(replaced("長谷部さんは来ます。", "長谷川さんは来ます。"), {
		wrong: "長谷部",
		right: "長谷川",
	});
	t.same(replaced("開く時間", "空く時間"), { wrong: "開く", right: "空く" });
	t.same(replaced("用open的", "用opens的"), { wrong: "open", right: "opens" });
	t.same(replaced("a b", "a c b"), { wrong: "", right: "c" });
	t.same(replaced("same", "same"), { wrong: "", right: "" });
});

t.test("times are those of the first and the final text", async (t) => {
	const timing = new Timing();
	timing.partial(1, 0, 100);
	t.equal(timing.firstWordMs, undefined, "nothing was sent yet");
	timing.sent(0, 1000);
	timing.sent(40, 1100);
	timing.partial(1, 500, 1900);
	timing.partial(1, 500, 2900);
	t.equal(timing.firstWordMs, 400, "of the first text only");
	timing.final(1, 1500, 2750);
	t.equal(timing.finalMs, 250);
	t.equal(stablePart("hello wor", "hello word"), "hello wor");
	t.equal(stablePart("hello", "yellow"), "");
});

t.test("what is searched for is found across words", async (t) => {
	const word = (text: string) => ({ text, beginMs: 0, endMs: 1 });
	const found = (search: string, ...pieces: { text: string }[]) =>
		foundPieces(pieces, search)
			.filter(({ isFound }) => isFound)
			.map(({ text }) => text);
	const spaced = [word("Good"), { text: " " }, word("morning"), { text: "." }];
	t.same(found("good morning", ...spaced), ["Good", " ", "morning"]);
	t.same(found("d m", ...spaced), ["Good", " ", "morning"]);
	t.same(found("orn", ...spaced), ["morning"], "a word stays whole");
	t.same(found("好北", word("你好"), word("北京")), ["你好", "北京"]);
	t.same(found("京", word("你好"), word("北京")), ["北京"]);
	t.same(
		foundPieces([{ text: "No, no one." }], "no").map(({ text }) => text),
		["No", ", ", "no", " one."],
		"what has no time is cut",
	);
	t.same(found("foo", { text: "\u0130\u0130 foo bar" }), ["foo"], "\u0130");
	t.same(found("", ...spaced), []);
	t.same(
		foundPieces(spaced, "x").map(({ text }) => text),
		["Good", " ", "morning", "."],
	);
});
