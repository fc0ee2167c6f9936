/**
 * Ranks a text's phrases by frequency and importance: FLR (Nakagawa and Mori 2003), a method of Japanese term extraction. A word is important if
 * it forms compounds with many others; a phrase scores its frequency on its own times the geometric mean of its words' importance.
 */
import { fold } from "./keyword-matcher.js";
import type { Phrase } from "./phrases.js";

export interface RankedPhrase {
	/** In its most frequent spelling. */
	readonly text: string;
	readonly frequency: number;
	/** Geometric mean, at least 1. */
	readonly importance: number;
}

interface Count {
	frequency: number;
	readonly parts: readonly string[];
	readonly spellings: Map<string, number>;
}

/** @returns best first; of equals the one that came first. */
export function rankPhrases(phrases: Iterable<Phrase>): RankedPhrase[] {
	const counts = new Map<string, Count>();
	const leftOf = new Map<string, number>(); // how often a word has a left neighbour in a phrase
	const rightOf = new Map<string, number>();
	for (const { text, parts } of phrases) {
		const key = fold(text);
		const count = counts.get(key) ?? {
			frequency: 0,
			parts,
			spellings: new Map(),
		};
		count.frequency++;
		add(count.spellings, text);
		counts.set(key, count);
		parts.forEach((part, i) => {
			if (i > 0) add(leftOf, part);
			if (i < parts.length - 1) add(rightOf, part);
		});
	}
	const ranked = [...counts.values()].map(({ frequency, parts, spellings }) => {
		let logs = 0;
		for (const part of parts)
			logs +=
				Math.log((leftOf.get(part) ?? 0) + 1) +
				Math.log((rightOf.get(part) ?? 0) + 1);
		const importance = Math.exp(logs / (2 * parts.length));
		return { text: commonest(spellings), frequency, importance };
	});
	return ranked.sort(
		(a, b) => b.frequency * b.importance - a.frequency * a.importance,
	);
}

function add(counts: Map<string, number>, key: string): void {
	counts.set(key, (counts.get(key) ?? 0) + 1);
}

function commonest(spellings: ReadonlyMap<string, number>): string {
	let best = "";
	let most = 0;
	for (const [spelling, count] of spellings)
		if (count > most) {
			best = spelling;
			most = count;
		}
	return best;
}
