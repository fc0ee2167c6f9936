/**
 * How a text's bytes are compared with a hotword's: without regard to case, spaces, hyphens and apostrophes, but with the borders of words that are
 * written in letters, so that "art" is not found in "party". Bytes and not tokens, because one word has many tokenisations (with and without the space
 * before it, in every case, cut anywhere, a token reaching over its end) and but one spelling in bytes.
 */
import { wordBegin, wordEnd } from "./byte-trie.js";

/** What a byte says, given whether a word of letters is open. */
export interface Spelled {
	/** `wordEnd` of the word that was open, or `wordBegin`; -1: neither. */
	readonly border: number;
	/** -1: nothing. */
	readonly symbol: number;
	readonly inWord: boolean;
}

/** All answers, by byte and whether a word is open: the search asks for some thousand a step. */
const answers: readonly Spelled[] = [false, true].flatMap((inWord) =>
	Array.from({ length: 256 }, (_, byte) => answerFor(byte, inWord)),
);

export function spellByte(byte: number, inWord: boolean): Spelled {
	return answers[inWord ? 256 + byte : byte] as Spelled;
}

/** A whole text's symbols. */
export function spell(bytes: Uint8Array): number[] {
	const path: number[] = [];
	let inWord = false;
	for (const byte of bytes) {
		const spelled = spellByte(byte, inWord);
		if (spelled.border >= 0) path.push(spelled.border);
		if (spelled.symbol >= 0) path.push(spelled.symbol);
		inWord = spelled.inWord;
	}
	if (inWord) path.push(wordEnd);
	return path;
}

function answerFor(byte: number, inWord: boolean): Spelled {
	const character = String.fromCharCode(byte);
	if (character === "'") return { border: -1, symbol: -1, inWord };
	if (byte >= 0x80 && byte < 0xc0) return { border: -1, symbol: byte, inWord }; // goes on a character
	const opens = isLetter(byte, character);
	const symbol =
		byte <= 0x20 || character === "-"
			? -1
			: byte < 0x80
				? character.toLowerCase().charCodeAt(0)
				: byte;
	const border = opens === inWord ? -1 : opens ? wordBegin : wordEnd;
	return { border, symbol, inWord: opens };
}

/** Letters and digits of scripts that part words by spaces: ASCII, and U+00C0 to U+07FF by their first byte. */
function isLetter(byte: number, character: string): boolean {
	return /[0-9A-Za-z]/.test(character) || (byte >= 0xc3 && byte < 0xe0);
}
