/**
 * Symbols of byte-level BPE as icefall writes them: each byte of the text is a letter. Printable ASCII is itself; the other bytes are, in order, the letters
 * from U+0100 on, without those that Unicode's compatibility forms (NFKC) would change: PRINTABLE_BASE_CHARS in icefall/byte_utils.py.
 */

const bytes = 256;
const firstLetter = 0x100;
const space = 0x20;
const tilde = 0x7e;
/** Begins a character of three or four bytes, as those of Chinese, Japanese and Korean are. */
const longLead = 0xe0;

const byteOfLetter = lettersOfBytes();

/**
 * @param symbols those with text
 * @returns whether their letters are bytes: all are in the table, and one of them begins a long character. Latvian's are in the table, too, but begin none.
 */
export function areByteLetters(symbols: readonly string[]): boolean {
	let hasLead = false;
	for (const symbol of symbols)
		for (const letter of symbol) {
			const byte = byteOfLetter.get(letter);
			if (byte === undefined) return false;
			hasLead ||= byte >= longLead;
		}
	return hasLead;
}

/** @param symbol of letters in the table. @returns bytes of UTF-8 */
export function bytesOfLetters(symbol: string): Uint8Array {
	return Uint8Array.from(symbol, (letter) => byteOfLetter.get(letter) ?? space);
}

function lettersOfBytes(): ReadonlyMap<string, number> {
	const letters = new Map<string, number>();
	let code = firstLetter;
	for (let byte = 0; byte < bytes; byte++) {
		if (byte >= space && byte <= tilde) {
			letters.set(String.fromCodePoint(byte), byte);
			continue;
		}
		while (isChanged(String.fromCodePoint(code))) code++;
		letters.set(String.fromCodePoint(code++), byte);
	}
	return letters;
}

function isChanged(letter: string): boolean {
	return letter.normalize("NFKC") !== letter;
}
