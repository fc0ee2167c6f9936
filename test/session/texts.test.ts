import t from "tap";
import { joinTexts } from "../../runtime/session/join-text.js";
import { parseLanguage } from "../../runtime/session/languages.js";
import { Transcript } from "../../runtime/session/transcript.js";

t.test("sentences are joined by the language's rule", async (t) => {
	t.equal(
		joinTexts(["Hello.", "How are you?"], "en-US"),
		"Hello. How are you?",
	);
	t.equal(joinTexts(["你好。", "今天"], "zh-cmn-Hans-CN"), "你好。今天");
	t.equal(joinTexts(["こんにちは", "はい"], "ja-JP"), "こんにちははい");
	t.equal(joinTexts(["升至3", "5度"], "zh-cmn-Hans-CN"), "升至35度");
	t.equal(joinTexts([" a ", "", "  ", "b"], "en-US"), "a b");
	t.equal(joinTexts([], "en-US"), "");
});

// quadratic, it took half a minute for an eighth of them: half an hour here, which the suite's time limit ends
t.test("days of Chinese are joined", async (t) => {
	const text = "今天我们开会讨论了很多问题。".repeat(4);
	const joined = joinTexts(Array(40_000).fill(text), "zh-cmn-Hans-CN");
	t.equal(joined.length, 40_000 * text.length);
});

t.test("mixed speech gets a space only between Latin words", async (t) => {
	const mixed = "zh-cmn-Hans-CN-en-US";
	t.equal(joinTexts(["打开 Wi-Fi", "please"], mixed), "打开 Wi-Fi please");
	t.equal(joinTexts(["OK.", "好的"], mixed), "OK.好的");
	t.equal(joinTexts(["好的。", "OK"], mixed), "好的。OK");
	t.equal(joinTexts(["iPhone", "15"], mixed), "iPhone 15");
	t.equal(joinTexts(["はい", "yes", "no"], "ja-JP-en-US"), "はいyes no");
});

t.test("pinyin is joined syllable by syllable", async (t) => {
	const zh = "zh-cmn-Hans-CN";
	t.equal(joinTexts(["wēn nuǎn", "wú lùn"], zh), "wēn nuǎn wú lùn");
	t.equal(joinTexts(["ǹg", "ān"], zh), "ǹg ān");
	t.equal(joinTexts(["hǎo de", "OK"], zh), "hǎo de OK");
});

t.test("languages have aliases in any case", async (t) => {
	t.equal(parseLanguage("ZH-cn"), "zh-cmn-Hans-CN");
	t.equal(parseLanguage("zh-CMN-hans-cn"), "zh-cmn-Hans-CN");
	t.equal(parseLanguage("jaEN"), "ja-JP-en-US");
	t.equal(parseLanguage("fr"), undefined);
	t.equal(parseLanguage("constructor"), undefined);
});

t.test("a long sure sentence outweighs a short unsure one", async (t) => {
	const transcript = new Transcript("en-US");
	const utterance = { index: 1, beginMs: 0, endMs: 1, words: [] };
	transcript.add({ ...utterance, text: "x".repeat(30), confidence: 0.9 });
	transcript.add({ ...utterance, text: "x".repeat(10), confidence: 0.5 });
	transcript.add({ ...utterance, text: "", confidence: 0 });
	t.equal(transcript.whole().confidence.toFixed(6), "0.800000");
});
