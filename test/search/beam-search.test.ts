import t from "tap";
import {
	beamSearch,
	type SearchOptions,
	type Step,
	type StepScores,
} from "../../runtime/search/beam-search.js";
import { seededRandom } from "../features/seeded-random.js";

/** A toy decoder: log-probabilities of the next token after a text, over a small vocabulary whose last token is the end. */
type Model = (text: readonly number[]) => readonly number[];

const width = 16;
const options: SearchOptions = {
	beam: 5,
	endOfText: 4,
	tokensMax: 12,
	lengthPenalty: 1,
};

/** Drives the search over the model the way a graph does: a past per row, reordered by parents. */
async function search(model: Model, changed: Partial<SearchOptions> = {}) {
	let texts: number[][] = [[]];
	const rows: number[] = [];
	const step: Step = async (tokens, parents) => {
		texts = Array.from(tokens, (token, row) => [
			...(texts[parents[row] as number] as number[]),
			token,
		]);
		rows.push(tokens.length);
		return scores(texts, model);
	};
	const result = await beamSearch(scores([[]], model), step, {
		...options,
		...changed,
	});
	return { result, rows };
}

function scores(texts: readonly number[][], model: Model): StepScores {
	const ids = new Int32Array(texts.length * width);
	const logp = new Float32Array(texts.length * width).fill(-Infinity);
	texts.forEach((text, row) => {
		const next = model(text)
			.map((value, id) => ({ value, id }))
			.sort((a, b) => b.value - a.value);
		next.slice(0, width).forEach(({ value, id }, i) => {
			ids[row * width + i] = id;
			logp[row * width + i] = value;
		});
	});
	return { ids, logp };
}

const logs = (...p: number[]) => p.map((one) => Math.log(one));

/** Looks best at first, leads nowhere good: 0 tempts, 1 pays. */
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

t.test(
	"with a beam as wide as the tree the best of all texts that ended wins",
	async (t) => {
		const { random, seed } = seededRandom();
		t.comment(`seed ${seed}`);
		for (let round = 0; round < 60; round++) {
			const model = randomModel(random);
			// without a penalty a sum only falls: what is still open when it stops can't win any more
			const lengthPenalty = round % 2;
			const { result } = await search(model, {
				...{ beam: 64, tokensMax: 3, lengthPenalty },
			});
			if (result === "cancelled") throw new Error("no result");
			const lengthMax = lengthPenalty === 0 ? 3 : result.steps;
			const best = exhaustive(model, lengthMax, lengthPenalty);
			const found = `round ${round}: ${result.score}, ${best?.score}`;
			if (result.why === "length") {
				t.ok(!best || result.score > best.score, found);
				continue;
			}
			t.ok(best && Math.abs(result.score - best.score) < 1e-6, found);
			t.same(result.tokens, best?.tokens, found);
		}
	},
);

t.test("a hypothesis that never ends is cut at its bound", async (t) => {
	const endless: Model = (text) =>
		text.length % 2 ? logs(0.5, 0.2, 0.2, 0.1, 0) : logs(0.1, 0.5, 0.3, 0.1, 0);
	const { result, rows } = await search(endless, { tokensMax: 9 });
	t.match(result, { why: "length" });
	if (result !== "cancelled") t.equal(result.tokens.length, 9);
	t.equal(rows.length, 8, "the first token needs no step");
	t.ok(rows.every((count) => count <= 5));
});

t.test(
	"at the bound an unlikely end does not win over a likely text",
	async (t) => {
		const unlikelyEnd: Model = (text) =>
			text.length % 2
				? logs(0.5, 0.2, 0.2, 0.1, 1e-9)
				: logs(0.1, 0.5, 0.3, 0.1, 1e-9);
		const { result } = await search(unlikelyEnd, { beam: 2, tokensMax: 9 });
		t.match(result, { why: "length" });
	},
);

t.test("a hypothesis that goes in circles is stopped", async (t) => {
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
	"settled tokens come back in front and count in the length",
	async (t) => {
		const { result } = await search(tempting, { prefix: [3, 3] });
		if (result === "cancelled") throw new Error("cancelled");
		t.same(result.tokens, [3, 3, 1, 2, 2]);
		t.equal(result.logp.length, 4);
	},
);

t.test("cancelling ends the search between two steps", async (t) => {
	let asked = 0;
	const { result, rows } = await search(tempting, {
		cancelled: () => ++asked > 1,
	});
	t.equal(result, "cancelled");
	t.equal(rows.length, 1);
});

function randomModel(random: () => number): Model {
	const table = new Map<string, readonly number[]>();
	return (text) => {
		const key = text.join();
		let next = table.get(key);
		if (next === undefined) {
			const weights = Array.from({ length: 5 }, () => random() ** 3 + 1e-3);
			const sum = weights.reduce((a, b) => a + b);
			next = weights.map((weight) => Math.log(weight / sum));
			table.set(key, next);
		}
		return next;
	};
}

/** The best finished text of at most `length` tokens, the end token included. */
function exhaustive(model: Model, length: number, lengthPenalty: number) {
	let best: { tokens: readonly number[]; score: number } | undefined;
	const walk = (text: readonly number[], sum: number) => {
		model(text).forEach((logp, id) => {
			const score = (sum + logp) / (text.length + 1) ** lengthPenalty;
			if (id === options.endOfText) {
				if (best === undefined || score > best.score)
					best = { tokens: text, score };
			} else if (text.length + 1 < length) walk([...text, id], sum + logp);
		});
	};
	walk([], 0);
	return best as { tokens: readonly number[]; score: number } | undefined;
}
