/** What a search that continues settled tokens gets for hotwords: those in the settled part are no part of it. */
import t from "tap";
import { HotwordBiases } from "../../runtime/models/whisper/hotword-bias.js";
import type { PromptLanguage } from "../../runtime/models/whisper/punctuator.js";
import { WhisperTokenizer } from "../../runtime/models/whisper/tokenizer.js";

const ranks = Array.from(
	{ length: 256 },
	(_, byte) => `${Buffer.of(byte).toString("base64")} ${byte}`,
);
const tokenizer = new WhisperTokenizer(ranks.join("\n"));
const endOfText = 256;
const shape = {
	special: {
		endOfText,
		startOfTranscript: endOfText + 1,
		transcribe: endOfText + 2,
		startOfPrevious: endOfText + 3,
		noSpeech: endOfText + 4,
		noTimestamps: endOfText + 5,
		firstTimestamp: endOfText + 6,
	},
	suppress: [],
};

/** Of a text after a settled one. */
function biased(
	language: PromptLanguage,
	entries: readonly string[],
	settled: string,
	text: string,
) {
	const list = { key: entries.join(), entries };
	const bias = new HotwordBiases(tokenizer, shape).biasFor(
		{ list, weight: 0.4 },
		language,
		tokenizer.encode(settled),
	);
	if (!bias) throw new Error("no entry can be matched");
	const tokens = tokenizer.encode(text);
	let context = bias.start;
	for (const token of tokens) context = bias.advance(context, token);
	const { pieces, spans } = bias.read(tokens, Array(tokens.length + 1).fill(0));
	return {
		hotwords: spans.map(({ from, to }) =>
			pieces
				.slice(from, to)
				.map((piece) => piece.text)
				.join(""),
		),
		bonus: bias.bonusAtEnd(context),
		mostBonus: bias.bonus(context),
	};
}

t.test(
	"a hotword that was settled before covers nothing of the text",
	async (t) => {
		for (const [language, entries, settled, text] of [
			["zh", ["北京"], "我住在北京", "的一个小区"],
			["zh", ["北京"], "北京到了", "的一个小区"],
			["en", ["Kubernetes"], "a Kubernetes", " on the server"],
			["en", ["Kubernetes"], "a Kubernetes", ""],
			["en", ["art"], "an art", "icle"],
		] as const)
			t.same(
				biased(language, entries, settled, text).hotwords,
				[],
				`${settled}|${text}`,
			);
	},
);

t.test("one that comes after it, or is completed, does", async (t) => {
	const whole = biased("zh", ["北京", "豹猫"], "我住在", "有豹猫");
	t.same(whole.hotwords, ["豹猫"]);
	t.ok(whole.bonus > 0);
	const later = biased("zh", ["北京", "豹猫"], "我住在北京", "有豹猫");
	t.same(later.hotwords, ["豹猫"]);
	t.ok(later.bonus >= whole.bonus);
	const begun = biased("zh", ["豹猫"], "有豹", "猫了");
	t.same(begun.hotwords, ["猫"]);
	t.ok(Math.abs(begun.bonus - whole.bonus) < 1e-6);
	const longer = biased("zh", ["上海", "上海滩"], "去上海", "滩了");
	t.same(longer.hotwords, ["滩"]);
	t.ok(longer.bonus > 0);
});

t.test(
	"one that was only the beginning of a word takes no bonus away",
	async (t) => {
		const entries = ["art", "Kubernetes"];
		const other = biased("en", entries, "an article on", " Kubernetes");
		const { bonus, hotwords } = biased(
			"en",
			entries,
			"an art",
			"icle on Kubernetes",
		);
		t.same(hotwords, [" Kubernetes"]);
		t.ok(Math.abs(bonus - other.bonus) < 1e-6);
	},
);
