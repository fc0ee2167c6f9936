/**
 * Length of a text in the unit of its language (docs/interface.md section 2.5): words in English; characters in Chinese and Japanese, where a Latin word counts
 * as one and each digit as one. Marks and spaces are not counted; what was masked is (`forbidden_words_id`): a word, or each of its characters.
 */
import { isSpaced, type Language } from "../../text/languages.js";
import { isCjk, isMark } from "../../text/marks.js";

export function countUnits(text: string, language: Language): number {
	return isSpaced(language) ? countWords(text) : countCharacters(text);
}

/** A star alone is a sign (5 * 3): masked words have one for each letter. */
const letterOrMask = /[\p{L}\p{N}]|\*{2}/u;

function countWords(text: string): number {
	return text.split(/\s+/u).filter((it) => letterOrMask.test(it)).length;
}

const latinWord =
	/[\p{Script=Latin}\p{M}]+(?:['’-][\p{Script=Latin}\p{M}]+)*/gu;

function countCharacters(text: string): number {
	let count = 0;
	const rest = text.replace(latinWord, () => {
		count++;
		return " ";
	});
	for (const character of rest)
		if (!/\s/u.test(character) && (isCjk(character) || !isMark(character)))
			count += isMark(character) ? 0 : 1;
	return count;
}
