/** What is sent of a growing text, by `delay` (docs/realtime.md#options): a client can only append it. */
import t from "tap";
import { Deltas } from "../../runtime/api/openai/realtime/deltas.js";
import {
	type Delay,
	delays,
} from "../../runtime/api/openai/realtime/settings.js";

/** Text, and how much of it two hypotheses agree on. */
const partials = [
	["I", 0],
	["I saw", 1],
	["I saw a", 5],
	["I saw her d", 8],
	["I saw her duck", 9],
] as const;
const final = "I saw her duck.";

const sent: Readonly<Record<Delay, readonly string[]>> = {
	minimal: ["I", " saw", " a", "", "", ""],
	low: ["", "I", " saw", " he", "r", " duck."],
	medium: ["", "I", " saw", " he", "r", " duck."],
	high: ["", "", "I", " saw", " he", "r duck."],
	xhigh: ["", "", "", "", "", final],
};

for (const delay of delays)
	t.test(`delay ${delay}`, async (t) => {
		const deltas = new Deltas("en-US", delay);
		t.same(
			[
				...partials.map(([text, stable]) => deltas.partial(text, stable)),
				deltas.final(final),
			],
			sent[delay],
		);
	});

t.test("sentences of one item are joined as the text is", async (t) => {
	const english = new Deltas("en-US", "low");
	t.equal(english.final("Yes."), "Yes.");
	t.equal(english.partial("No, thank", 3), " No,");
	t.equal(english.final("No, thanks."), " thanks.");
	const japanese = new Deltas("ja-JP", "low");
	t.equal(japanese.final("はい。"), "はい。");
	t.equal(japanese.final("いいえ。"), "いいえ。");
});

t.test("a first letter that becomes a capital is no other text", (t) => {
	const deltas = new Deltas("zh-cmn-Hans-CN-en-US", "minimal");
	t.equal(deltas.final("我坐火车。"), "我坐火车。");
	t.equal(deltas.partial("the train", 0), "the train");
	t.equal(deltas.partial("The train to", 0), " to");
	t.equal(deltas.final("the train to北京。"), "北京。");
	t.end();
});

t.test(
	"what was sent and is no longer true ends with its sentence",
	async (t) => {
		const deltas = new Deltas("en-US", "low");
		t.equal(deltas.partial("ice cream", 3), "ice");
		t.equal(deltas.final("I scream."), "");
		t.equal(deltas.final("You scream."), " You scream.");
	},
);
