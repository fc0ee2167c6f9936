/** Searches of toy decoders that are small enough to try every text. */
import assert from "node:assert/strict";
import type { Property } from "../fuzz/property.js";
import { below, pick } from "../fuzz/random.js";
import { toyModel } from "./toy-model.js";
import { type Model, options, search } from "./toy-search.js";

interface Case {
	readonly modelSeed: number;
	/** Without a penalty a sum only decreases: hypotheses that are open when the search stops can't win any more. */
	readonly lengthPenalty: 0 | 1;
}

export const bestOfAllWins = (): Property<Case> => ({
	name: "search/beam",
	promise: "with a beam as wide as the tree the best finished text wins",
	draw: (random) => ({
		modelSeed: below(random, 2 ** 32),
		lengthPenalty: pick(random, [0, 1] as const),
	}),
	async check({ modelSeed, lengthPenalty }) {
		const next = toyModel(modelSeed, 5);
		const model: Model = (text) => next(text.join());
		const { result } = await search(model, {
			beam: 64,
			tokensMax: 3,
			lengthPenalty,
		});
		assert.notEqual(result, "cancelled");
		if (result === "cancelled") return;
		const lengthMax = lengthPenalty === 0 ? 3 : result.steps;
		const best = exhaustive(model, lengthMax, lengthPenalty);
		const found = `${result.score}, ${best?.score}`;
		if (result.why === "length") {
			assert.ok(!best || result.score > best.score, found);
			return;
		}
		assert.ok(best && Math.abs(result.score - best.score) < 1e-6, found);
		assert.deepEqual(result.tokens, best?.tokens);
	},
});

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
