/**
 * What a lattice of syllables needs to know of the words of Chinese: which words a sequence of syllables may be, how likely each is, and how
 * characters are read. `lexicon.ts` implements it over a file; hotwords are a second source of words.
 */

/** Words by their syllables: a trie whose edges are syllable numbers of the lexicon. Word numbers count from 0. */
export interface WordSource {
	/** Node of the empty sequence. */
	readonly root: number;
	/** @returns the node behind a syllable, or -1. */
	child(node: number, syllable: number): number;
	/** The words that end at a node are `wordFrom(node)` up to `wordTo(node)` (exclusive), the most likely first. */
	wordFrom(node: number): number;
	wordTo(node: number): number;
	/** One character a syllable, each a single UTF-16 unit. */
	wordText(word: number): string;
	/** UTF-16 unit `index` of `wordText(word)`. */
	wordUnit(word: number, index: number): number;
	/** Natural log-probability of the word among all words. */
	wordLogp(word: number): number;
}

/** A way to pronounce a character. */
export interface Reading {
	/** Number of the toneless syllable. */
	readonly syllable: number;
	/** 1 to 5 (5 neutral). */
	readonly tone: number;
}

export interface Lexicon extends WordSource {
	/** Toneless, by number; ü is "v". */
	readonly syllables: readonly string[];
	/** @returns -1 for an unknown syllable. */
	syllableNumber(syllable: string): number;
	/** All readings of a character, the most common first; none if it is no Chinese character, or nobody knows how to read it. */
	readings(character: string): readonly Reading[];
	/** Tones of a character (UTF-16 unit) in one of its syllables: bit `t` stands for tone `t`; 0 if it is not read so. */
	tonesOf(unit: number, syllable: number): number;
	/** @returns the number of a word with this text, or -1. */
	wordNumber(text: string): number;
	/** The same for a part of a text. */
	wordNumberAt(text: string, from: number, length: number): number;
	/** Natural log-probability of a word; `wordLogpMin` for an unknown one. */
	logpOf(text: string): number;
}

/** No word is less likely: a rare word must not cost more than a wrong one. Natural log-probability. */
export const wordLogpMin = -16;

/** Length of the longest word, in characters. */
export const wordLengthMax = 8;
