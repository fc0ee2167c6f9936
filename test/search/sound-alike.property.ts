/** Words by their sound, compared with an exhaustive search. */
import assert from "node:assert/strict";
import {
	SoundIndex,
	syllableDistance,
} from "../../runtime/search/sound-alike.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random } from "../fuzz/random.js";

const sounds = ["shi", "si", "zhang", "zan", "lin", "ning", "ma", "kou"];

interface Case {
	readonly words: readonly (readonly string[])[];
	readonly text: readonly string[];
}

export const foundAsByComparing = (): Property<Case> => ({
	name: "search/sound-alike",
	promise: "the same words are found by sound as by an exhaustive search",
	draw: (random) => ({
		words: Array.from({ length: 10 }, () => some(random, 2 + below(random, 3))),
		text: some(random, 15),
	}),
	check({ words, text }) {
		const found = indexOf(words)
			.find(text)
			.map((it) => `${it.word} ${it.from}`);
		assert.deepEqual(found.sort(), compared(words, text).sort());
	},
});

function compared(
	words: readonly (readonly string[])[],
	text: readonly string[],
): string[] {
	return words.flatMap((syllables, word) =>
		text.flatMap((_, from) => {
			if (from + syllables.length > text.length) return [];
			const distance = syllables.reduce(
				(sum, one, k) => sum + syllableDistance(one, text[from + k] as string),
				0,
			);
			return distance <= syllables.length / 4 ? [`${word} ${from}`] : [];
		}),
	);
}

function some(random: Random, length: number): string[] {
	return Array.from({ length }, () => pick(random, sounds));
}

export function indexOf(words: readonly (readonly (string | undefined)[])[]) {
	const index = new SoundIndex();
	words.forEach((syllables, word) => {
		index.add(word, syllables);
	});
	return index;
}
