import t from "tap";
import {
	isHallucination,
	rejectionReason,
} from "../../runtime/search/guards.js";
import {
	creditBeginnings,
	hallucinationPhrases,
} from "../../runtime/search/hallucination-phrases.js";

/** Measurements of a clearly spoken sentence. */
const spoken = {
	text: "Television reports show white smoke.",
	noSpeech: 0.09,
	meanLogp: -0.16,
	repeats: false,
};

t.test("clear speech passes, with any text", (t) => {
	t.equal(rejectionReason(spoken), undefined);
	t.equal(
		rejectionReason({ ...spoken, text: "Thank you for watching." }),
		undefined,
		"said for real",
	);
	t.equal(rejectionReason({ ...spoken, repeats: true }), undefined);
	t.end();
});

t.test("a single mumbled letter passes", (t) => {
	t.equal(
		rejectionReason({
			text: "i",
			noSpeech: 0.25,
			meanLogp: -1.15,
			repeats: false,
		}),
		undefined,
	);
	t.end();
});

t.test("a high no-speech probability alone rejects", (t) => {
	t.equal(rejectionReason({ ...spoken, noSpeech: 0.9 }), "doubt");
	t.end();
});

t.test("a very low mean log-probability alone rejects", (t) => {
	t.equal(rejectionReason({ ...spoken, meanLogp: -2.4 }), "doubt");
	t.end();
});

/** Measurements of a sentence with an unknown name, or of a word over a telephone. */
const oneVoice = { voicedSeconds: 0.4, spanSeconds: 0.45, swingDb: 30 };

t.test("a doubtful text passes where a single voice is certain", (t) => {
	const doubtful = { ...spoken, noSpeech: 0.56, meanLogp: -1.13 };
	t.equal(rejectionReason(doubtful), "doubt", "nobody asked voice activity");
	const reasonWith = (voice: Partial<typeof oneVoice>, changes = {}) =>
		rejectionReason({
			...doubtful,
			...changes,
			voiceActivity: { ...oneVoice, ...voice },
		});
	t.equal(reasonWith({}), undefined);
	t.equal(reasonWith({ swingDb: 12 }), "doubt", "many talk at once");
	t.equal(reasonWith({ spanSeconds: 0.7 }), "doubt", "a voice for moments");
	t.equal(reasonWith({ voicedSeconds: 0 }), "doubt", "no voice");
	t.equal(
		reasonWith({}, { noSpeech: 0.7 }),
		"doubt",
		"even so there is an end",
	);
	t.equal(reasonWith({}, { repeats: true }), "doubt", "it goes in circles");
	t.end();
});

t.test("a confident text needs a voice, but no swing", (t) => {
	const rare = { ...spoken, noSpeech: 0.69, meanLogp: -0.36 };
	t.equal(rejectionReason(rare), "doubt");
	const voice = { voicedSeconds: 4, spanSeconds: 6, swingDb: 12 };
	t.equal(rejectionReason({ ...rare, voiceActivity: voice }), undefined);
	t.equal(
		rejectionReason({
			...rare,
			voiceActivity: { ...voice, voicedSeconds: 0.03 },
		}),
		"doubt",
	);
	t.equal(
		rejectionReason({
			...rare,
			text: "字幕由Amara.org社區提供",
			voiceActivity: voice,
		}),
		"hallucination",
	);
	t.end();
});

t.test("the uncertain first syllables of an open segment pass", (t) => {
	const cutOff = { ...spoken, noSpeech: 0.6, meanLogp: -1.9 };
	t.equal(rejectionReason(cutOff), "doubt");
	t.equal(rejectionReason({ ...cutOff, open: true }), undefined);
	t.equal(rejectionReason({ ...cutOff, noSpeech: 0.9, open: true }), "doubt");
	t.equal(
		rejectionReason({
			...cutOff,
			text: " Thank you for watching.",
			open: true,
		}),
		"hallucination",
	);
	t.end();
});

t.test(
	"a known hallucination is rejected where the model has some doubt",
	(t) => {
		const halfDoubted = { ...spoken, noSpeech: 0.35, meanLogp: -0.5 };
		t.equal(rejectionReason(halfDoubted), undefined);
		for (const text of [
			"ご視聴ありがとうございました。",
			" Thank you for watching!",
			"请不吝点赞 订阅 转发 打赏支持明镜与点点栏目",
			"字幕由Amara.org社區提供",
		])
			t.equal(rejectionReason({ ...halfDoubted, text }), "hallucination", text);
		t.end();
	},
);

t.test("a repetitive text is rejected where the model has some doubt", (t) => {
	const text = "编曲、编曲、编曲、编曲、";
	t.equal(
		rejectionReason({ text, noSpeech: 0.59, meanLogp: -0.44, repeats: true }),
		"repetition",
	);
	t.end();
});

t.test("phrases are compared by letters, not by marks", (t) => {
	t.ok(isHallucination("ＴＨＡＮＫＳ　for watching!!!"));
	t.ok(isHallucination("谢谢观看 谢谢观看"), "said twice");
	t.notOk(isHallucination("Thank you for watching the children."));
	t.notOk(isHallucination(""));
	t.notOk(isHallucination("..."));
	t.end();
});

t.test("every phrase of the list, and every credit with a name", (t) => {
	const halfDoubted = { ...spoken, noSpeech: 0.35, meanLogp: -0.5 };
	const names = ["Anna Brown", "王小明", "山田太郎"];
	const credits = creditBeginnings.flatMap((it) =>
		names.map((name) => `${it} ${name}`),
	);
	for (const text of [...hallucinationPhrases, ...credits]) {
		t.equal(rejectionReason({ ...halfDoubted, text }), "hallucination", text);
		t.equal(
			rejectionReason({ ...spoken, text }),
			undefined,
			`${text}, said clearly`,
		);
	}
	t.end();
});

t.test("speech that contains such words passes, even with some doubt", (t) => {
	const halfDoubted = { ...spoken, noSpeech: 0.35, meanLogp: -0.5 };
	for (const text of [
		"Thank you.",
		"Thank you for coming today.",
		"Please subscribe to the newsletter of our town.",
		"He was watching the subtitles by the light of a candle in the evening.",
		"I'll see you in the morning.",
		"ありがとうございました。",
		"ご視聴の皆様にお知らせがあります。",
		"映画の字幕を読むのが遅いです。",
		"音楽を聞きながら勉強します。",
		"おやすみなさいと言って寝ました。",
		"谢谢大家。",
		"谢谢你来看我。",
		"这部电影的字幕太小了。",
		"中文字幕太小了。",
		"字幕翻訳の仕事をしています。",
		"他是这首歌的作曲家。",
		"我们下周再见面吧。",
	])
		t.equal(rejectionReason({ ...halfDoubted, text }), undefined, text);
	t.end();
});
