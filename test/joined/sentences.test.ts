/** What tests of joined recordings stand on: the sentences, how they are joined, and when one counts as lost. */
import t from "tap";
import { foundShare, isLost } from "../../scripts/benchmarks/joined/found.js";
import { joinSentences, missingFrom, readSentences } from "./sentences.js";

t.test("three languages, each in several voices", async (t) => {
	const sentences = readSentences();
	for (const language of ["zh", "ja", "en"] as const) {
		const own = sentences.filter((it) => it.language === language);
		t.ok(own.length >= 4, language);
		t.ok(new Set(own.map(({ voice }) => voice)).size >= 3, language);
	}
	for (const { samples, name } of sentences) {
		const seconds = samples.length / 16_000;
		t.ok(seconds > 2 && seconds < 4, name);
	}
	t.throws(() => readSentences("fr-train"), {
		message: "no sentence fr-train",
	});
});

t.test("they are joined as planned", async (t) => {
	const sentences = readSentences("zh-train", "en-train");
	const [first, second] = sentences as [
		(typeof sentences)[0],
		(typeof sentences)[0],
	];
	const plan = { pauseSeconds: 0.6, levelsDb: [0, -20], edgeSeconds: 0.1 };
	const { samples, spans } = joinSentences(sentences, plan);
	const start = 1600 + first.samples.length + 9600;
	t.equal(samples.length, start + second.samples.length + 1600);
	t.same(samples.slice(1600, 1600 + first.samples.length), first.samples);
	t.ok(
		samples.slice(1600 + first.samples.length, start).every((it) => it === 0),
	);
	t.ok(
		Math.abs(
			(samples[start + 9000] as number) - (second.samples[9000] as number) / 10,
		) < 1e-6,
	);
	t.equal(spans[1]?.startSeconds, start / 16_000);
	t.same(joinSentences(sentences, plan).samples, samples, "the same each time");
});

t.test("a murmur is as loud as it is asked to be", async (t) => {
	const { samples } = joinSentences([], {
		pauseSeconds: 0,
		edgeSeconds: 1,
		noiseRms: 0.01,
	});
	let power = 0;
	for (const sample of samples) power += sample * sample;
	t.match(Math.sqrt(power / samples.length).toFixed(4), "0.0100");
});

t.test(
	"a sentence is in a text where a stretch of it is like the sentence",
	async (t) => {
		const sentence = "我们明天早上坐火车去北京开会。";
		t.equal(foundShare(sentence, `你好！${sentence}再见。`, "zh"), 1);
		t.equal(foundShare(sentence, "", "zh"), 0);
		t.equal(foundShare("", "你好", "zh"), 1);
		const scattered =
			"会议在开水房，京剧团从北方坐船来，车很多，火很大，天气早就热了，我和他们说明了。";
		t.ok(
			foundShare(sentence, scattered, "zh") < 0.3,
			"not where its characters lie scattered",
		);
		t.equal(
			foundShare("One two three four.", "zero one three four", "en"),
			0.75,
		);
	},
);

t.test("lost is what is understood alone and not there", async (t) => {
	const sentence = {
		reference: "母は台所で料理をしています。",
		language: "ja",
	} as const;
	const alone = "母は大どころで料理をしています。";
	t.ok(isLost({ ...sentence, alone }, "今日はいい天気です。"));
	t.notOk(isLost({ ...sentence, alone }, `今日はいい天気です。${alone}`));
	t.notOk(
		isLost({ ...sentence, alone: "" }, "今日はいい天気です。"),
		"wrong, not lost",
	);
	const sentences = readSentences("ja-train", "en-train");
	t.same(missingFrom("明日の朝電車で東京へ行きます", sentences), ["en-train"]);
});
