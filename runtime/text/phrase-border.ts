/**
 * Where a phrase may begin or end in a text: between words in scripts that have spaces between them, anywhere in Chinese and Japanese; never inside a number, or
 * between a character and what belongs to it.
 */
import { isLeadingPoint } from "./number-signs.js";

/** Scripts without spaces between words. */
const unspaced =
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆〇]$/u;
const ofAWord = /^[\p{L}\p{N}]$/u;
/** Belongs to the preceding character: accents, variation selectors, joiners, skin tones. */
const leansLeft = /^(?:\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}])$/u;

const numberMark = /^\d(?:[.:]\d|,\d{3}(?!\d))/;

/** Whether a phrase may begin or end here. */
export function isBorder(text: string, at: number): boolean {
	if (at === 0 || at === text.length) return true;
	const unit = text.charCodeAt(at);
	if (unit >= 0xdc00 && unit <= 0xdfff && isHighSurrogate(text, at - 1))
		return false;
	const after = String.fromCodePoint(text.codePointAt(at) as number);
	if (leansLeft.test(after)) return false;
	const before = characterBefore(text, at);
	if (before === "\u200d") return false;
	if (joinsDigits(text, at) || joinsDigits(text, at - 1)) return false;
	if (/^\d$/.test(after) && isLeadingPoint(text, at)) return false; // .5 is not 5
	return !(isSpaced(before) && isSpaced(after));
}

/** Whether a mark there is inside a number: 3.5, 19,500, 10:30. */
function joinsDigits(text: string, at: number): boolean {
	return at > 0 && numberMark.test(text.slice(at - 1, at + 5));
}

function isHighSurrogate(text: string, at: number): boolean {
	const unit = text.charCodeAt(at);
	return unit >= 0xd800 && unit <= 0xdbff;
}

/** The character before a position, without its accents. */
function characterBefore(text: string, at: number): string {
	let end = at;
	for (;;) {
		const low = text.charCodeAt(end - 1);
		const pair =
			end > 1 &&
			low >= 0xdc00 &&
			low <= 0xdfff &&
			isHighSurrogate(text, end - 2);
		const character = text.slice(end - (pair ? 2 : 1), end);
		// bounded, however many accents there are
		if (!/^\p{M}$/u.test(character) || at - end > 8 || end <= 2)
			return character;
		end -= character.length;
	}
}

function isSpaced(character: string): boolean {
	return ofAWord.test(character) && !unspaced.test(character);
}
