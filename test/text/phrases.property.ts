/** Phrases in texts of four letters, compared with an exhaustive search. */
import assert from "node:assert/strict";
import { Phrases } from "../../runtime/text/phrases.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random } from "../fuzz/random.js";

const lettersMax = 4;

interface Case {
	readonly entries: readonly string[];
	readonly text: string;
}

export const foundAsByTrying = (): Property<Case> => ({
	name: "text/phrases",
	promise: "what is found is what a plain search finds",
	draw(random) {
		const entries = Array.from({ length: 1 + below(random, 12) }, () =>
			some(random, 1 + below(random, lettersMax)),
		);
		return { entries, text: some(random, below(random, 14)) };
	},
	check({ entries, text }) {
		const phrases = new Phrases<string>();
		for (const it of entries) phrases.add(it, it);
		assert.deepEqual(
			phrases.find(text).map(({ from, value }) => ({ from, value })),
			tried(entries, text),
		);
		const open = [...text].findIndex((_, at) =>
			entries.some(
				(it) => it.length > text.length - at && it.startsWith(text.slice(at)),
			),
		);
		assert.equal(phrases.openFrom(text), open < 0 ? text.length : open);
	},
});

/** The longest first, from the left. */
function tried(entries: readonly string[], text: string) {
	const free = [...text].map(() => true);
	const found: { from: number; value: string }[] = [];
	for (let length = lettersMax; length > 0; length--)
		for (let from = 0; from + length <= text.length; from++) {
			const value = text.slice(from, from + length);
			if (!entries.includes(value)) continue;
			if (free.slice(from, from + length).includes(false)) continue;
			free.fill(false, from, from + length);
			found.push({ from, value });
		}
	return found.sort((a, b) => a.from - b.from);
}

function some(random: Random, length: number): string {
	return Array.from({ length }, () => pick(random, [..."甲乙丙丁"])).join("");
}
