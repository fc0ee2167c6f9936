/**
 * The capital letter of a sentence that was recognized by itself: behind a pause a recognizer may write what follows as if the sentence went on ("for your country.
 * ask what you can do"), though it has ended the one before.
 */
import type { Edit } from "./edits.js";
import { isCjk } from "./marks.js";
import { titles } from "./titles.js";

/** Their point may be within a sentence. */
const abbreviations = new Set([...titles, "vs", "etc"]);
/** In small letters, alone or before another word: names like iPhone and mp3 stay as they are. */
const smallWord =
	/^["“‘(]?(\p{Ll})\p{Ll}*(?=['’]\p{Ll}|,? \p{Script=Latin}|[,.?!]?\s*$)/u;

/** @param before what was written before the text, with its marks. @returns at most one edit. */
export function startSentence(text: string, before: string): readonly Edit[] {
	const found = smallWord.exec(text);
	if (!found || !hasEnded(before) || !hasNoCjk(firstSentence(text))) return [];
	const letter = found[1] as string;
	const from = found[0].indexOf(letter);
	return [{ from, to: from + letter.length, text: letter.toUpperCase() }];
}

/** Not behind "p.m." and "U.S.", which may go on, and dots of hesitation. */
function hasEnded(before: string): boolean {
	const bare = before.trimEnd().replace(/["”’)]+$/u, "");
	if (/[。？！?!]$/u.test(bare)) return true;
	const word = /(?:^|[^\p{L}\p{N}.])([\p{L}\p{N}'’-]+)\.$/u.exec(bare)?.[1];
	return (
		word !== undefined &&
		!abbreviations.has(word) &&
		!/^(?!I)\p{L}$/u.test(word)
	);
}

function firstSentence(text: string): string {
	return /^[^.?!。？！]*/u.exec(text)?.[0] ?? "";
}

function hasNoCjk(sentence: string): boolean {
	return ![...sentence].some(isCjk);
}
