/**
 * Forbidden words (`forbidden_words_id`): each character of a match becomes `*`, spaces inside it stay. Of words that overlap, in one list or in several, none
 * keeps a character. The last step, so that no other step can restore a word. Every character is a separate edit: words keep their borders and times.
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

export function mask(text: string, lists: readonly WordList[]): Edit[] {
	const covered = new Uint8Array(text.length);
	for (const list of lists) compiledForbidden.of(list).cover(text, covered);
	const edits: Edit[] = [];
	for (let to = 0; ; ) {
		const from = covered.indexOf(1, to);
		if (from < 0) return edits;
		to = covered.indexOf(0, from);
		if (to < 0) to = text.length;
		for (const edit of maskSpan(text.slice(from, to), from)) edits.push(edit);
	}
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
