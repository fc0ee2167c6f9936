import t from "tap";
import { biasedBeamSearch } from "../../runtime/search/biased-search.js";
import { holds } from "../fuzz/holds.js";
import { unsaidHotwordsChangeNothing } from "./biased-search.property.js";
import {
	biasing,
	decoder,
	favouring,
	type Model,
	options,
} from "./toy-biased-search.js";

const logs = (...p: number[]) => p.map((one) => Math.log(one));

/** Finds 甲乙; 丙丁 is less likely. */
const homophones: Model = (text) => {
	if (text === "") return logs(0.6, 0.1, 0.2, 0.05, 0.04, 0.01);
	if (text.length > 1) return logs(0.01, 0.01, 0.01, 0.01, 0.01, 0.95);
	return text === "丙"
		? logs(0.02, 0.3, 0.02, 0.6, 0.02, 0.04)
		: logs(0.02, 0.7, 0.02, 0.2, 0.02, 0.04);
};

t.test("a hotword wins over what sounds like it", async (t) => {
	t.equal((await favouring(homophones, [], 1)).text, "甲乙");
	t.equal((await favouring(homophones, ["丙丁"], 1)).text, "丙丁");
	t.equal(
		(await favouring(homophones, ["丙丁"], 0.5)).text,
		"甲乙",
		"not for so little",
	);
	t.equal(
		(await favouring(homophones, ["丙戊"], 1)).text,
		"甲乙",
		"nor is what nobody said heard",
	);
});

t.test(
	"its log-probabilities are the decoder's, without any bonus",
	async (t) => {
		const { logp, score } = await favouring(homophones, ["丙丁"], 1);
		const expected = [0.2, 0.6, 0.95].map(Math.log);
		expected.forEach((one, i) => {
			t.ok(Math.abs((logp[i] as number) - one) < 1e-6);
		});
		const sum = expected.reduce((a, b) => a + b);
		t.ok(Math.abs(score - sum / 3) < 1e-6);
	},
);

t.test("a token that the decoder ranks low is offered", async (t) => {
	// 戊 is fifth of six, and the decoder names three
	const model: Model = (text) =>
		text === ""
			? logs(0.3, 0.25, 0.22, 0.12, 0.1, 0.01)
			: logs(0.01, 0.01, 0.01, 0.01, 0.01, 0.95);
	t.equal((await favouring(model, ["戊"], 4)).text, "戊");
});

t.test("a hotword is not repeated for its bonus", async (t) => {
	// repeating it always costs less than its bonus
	const model: Model = (text) => {
		if (text.length % 2 === 1) return logs(0.01, 0.95, 0.01, 0.01, 0.01, 0.01);
		return text === ""
			? logs(0.95, 0.01, 0.01, 0.01, 0.01, 0.01)
			: logs(0.2, 0.01, 0.01, 0.01, 0.01, 0.76);
	};
	t.equal((await favouring(model, ["甲乙"], 3)).text, "甲乙");
});

t.test("a hotword is not appended to the text", async (t) => {
	const model: Model = (text) =>
		text.length < 2
			? logs(0.01, 0.01, 0.95, 0.01, 0.01, 0.01)
			: logs(0.03, 0.03, 0.01, 0.01, 0.01, 0.91);
	t.equal((await favouring(model, ["甲乙"], 1)).text, "丙丙");
});

t.test("hotwords that were not spoken", async (t) => {
	const tried = await holds(t, unsaidHotwordsChangeNothing(), 200);
	const unsaid = tried.get("unsaid") ?? 0;
	t.ok(unsaid > 20, `${unsaid} cases had no hotword in them`);
});

t.test("the beams share their rows", async (t) => {
	const { rowCounts } = await favouring(homophones, ["戊戊"], 0.1);
	t.ok(Math.max(...rowCounts) <= 4, `${rowCounts}`);
	const { rowCounts: none } = await favouring(homophones, [], 1);
	t.ok(Math.max(...none) <= 3, `${none}`);
});

t.test(
	"a search that never ends is truncated, and loops are removed",
	async (t) => {
		const circle: Model = (text) =>
			[0, 1, 2, 3, 4, 5].map((id) =>
				id === text.length % 3 ? -0.01 : -6 - id,
			);
		const found = await favouring(circle, ["甲乙丙"], 3, { tokensMax: 200 });
		t.equal(found.why, "loop");
		t.ok(found.tokens.length < 20);
		const bounded = await favouring(circle, ["丁丁"], 3, { tokensMax: 6 });
		t.ok(bounded.tokens.length <= 6);
	},
);

t.test("cancelling ends the search between two steps", async (t) => {
	const { scoresOf, step, offer } = decoder(homophones);
	const bias = biasing(["丙丁"], 1);
	const found = await biasedBeamSearch(
		offer(scoresOf(), [bias.offers(bias.start)]),
		async (tokens, parents, offers) =>
			offer(await step(tokens, parents), offers),
		{ ...options, cancelled: () => true },
		bias,
	);
	t.equal(found, "cancelled");
});
