/**
 * The syllables by which a hotword is found. A dictionary of readings knows those of words; of names it only guesses, and mostly wrong where a surname is
 * read otherwise than elsewhere (曾, 查, 单, 朴). So characters that are in no word of the lexicon count in each of their readings.
 */
import { surnameSyllable } from "../../text/zh/pinyin.js";
import type { Lexicon } from "../../text/zh/word-source.js";

export interface LatticeHotword {
	/** Simplified, one character a syllable. */
	readonly text: string;
	/** As the word is mostly read; toneless, ü as "v". */
	readonly syllables: readonly string[];
}

/** Of one hotword: more are found by some of their readings only. */
const sequencesMax = 8;
/** Two characters that are a likelier word are no name: 单位, 解放. */
const nameLogpMax = -13;

/** @returns sequences of syllable numbers, the one that fits the word first; none where the lexicon has not all of its syllables. */
export function hotwordReadings(
	{ text, syllables }: LatticeHotword,
	lexicon: Lexicon,
): number[][] {
	const fitting = syllables.map((name) => lexicon.syllableNumber(name));
	if (fitting.some((number) => number < 0)) return [];
	const isInWord = charactersInWords(text, lexicon);
	let sequences: number[][] = [[]];
	fitting.forEach((number, i) => {
		const character = text.charAt(i);
		const readings = new Set([number]);
		if (!isInWord[i])
			for (const { syllable } of lexicon.readings(character))
				readings.add(syllable);
		else if (i === 0 && mayBeName(text, lexicon)) {
			const surname = lexicon.syllableNumber(surnameSyllable(character));
			if (surname >= 0) readings.add(surname);
		}
		sequences = Array.from(readings)
			.flatMap((it) => sequences.map((before) => [...before, it]))
			.slice(0, sequencesMax);
	});
	return sequences;
}

/** By character: whether it is in a word of several characters, whose reading is known. */
function charactersInWords(text: string, lexicon: Lexicon): boolean[] {
	const isInWord = Array.from(text, () => false);
	for (let from = 0; from < text.length; from++)
		for (let length = 2; from + length <= text.length; length++)
			if (lexicon.wordNumberAt(text, from, length) >= 0)
				isInWord.fill(true, from, from + length);
	return isInWord;
}

function mayBeName(text: string, lexicon: Lexicon): boolean {
	return text.length > 2 || lexicon.logpOf(text) < nameLogpMax;
}
