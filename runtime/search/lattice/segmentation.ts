/**
 * How likely a text is as a sequence of words: the log-probability of its best segmentation.
 */

import { isNumeral } from "../../text/zh/numerals.js";
import {
	type Lexicon,
	wordLengthMax,
	wordLogpMin,
} from "../../text/zh/word-source.js";
import { type LanguageModel, unigram } from "./language-model.js";
import { isHan } from "./spoken-text.js";
import { foreignLogp } from "./word-edges.js";

/** Segmentations up to one place that are continued; one is enough for a model of single words. */
const beam = 8;

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

interface Segmentation {
	readonly logp: number;
	readonly state: number;
}

/** @param units characters, and words in other scripts. @returns a natural log-probability; a character that is no word counts `wordLogpMin`. */
export function segmentationLogp(
	units: readonly string[],
	lexicon: Lexicon,
	model: LanguageModel = unigram,
	further?: FurtherWords,
): number {
	let logp = 0;
	let from = 0;
	for (let at = 0; at <= units.length; at++) {
		const unit = units[at];
		if (unit !== undefined && isHan(unit)) continue;
		if (at > from)
			logp += runLogp(units.slice(from, at), lexicon, model, further);
		if (unit !== undefined) logp += foreignLogp;
		from = at + 1;
	}
	return logp;
}

/** @param characters Chinese ones. */
function runLogp(
	characters: readonly string[],
	lexicon: Lexicon,
	model: LanguageModel,
	further: FurtherWords | undefined,
): number {
	if (model === unigram) return unigramLogp(characters, lexicon, further);
	const found: Segmentation[][] = characters.map(() => []);
	found.push([]);
	const text = characters.map((it) => it.charAt(0)).join("");
	found[0]?.push({ logp: 0, state: model.start });
	for (let from = 0; from < characters.length; from++) {
		const before = bestOf(found[from] as Segmentation[]);
		const longest = Math.min(wordLengthMax, characters.length - from);
		let word = "";
		for (let length = 1; length <= longest; length++) {
			word += characters[from + length - 1];
			const other = further?.logpOf(word) ?? Number.NEGATIVE_INFINITY;
			const isWord = lexicon.wordNumber(word) >= 0 || other > wordLogpMin;
			if (length > 1 && !isWord) continue;
			const own = Math.max(lexicon.logpOf(word), other);
			for (const { logp, state } of before)
				found[from + length]?.push({
					logp: logp + Math.max(wordLogpMin, model.logp(state, word, own)),
					state: model.next(state, word),
				});
		}
		const digits = numeralsAt(text, from);
		for (let length = 2; length <= digits; length++)
			for (const { logp } of before)
				found[from + length]?.push({
					logp: logp + numberLogp(length),
					state: model.start,
				});
	}
	return bestOf(found.at(-1) as Segmentation[])[0]?.logp ?? 0;
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

/** The same for single words: one best segmentation up to each place. */
function unigramLogp(
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

/** The best first, one of each state. */
function bestOf(segmentations: readonly Segmentation[]): Segmentation[] {
	const sorted = [...segmentations].sort((one, other) => other.logp - one.logp);
	const states = new Set<number>();
	const best: Segmentation[] = [];
	for (const it of sorted) {
		if (states.has(it.state)) continue;
		states.add(it.state);
		best.push(it);
		if (best.length === beam) break;
	}
	return best;
}
