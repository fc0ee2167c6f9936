/**
 * How likely a text is as a sequence of words: the log-probability of its best segmentation.
 */

import { isNumeral } from "../../text/zh/numerals.js";
import {
	type Lexicon,
	wordLengthMax,
	wordLogpMin,
} from "../../text/zh/word-source.js";
import { isHan } from "./spoken-text.js";
import { foreignLogp } from "./word-edges.js";

const noWord = Number.NEGATIVE_INFINITY;
/** Longer numbers are several. */
const numberLengthMax = 16;

/** Words that the lexicon need not have. */
export interface FurtherWords {
	/** Natural log-probability; -Infinity for a text that is none of them. */
	logpOf(text: string): number;
	/** Characters of the longest word that begins with a character; 0 if none does. */
	longestFrom(first: string): number;
}

/** @param units characters, and words in other scripts. @returns a natural log-probability; a character that is no word counts `wordLogpMin`. */
export function segmentationLogp(
	units: readonly string[],
	lexicon: Lexicon,
	further?: FurtherWords,
): number {
	let logp = 0;
	let from = 0;
	for (let at = 0; at <= units.length; at++) {
		const unit = units[at];
		if (unit !== undefined && isHan(unit)) continue;
		if (at > from) logp += runLogp(units.slice(from, at), lexicon, further);
		if (unit !== undefined) logp += foreignLogp;
		from = at + 1;
	}
	return logp;
}

/** Of a number of two characters or more: words of a dictionary say little about numbers. Each character is one of about ten. */
function numberLogp(length: number): number {
	return foreignLogp - Math.LN10 * length;
}

/** How many characters from a position on may be one number. */
function numeralsAt(text: string, from: number): number {
	let to = from;
	while (to < text.length && to - from < numberLengthMax && isNumeral(text[to]))
		to++;
	return to - from;
}

/** @param characters Chinese ones. One best segmentation up to each place is kept. */
function runLogp(
	characters: readonly string[],
	lexicon: Lexicon,
	further: FurtherWords | undefined,
): number {
	const text = characters.join("");
	const best = new Float64Array(text.length + 1).fill(Number.NEGATIVE_INFINITY);
	best[0] = 0;
	for (let from = 0; from < text.length; from++) {
		const longest = Math.min(wordLengthMax, text.length - from);
		const furtherMax = further?.longestFrom(text.charAt(from)) ?? 0;
		for (let length = 1; length <= longest; length++) {
			const word = lexicon.wordNumberAt(text, from, length);
			const other =
				word < 0 && length <= furtherMax
					? (further?.logpOf(text.slice(from, from + length)) ?? noWord)
					: noWord;
			if (word < 0 && other === noWord && length > 1) continue;
			const logp =
				word < 0 ? Math.max(wordLogpMin, other) : lexicon.wordLogp(word);
			const sum = (best[from] as number) + logp;
			if (sum > (best[from + length] as number)) best[from + length] = sum;
		}
		const digits = numeralsAt(text, from);
		for (let length = 2; length <= digits; length++) {
			const sum = (best[from] as number) + numberLogp(length);
			if (sum > (best[from + length] as number)) best[from + length] = sum;
		}
	}
	return best[text.length] as number;
}
