/**
 * Finds the ends of sentences within an utterance: after marks that end a sentence, except the points of abbreviations, dots of hesitation and quotes inside a
 * sentence.
 */

import type { PlacedWord } from "../../text/edits.js";
import type { Language } from "../../text/languages.js";
import { isJapanese } from "../../text/languages.js";
import { titles } from "../../text/titles.js";

/** Before a name or another word: "Mr.", "St.", the initial of a name; but "I." ends a sentence, unless it is part of "A.I.". */
const abbreviation = new RegExp(
	`(?:^|[^\\p{L}])(?:${titles.join("|")}|vs|e\\.g|i\\.e|(?!I)\\p{Lu}|(?<=\\.)I)$`,
	"u",
);
/** Before a number: "No. 5"; "No. I know." is two sentences. */
const numbered =
	/(?:^|[^\p{L}])(?:Nos?|Vols?|Figs?|Op|Ch|Sec|Pt|Ep|pp?|approx|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)$/u;
/** 8 p.m. Eastern, 9 a.m. Monday. */
const hour = /(?:^|[^\p{L}])[ap]\.m$/u;
const behindHour =
	/^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Eastern|Central|Mountain|Pacific|[ECMP][SD]?T|GMT|UTC)\b/u;
/** Including the character before it. */
const abbreviationCharactersMax = 12;
/** "Wednesday", and what ends it. */
const behindCharactersMax = 10;

/** @param before text up to the point, without it. @param behind what follows it, without spaces. */
export function isAbbreviation(before: string, behind: string): boolean {
	const end = before.slice(-abbreviationCharactersMax);
	if (/^\p{Sc}?\p{N}/u.test(behind)) return numbered.test(end);
	if (behindHour.test(behind) && hour.test(end)) return true;
	return isLatin(behind) && abbreviation.test(end);
}

/** What may follow the mark that ends a sentence, as part of it: 真的？！, "Go!" */
const closing = /^[”’"'」』）)\]】》。？！?!]+$/u;

/** @returns for each sentence the number one past its last word; the last is the number of words. */
export function sentenceEnds(
	text: string,
	words: readonly PlacedWord[],
	language: Language,
): number[] {
	const ends: number[] = [];
	let isSpoken = false; // marks alone ("...And then") are no sentence
	for (let i = 0; i < words.length; i++) {
		isSpoken ||= words[i]?.kind !== "punc";
		if (!isSpoken || !endsAt(text, words, i, language)) continue;
		while (i + 1 < words.length && isClosing(text, words, i + 1)) i++;
		if (i + 1 === words.length) break;
		ends.push(i + 1);
		isSpoken = false;
	}
	if (!isSpoken) ends.pop(); // they belong to the sentence before
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
	const behind = next
		? text.slice(next.from, next.from + behindCharactersMax)
		: "";
	// 「本当？」と聞いた: quoted inside a sentence
	if (isJapanese(language) && /[」』]$|^[」』]/u.test(marks))
		return /[。？！?!]$/u.test(marks);
	if (isJapanese(language) && /^[？！?!]*[」』]/u.test(behind)) return false;
	if (/[。？！?!]/u.test(marks)) return startsSentence(behind, marks);
	if (/…/u.test(marks)) return /^\p{Lu}/u.test(behind);
	if (!marks.includes(".")) return false;
	if (isAbbreviation(text.slice(0, word.from), behind)) return false;
	// 3.5 and node.js are words; "…" may be three points
	if (/\.\.+/.test(marks)) return /^\p{Lu}/u.test(behind);
	return /^(?:["'“‘(]?[\p{Lu}\p{N}\p{Lo}\p{Sc}]|[-–—] ?\p{Lu})/u.test(behind);
}

/** "Really?" he said: lower case continues the sentence, but not after Chinese and Japanese marks (真的吗？ok). */
function startsSentence(behind: string, marks: string): boolean {
	return /[。？！]/u.test(marks) || !/^["'”’]?\s*\p{Ll}/u.test(behind);
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
