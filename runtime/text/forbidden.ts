/**
 * Forbidden words (`forbidden_words_id`): each character of a match becomes `*`, spaces inside it stay. The last step, so that no other step can restore
 * a word. Every character is a separate edit: words keep their borders and times.
 */
import { CompiledLists } from "../words/compiled-lists.js";
import type { WordList } from "../words/word-list.js";
import type { Edit } from "./edits.js";
import { Phrases } from "./phrases.js";

export const compiledForbidden = new CompiledLists(({ entries }) =>
	Phrases.compiling(wordsOf(entries)),
);

/** A user-perceived character may be several code points. Made for the first match: it takes milliseconds. */
let graphemes: Intl.Segmenter | undefined;

export function mask(text: string, list: WordList): Edit[] {
	return compiledForbidden
		.of(list)
		.find(text)
		.flatMap(({ from, to }) => maskSpan(text.slice(from, to), from));
}

function* wordsOf(
	entries: readonly string[],
): Generator<[phrase: string, value: true]> {
	for (const entry of entries) yield [entry.trim(), true];
}

function maskSpan(word: string, at: number): Edit[] {
	graphemes ??= new Intl.Segmenter("und", { granularity: "grapheme" });
	return [...graphemes.segment(word)]
		.filter(({ segment }) => segment.trim() !== "")
		.map(({ segment, index }) => ({
			from: at + index,
			to: at + index + segment.length,
			text: "*",
		}));
}
