import t from "tap";
import { isHallucination, whyNotSaid } from "../../runtime/search/guards.js";

/** As a clearly spoken sentence measures. */
const spoken = {
	text: "Television reports show white smoke.",
	noSpeech: 0.09,
	meanLogp: -0.16,
	repeats: false,
};

t.test("clear speech passes, whatever it says", (t) => {
	t.equal(whyNotSaid(spoken), undefined);
	t.equal(
		whyNotSaid({ ...spoken, text: "Thank you for watching." }),
		undefined,
		"said for real",
	);
	t.equal(whyNotSaid({ ...spoken, repeats: true }), undefined);
	t.end();
});

t.test("a single mumbled letter passes", (t) => {
	t.equal(
		whyNotSaid({ text: "i", noSpeech: 0.25, meanLogp: -1.15, repeats: false }),
		undefined,
	);
	t.end();
});

t.test("no-speech probability alone silences", (t) => {
	t.equal(whyNotSaid({ ...spoken, noSpeech: 0.9 }), "doubt");
	t.end();
});

t.test("a mean log-probability that low silences alone", (t) => {
	t.equal(whyNotSaid({ ...spoken, meanLogp: -2.4 }), "doubt");
	t.end();
});

t.test(
	"the first syllables of an open segment are unsure and still said",
	(t) => {
		const cutOff = { ...spoken, noSpeech: 0.6, meanLogp: -1.9 };
		t.equal(whyNotSaid(cutOff), "doubt");
		t.equal(whyNotSaid({ ...cutOff, open: true }), undefined);
		t.equal(whyNotSaid({ ...cutOff, noSpeech: 0.9, open: true }), "doubt");
		t.equal(
			whyNotSaid({ ...cutOff, text: " Thank you for watching.", open: true }),
			"hallucination",
		);
		t.end();
	},
);

t.test("a known hallucination falls where the model half doubts", (t) => {
	const halfDoubted = { ...spoken, noSpeech: 0.35, meanLogp: -0.5 };
	t.equal(whyNotSaid(halfDoubted), undefined);
	for (const text of [
		"ご視聴ありがとうございました。",
		" Thank you for watching!",
		"请不吝点赞 订阅 转发 打赏支持明镜与点点栏目",
		"字幕由Amara.org社區提供",
	])
		t.equal(whyNotSaid({ ...halfDoubted, text }), "hallucination", text);
	t.end();
});

t.test("a text in circles falls where the model half doubts", (t) => {
	const text = "编曲、编曲、编曲、编曲、";
	t.equal(
		whyNotSaid({ text, noSpeech: 0.59, meanLogp: -0.44, repeats: true }),
		"repetition",
	);
	t.end();
});

t.test("phrases are known by their letters, not by their marks", (t) => {
	t.ok(isHallucination("ＴＨＡＮＫＳ　for watching!!!"));
	t.ok(isHallucination("谢谢观看 谢谢观看"), "said twice");
	t.notOk(isHallucination("Thank you for watching the children."));
	t.notOk(isHallucination(""));
	t.notOk(isHallucination("..."));
	t.end();
});
