/**
 * Forced corrections (`correction_words_id`): replaces each wrong form in a vocabulary with the right one. Runs after all other steps except the
 * forbidden words. A vocabulary is applied once, to the text as it is: its own replacements are not corrected again by the same vocabulary.
 */
import { CompiledLists } from "../words/compiled-lists.js";
import { parseCorrection } from "../words/correction.js";
import type { WordList } from "../words/word-list.js";
import type { Edit } from "./edits.js";
import { Phrases } from "./phrases.js";

/** Compiled from entries `wrong|wrong2,right`. */
export const compiledCorrections = new CompiledLists(({ entries }) =>
	Phrases.compiling(wrongForms(entries)),
);

export function correct(text: string, list: WordList): Edit[] {
	return compiledCorrections
		.of(list)
		.find(text)
		.filter(({ from, to, value }) => text.slice(from, to) !== value)
		.map(({ from, to, value }) => ({ from, to, text: value }));
}

function* wrongForms(
	entries: readonly string[],
): Generator<[phrase: string, value: string]> {
	for (const entry of entries) {
		const { wrong, right } = parseCorrection(entry);
		for (const one of wrong) yield [one, right];
	}
}
