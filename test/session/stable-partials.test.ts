/** The stable part of partials: what a client that can only append may send on. */
import t from "tap";
import { stableUnits } from "../../runtime/session/stable-text.js";
import { madeHypothesis } from "./made-utterances.js";
import { perform, rehearse, speech } from "./rehearsal.js";

const spoken =
	"the quick brown fox jumps over the lazy dog and runs away".split(" ");

/** A word for each 250 ms, of which the last is misheard until the next has come. */
function recognize({ segment }: { segment: { samples: Float32Array } }) {
	const voiced = segment.samples.filter((it) => it > 0.5).length;
	const words = spoken.slice(0, Math.floor(voiced / 4000));
	if (words.length > 0 && words.length < spoken.length) words.push("uhm");
	return madeHypothesis(words.join(" "), { confidence: 0.95 });
}

t.test(
	"what is stable begins the shown text, grows, and begins the final",
	async (t) => {
		const session = rehearse({ partials: true, stablePartials: true });
		const { events } = await perform(session, speech(-500, 3200, -1500), {
			recognize,
		});
		const partials = events.flatMap((it) => (it.is === "partial" ? [it] : []));
		const final = events.find((it) => it.is === "final");
		let sent = "";
		let steps = 0;
		for (const { utterance, stable = 0 } of partials) {
			const text = utterance.text.slice(0, stable);
			t.ok(text.startsWith(sent), `${sent} | ${text}`);
			t.notMatch(text, /uhm/, "no hypothesis alone");
			if (text !== sent) steps++;
			sent = text;
		}
		t.ok(steps > 4, `${steps} steps`);
		t.ok(sent.length > 20 && final?.is === "final");
		if (final?.is === "final")
			t.ok(final.utterance.text.startsWith(sent), sent);
	},
);

t.test("whole words and whole characters are stable", (t) => {
	for (const [shown, agreed, stable] of [
		["hello world", "hello", 5],
		["hello world", "hello wor", 6],
		["hello world", "hello world", 11],
		["twenty one", "20", 0],
		["今日は晴れ", "今日は", 3],
		["𠮷野家", "𠮷", 2],
		["𠮷野家", "𠮶", 0],
		["", "a", 0],
	] as const)
		t.equal(stableUnits(shown, agreed), stable, `${shown} ${agreed}`);
	t.end();
});
