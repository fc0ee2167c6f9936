/**
 * How a text's bytes are compared with a hotword's: ignoring case, spaces, hyphens and apostrophes, but with boundaries of words that are
 * written in letters, so that "art" is not found in "party". Bytes instead of tokens, because a word has many tokenisations (with and without a leading
 * space, in every case, split anywhere, a token extending past its end) but only one spelling in bytes.
 */
import { wordBegin, wordEnd } from "./byte-trie.js";

/** The symbols of a byte, depending on whether a word of letters is open. */
export interface Spelled {
	/** `wordEnd` of the open word, or `wordBegin`; -1: neither. */
	readonly border: number;
	/** -1: none. */
	readonly symbol: number;
	readonly inWord: boolean;
}

/** All results, by byte and whether a word is open: the search looks up about a thousand per step. */
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
	if (byte >= 0x80 && byte < 0xc0) return { border: -1, symbol: byte, inWord }; // continuation byte
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

/** Letters and digits of scripts that separate words by spaces: ASCII, and U+00C0 to U+07FF by their first byte. */
function isLetter(byte: number, character: string): boolean {
	return /[0-9A-Za-z]/.test(character) || (byte >= 0xc3 && byte < 0xe0);
}
