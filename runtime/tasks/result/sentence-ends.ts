/**
 * Finds the ends of sentences within an utterance: after marks that end a sentence, except the points of abbreviations, dots of hesitation and quotes inside a
 * sentence.
 */

import type { PlacedWord } from "../../text/edits.js";
import type { Language } from "../../text/languages.js";
import { isJapanese } from "../../text/languages.js";

const abbreviation =
	/(?:^|[^\p{L}])(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Rev|Gen|Capt|Lt|Col|Sgt|Hon|Mt|Ft|No|Nos|Vol|Fig|vs|etc|approx|e\.g|i\.e|\p{Lu})$/u;
/** Including the character before it. */
const abbreviationCharactersMax = 12;

/** @param text up to the point, without it. */
export function isAbbreviation(text: string): boolean {
	return abbreviation.test(text.slice(-abbreviationCharactersMax));
}

const closing = /^[”’"'」』）)\]】》]+$/u;

/** @returns for each sentence the number one past its last word; the last is the number of words. */
export function sentenceEnds(
	text: string,
	words: readonly PlacedWord[],
	language: Language,
): number[] {
	const ends: number[] = [];
	for (let i = 0; i < words.length; i++) {
		if (!endsAt(text, words, i, language)) continue;
		while (i + 1 < words.length && isClosing(text, words, i + 1)) i++;
		if (i + 1 < words.length) ends.push(i + 1);
	}
	if (words.length > 0) ends.push(words.length);
	return ends;
}

function endsAt(
	text: string,
	words: readonly PlacedWord[],
	i: number,
	language: Language,
): boolean {
	const word = words[i] as PlacedWord;
	if (word.kind !== "punc" && !/[。？！?!]/u.test(text[word.to - 1] as string))
		return false;
	const marks = text.slice(word.from, word.to);
	const next = words[i + 1];
	const behind = next ? text.slice(next.from, next.from + 8) : "";
	// 「本当？」と聞いた: quoted inside a sentence
	if (isJapanese(language) && /[」』]$|^[」』]/u.test(marks))
		return /[。？！?!]$/u.test(marks);
	if (isJapanese(language) && /^[」』]/u.test(behind)) return false;
	if (/[。？！?!]/u.test(marks)) return startsSentence(behind, marks);
	if (/…/u.test(marks)) return /^\p{Lu}/u.test(behind);
	if (!marks.includes(".")) return false;
	if (isAbbreviation(text.slice(0, word.from)) && isLatin(behind)) return false;
	// 3.5 and node.js are words; "…" may be three points
	if (/\.\.+/.test(marks)) return /^\p{Lu}/u.test(behind);
	return /^["'“‘(]?[\p{Lu}\p{N}\p{Lo}]/u.test(behind);
}

/** "Really?" he said: lower case continues the sentence. */
function startsSentence(behind: string, marks: string): boolean {
	return /[。]/u.test(marks) || !/^["'”’]?\s*\p{Ll}/u.test(behind);
}

function isClosing(
	text: string,
	words: readonly PlacedWord[],
	i: number,
): boolean {
	const { from, to } = words[i] as PlacedWord;
	const leans = words[i - 1]?.to === from; // an opening quote has a space before it
	return leans && closing.test(text.slice(from, to));
}

function isLatin(text: string): boolean {
	return /^\p{Script=Latin}/u.test(text);
}
