/**
 * Forced corrections (`correction_words_id`): what a vocabulary calls wrong is written right, whatever the recognizer heard. After everything but the
 * forbidden words. A vocabulary is applied once, to the text as it stands: what it wrote is not corrected again by the same vocabulary.
 */
import { parseCorrection } from "../words/correction.js";
import type { WordList } from "../words/word-list.js";
import type { Edit } from "./edits.js";
import { Phrases } from "./phrases.js";

const compiled = new WeakMap<WordList, Phrases<string>>();

/** @param list of entries `wrong|wrong2,right`; compiled once. */
export function correct(text: string, list: WordList): Edit[] {
	return correctionsOf(list)
		.find(text)
		.filter(({ from, to, value }) => text.slice(from, to) !== value)
		.map(({ from, to, value }) => ({ from, to, text: value }));
}

export function correctionsOf(list: WordList): Phrases<string> {
	const known = compiled.get(list);
	if (known) return known;
	const phrases = new Phrases<string>();
	for (const entry of list.entries) {
		const { wrong, right } = parseCorrection(entry);
		for (const one of wrong) phrases.add(one, right);
	}
	compiled.set(list, phrases);
	return phrases;
}
