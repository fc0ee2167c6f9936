import t from "tap";
import { holds } from "../fuzz/holds.js";
import { bestOfAllWins } from "./beam-search.property.js";
import { type Model, search } from "./toy-search.js";

const logs = (...p: number[]) => p.map((one) => Math.log(one));

/** The first token 0 is likelier, but 1 leads to the likelier text. */
const tempting: Model = (text) => {
	if (text.length === 0) return logs(0.6, 0.4, 1e-9, 1e-9, 1e-9);
	if (text[0] === 0) return logs(0.26, 0.25, 0.25, 0.04, 0.2);
	return text.length < 3
		? logs(0.01, 0.01, 0.97, 0.005, 0.005)
		: logs(0.01, 0.01, 0.01, 0.01, 0.96);
};

t.test("a beam finds what greedy search misses", async (t) => {
	const greedy = await search(tempting, { beam: 1 });
	const beam = await search(tempting);
	t.not(greedy.result, "cancelled");
	t.match(beam.result, { tokens: [1, 2, 2], why: "end" });
	t.match(greedy.result, { tokens: [0] });
});

t.test(
	"log-probabilities are those of the tokens, the end's last",
	async (t) => {
		const { result } = await search(tempting);
		if (result === "cancelled") throw new Error("cancelled");
		const expected = [0.4, 0.97, 0.97, 0.96].map(Math.log);
		t.equal(result.logp.length, 4);
		result.logp.forEach((logp, i) => {
			t.ok(Math.abs(logp - (expected[i] as number)) < 1e-6);
		});
		const sum = expected.reduce((a, b) => a + b);
		t.ok(Math.abs(result.score - sum / 4) < 1e-6, "score is sum / length");
	},
);

await holds(t, bestOfAllWins(), 60);

t.test("a hypothesis that never ends is truncated at the limit", async (t) => {
	const endless: Model = (text) =>
		text.length % 2 ? logs(0.5, 0.2, 0.2, 0.1, 0) : logs(0.1, 0.5, 0.3, 0.1, 0);
	const { result, rows } = await search(endless, { tokensMax: 9 });
	t.match(result, { why: "length" });
	if (result !== "cancelled") t.equal(result.tokens.length, 9);
	t.equal(rows.length, 8, "the first token needs no step");
	t.ok(rows.every((count) => count <= 5));
});

t.test(
	"at the limit an unlikely end does not win over a likely text",
	async (t) => {
		const unlikelyEnd: Model = (text) =>
			text.length % 2
				? logs(0.5, 0.2, 0.2, 0.1, 1e-9)
				: logs(0.1, 0.5, 0.3, 0.1, 1e-9);
		const { result } = await search(unlikelyEnd, { beam: 2, tokensMax: 9 });
		t.match(result, { why: "length" });
	},
);

t.test("a hypothesis that loops is stopped", async (t) => {
	const circle: Model = (text) => [
		...[0, 1, 2].map((id) => (id === text.length % 3 ? -0.01 : -6)),
		-9,
		-9,
	];
	const { result } = await search(circle, { tokensMax: 200 });
	t.match(result, { why: "loop" });
	if (result !== "cancelled") t.ok(result.tokens.length < 20);
});

t.test("tokens beyond the end token are never chosen", async (t) => {
	const control: Model = (text) =>
		text.length < 2
			? logs(0.2, 0.1, 0.1, 0.05, 0.05, 0.5)
			: logs(0.1, 0.1, 0.1, 0.1, 0.5, 0.1);
	const { result } = await search(control);
	t.match(result, { tokens: [0, 0] });
});

t.test(
	"settled tokens are returned first and count in the length",
	async (t) => {
		const { result } = await search(tempting, { prefix: [3, 3] });
		if (result === "cancelled") throw new Error("cancelled");
		t.same(result.tokens, [3, 3, 1, 2, 2]);
		t.equal(result.logp.length, 4);
	},
);

t.test("cancelling ends the search between two steps", async (t) => {
	let checks = 0;
	const { result, rows } = await search(tempting, {
		cancelled: () => ++checks > 1,
	});
	t.equal(result, "cancelled");
	t.equal(rows.length, 1);
});

t.test(
	"the other hypotheses come with the best, which is the same",
	async (t) => {
		const { result } = await search(tempting);
		const all = await search(tempting, { withAlternatives: true });
		if (result === "cancelled" || all.result === "cancelled")
			throw new Error("cancelled");
		const { alternatives = [], ...best } = all.result;
		t.same(best, result);
		const texts = alternatives.map((one) => one.tokens.join(""));
		t.ok(texts.length >= 2);
		t.equal(new Set([...texts, best.tokens.join("")]).size, texts.length + 1);
		const ended = alternatives.filter(
			(one) => one.logp.length > one.tokens.length,
		);
		const scores = ended.map(
			({ logp }) => logp.reduce((a, b) => a + b) / logp.length,
		);
		t.ok(scores.length > 0 && scores.every((one) => one <= best.score));
		t.same(
			scores,
			scores.toSorted((a, b) => b - a),
			"best first",
		);
		const others = alternatives.slice(ended.length);
		t.ok(
			others.every(({ tokens }) => tokens.length >= best.tokens.length - 1),
			"nearly as long",
		);
	},
);
