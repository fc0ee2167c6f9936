/**
 * Forbidden words (`forbidden_words_id`): each character of one is written as `*`, spaces inside it stay. The last step of all, so that nothing brings a
 * word back. Every character is an edit of its own: words keep their borders and times.
 */
import type { WordList } from "../words/word-list.js";
import type { Edit } from "./edits.js";
import { Phrases } from "./phrases.js";

const compiled = new WeakMap<WordList, Phrases<true>>();
/** What a reader takes for one character may be several code points. */
const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** @param list of words; compiled once. */
export function mask(text: string, list: WordList): Edit[] {
	return forbiddenOf(list)
		.find(text)
		.flatMap(({ from, to }) => maskSpan(text.slice(from, to), from));
}

export function forbiddenOf(list: WordList): Phrases<true> {
	const known = compiled.get(list);
	if (known) return known;
	const phrases = new Phrases<true>();
	for (const entry of list.entries) phrases.add(entry.trim(), true);
	compiled.set(list, phrases);
	return phrases;
}

function maskSpan(word: string, at: number): Edit[] {
	return [...graphemes.segment(word)]
		.filter(({ segment }) => segment.trim() !== "")
		.map(({ segment, index }) => ({
			from: at + index,
			to: at + index + segment.length,
			text: "*",
		}));
}
