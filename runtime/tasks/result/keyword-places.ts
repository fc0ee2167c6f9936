/** Finds keywords in the text of each sentence, and when they were spoken. Words covered by a keyword get its number. */
import { KeywordMatcher } from "../../text/keywords/keyword-matcher.js";
import type { ResultKeyword } from "./result.js";
import type { Sentence } from "./sentence.js";
import { timeCode } from "./time-code.js";

interface Place {
	readonly beginMs: number;
	readonly endMs: number;
}

export class KeywordPlaces {
	readonly #keywords: readonly string[];
	readonly #matcher: KeywordMatcher;
	readonly #places: Place[][];

	/** @param keywords best first. */
	constructor(keywords: readonly string[]) {
		this.#keywords = keywords;
		this.#places = keywords.map(() => []);
		this.#matcher = new KeywordMatcher(keywords);
	}

	/** @returns the sentence with the keyword numbers of its words. */
	mark(sentence: Sentence): Sentence {
		if (this.#keywords.length === 0) return sentence;
		const found = this.#matcher.find(sentence.text);
		if (found.length === 0) return sentence;
		const words = [...sentence.words];
		let at = 0;
		for (const { index, from, to } of found) {
			while (at < words.length && (words[at]?.to ?? 0) <= from) at++;
			const first = at;
			let end = at;
			while (end < words.length && (words[end]?.from ?? 0) < to) end++;
			const covered = words.slice(first, end);
			const beginMs = covered[0]?.startMs;
			const endMs = covered.at(-1)?.endMs;
			if (beginMs === undefined || endMs === undefined) continue;
			this.#places[index]?.push({ beginMs, endMs });
			covered.forEach((word, i) => {
				if (word.kind !== "punc" && word.keyword === undefined)
					words[first + i] = { ...word, keyword: index + 1 };
			});
		}
		return { ...sentence, words };
	}

	/** @returns all keywords with the places found so far; a keyword keeps its number even without places. */
	found(): ResultKeyword[] {
		return this.#keywords.map((word, i) => {
			const places = this.#places[i] as Place[];
			return {
				index: i + 1,
				word,
				words: word,
				frequency: places.length,
				time: places
					.toSorted((a, b) => a.beginMs - b.beginMs)
					.map(({ beginMs, endMs }) => ({
						begin: timeCode(beginMs),
						end: timeCode(endMs),
					})),
			};
		});
	}
}
