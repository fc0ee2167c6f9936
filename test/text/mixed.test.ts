import t from "tap";
import { TextPipeline } from "../../runtime/text/pipeline.js";
import { rulesOf } from "../../runtime/text/registry.js";
import { holds } from "../fuzz/holds.js";
import { apply, longTexts } from "./numbers.js";
import { settledRule } from "./settled-rules.property.js";

const japanese = rulesOf["ja-JP-en-US"];
const chinese = rulesOf["zh-cmn-Hans-CN-en-US"];

t.test("each language's numbers are written by its own rules", (t) => {
	for (const [spoken, written] of [
		["バージョンtwo point oneを三月五日に", "バージョン2.1を3月5日に"],
		[
			"三時からmeeting in room two oh fourです",
			"3時からmeeting in room 204です",
		],
		["We meet at five thirty p m", "We meet at 5:30 p.m."],
		["iPhone fifteen Proを三台", "iPhone 15 Proを3台"],
		["一緒にone of themを", "一緒にone of themを"],
	] as const)
		t.equal(apply(spoken, japanese.writeNumbers(spoken)), written, spoken);
	for (const [spoken, written] of [
		["我们三月五号发布version two point one", "我们3月5号发布version 2.1"],
		["一起看the twenty first century", "一起看the 21st century"],
	] as const)
		t.equal(apply(spoken, chinese.writeNumbers(spoken)), written, spoken);
	t.end();
});

t.test("each language's numbers are spoken by its own rules", (t) => {
	for (const [written, spoken] of [
		["3時にin 2026 weを", "三時にin twenty twenty six weを"],
		["PM 3時", "PM 三時"],
		["荷物は5kgです", "荷物は五キログラムです"],
		["A4の紙を2枚", "A4の紙を二枚"],
	] as const)
		t.equal(apply(written, japanese.speakNumbers(written)), spoken, written);
	t.end();
});

t.test("fillers of both languages are found", (t) => {
	const text = "えーと、uh, meetingは、you know, 三時です";
	t.same(
		japanese.fillers(text).map((it) => text.slice(it.from, it.to)),
		["えーと", "uh", "you know"],
	);
	t.end();
});

t.test("Latin words keep their spaces, except next to kanji", (t) => {
	const write = (
		language: "ja-JP-en-US" | "zh-cmn-Hans-CN-en-US",
		text: string,
	) =>
		new TextPipeline({
			language,
			inverseTextNormalization: true,
			modalParticleFilter: true,
			punctuation: true,
		}).write({ text, words: [] }).text;
	t.equal(
		write("ja-JP-en-US", "明日の Team Meeting は Zoom で三時です."),
		"明日のTeam MeetingはZoomで3時です。",
	);
	t.equal(
		write("zh-cmn-Hans-CN-en-US", "我们用 machine learning 做了三百个 demo."),
		"我们用machine learning做了300个demo。",
	);
	t.equal(write("ja-JP-en-US", "Hello, world. 元気?"), "Hello, world.元気？");
	t.equal(
		write(
			"zh-cmn-Hans-CN-en-US",
			"你好,我们走吧. Nice to see you. How are you?再见",
		),
		"你好，我们走吧。Nice to see you. How are you?再见",
		"marks are those of the sentence's language",
	);
	for (const text of ["I counted. 1, 2, 3.", "我数了。1、2、3。"])
		t.equal(
			write("zh-cmn-Hans-CN-en-US", text),
			text,
			"without a letter, those of the model",
		);
	t.end();
});

t.test("a mark behind a Latin word waits for what follows it", (t) => {
	const pipeline = new TextPipeline({
		language: "zh-cmn-Hans-CN-en-US",
		punctuation: true,
	});
	const write = (text: string) => pipeline.write({ text, words: [] }).text;
	const text = "I have meetings, 一个在三楼。OK, 走吧。";
	for (let at = 1; at <= text.length; at++) {
		const shown = text.slice(0, pipeline.openFrom(text.slice(0, at)));
		const written = write(shown.trimEnd());
		t.ok(write(text).startsWith(written), text.slice(0, at));
	}
	t.equal(pipeline.openFrom("I have meetings,"), 15);
	t.equal(pipeline.openFrom("我有会，"), 4);
	t.end();
});

for (const rule of ["writeNumbers", "speakNumbers"] as const) {
	await holds(t, settledRule("ja-en", rule), 1000);
	await holds(t, settledRule("zh-en", rule), 1000);
}

t.test("10,000 characters are processed in time", (t) => {
	for (const text of longTexts)
		t.ok(japanese.writeNumbers(text), text.slice(0, 9));
	t.end();
});
