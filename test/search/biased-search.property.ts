/** Any hotwords in searches of any toy decoder. */
import assert from "node:assert/strict";
import type { Property } from "../fuzz/property.js";
import { below, pick } from "../fuzz/random.js";
import { characters, favouring, plainly } from "./toy-biased-search.js";
import { toyModel } from "./toy-model.js";

interface Case {
	readonly modelSeed: number;
	readonly words: readonly string[];
	readonly prefix: readonly number[];
}

export const unsaidHotwordsChangeNothing = (): Property<Case> => ({
	name: "search/hotwords",
	promise: "hotwords that were not spoken change nothing, token for token",
	draw: (random) => ({
		modelSeed: below(random, 2 ** 32),
		words: Array.from({ length: 3 }, () =>
			Array.from({ length: 2 + below(random, 2) }, () =>
				pick(random, characters.slice(0, -1)),
			).join(""),
		),
		prefix: random() < 0.7 ? [] : [0, 1],
	}),
	async check({ modelSeed, words, prefix }) {
		const model = toyModel(modelSeed, characters.length);
		const changed = prefix.length > 0 ? { prefix } : {};
		const plain = await plainly(model, changed);
		const found = await favouring(model, words, 0.7, changed);
		const emitted = found.tokens.slice(prefix.length);
		const text = emitted.map((token) => characters[token]).join("");
		if (words.some((word) => text.includes(word))) return "said";
		assert.deepEqual(found.tokens, plain.tokens);
		assert.deepEqual(found.logp, plain.logp);
		assert.deepEqual([found.score, found.why], [plain.score, plain.why]);
		return "unsaid";
	},
});
