/**
 * Where keywords stand in a transcript: in the text of each sentence, in any case, Latin ones as whole words. What a keyword covers knows its number;
 * where one keyword lies within another the longer one counts.
 */
import type { ResultKeyword } from "./result.js";
import type { Sentence } from "./sentence.js";
import { timeCode } from "./time-code.js";

interface Place {
	readonly beginMs: number;
	readonly endMs: number;
}

export class KeywordPlaces {
	readonly #keywords: readonly string[];
	/** Numbers of keywords by their first character, the longest first. */
	readonly #byStart = new Map<string, { index: number; folded: string }[]>();
	readonly #places: Place[][];

	/** @param keywords best first. */
	constructor(keywords: readonly string[]) {
		this.#keywords = keywords;
		this.#places = keywords.map(() => []);
		keywords.forEach((keyword, i) => {
			const folded = fold(keyword);
			const start = folded[0];
			if (start === undefined) return;
			const same = this.#byStart.get(start) ?? [];
			same.push({ index: i + 1, folded });
			same.sort((a, b) => b.folded.length - a.folded.length);
			this.#byStart.set(start, same);
		});
	}

	/** The same sentence; its words know the keyword that they are a part of. */
	mark(sentence: Sentence): Sentence {
		if (this.#keywords.length === 0) return sentence;
		const found = this.#find(sentence.text);
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
			this.#places[index - 1]?.push({ beginMs, endMs });
			covered.forEach((word, i) => {
				if (word.kind !== "punc" && word.keyword === undefined)
					words[first + i] = { ...word, keyword: index };
			});
		}
		return { ...sentence, words };
	}

	/** What was found in all that was marked; a keyword keeps its number, whether it was found or not. */
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

	#find(text: string): { index: number; from: number; to: number }[] {
		const folded = fold(text);
		const found = [];
		for (let at = 0; at < folded.length; ) {
			const hit = this.#byStart
				.get(folded[at] as string)
				?.find(
					(it) =>
						folded.startsWith(it.folded, at) && isWhole(folded, at, it.folded),
				);
			if (!hit) {
				at++;
				continue;
			}
			const to = at + hit.folded.length;
			found.push({ index: hit.index, from: at, to });
			at = to;
		}
		return found;
	}
}

/** In any case; characters that change their length with it stay as they are, so that places stay. */
function fold(text: string): string {
	const lower = text.toLowerCase();
	return lower.length === text.length ? lower : text;
}

const latin = /[\p{Script=Latin}\p{N}]/u;

/** AI is none in PAID. */
function isWhole(text: string, from: number, word: string): boolean {
	const to = from + word.length;
	const opens =
		latin.test(word[0] as string) && latin.test(text[from - 1] ?? " ");
	const closes =
		latin.test(word.at(-1) as string) && latin.test(text[to] ?? " ");
	return !opens && !closes;
}
