/** Finds the part at the end of a growing Japanese text that may still be written differently. */
import { signsFrom } from "../number-signs.js";
import { countedWords } from "./counters.js";
import { wordsWithNumerals } from "./number-words.js";
import { isNumeral } from "./numerals.js";

/** Numbers, and what may connect two parts of a number. */
const growing =
	/(?:(?:[〇零一二三四五六七八九十百千万億兆0-9０-９]|ゼロ?)[年月日時分秒点から、の番度人回勝第個対とかやに×前皿足引掛割すくけるひわた%％・．.,:/-]*)+$/u;
/** The beginning of a word after a number: 三点五パー. */
const beginnings = new Set(
	[
		...countedWords(),
		"パーセント",
		"コンマ",
		"以上",
		"以下",
		"以内",
		"未満",
		"小さじ",
		"大さじ",
		"出口",
	].flatMap((word) => beginningsOf(word)),
);
/** Prefixes of words that contain numerals, without the whole words. */
const wordBeginnings = new Set(
	[...wordsWithNumerals].flatMap((word) => beginningsOf(word.slice(0, -1))),
);
/** Letters of a unit, or the first of a word in katakana, which count with more of it: 二テラ. */
const unitLetters = /^(?:[A-Za-z]{1,3}|[\u30a1-\u30fa])$/;
/** Longer numbers, and longer words after them, are not waited for. */
const openMax = 24;
const beginningMax = 5;
const wordMax = 10;

function beginningsOf(word: string): string[] {
	return Array.from({ length: word.length + 1 }, (_, i) => word.slice(0, i));
}

/** Start of a number at the end of a growing text, or the text's length. */
export function openFrom(text: string): number {
	const from = Math.max(0, text.length - openMax);
	const tail = text.slice(from);
	for (let rest = 0; rest <= Math.min(beginningMax, tail.length); rest++) {
		const word = tail.slice(tail.length - rest);
		if (!beginnings.has(word) && !unitLetters.test(word)) continue;
		const found = growing.exec(tail.slice(0, tail.length - rest));
		if (found)
			return Math.min(signsFrom(text, from + found.index), openWord(text));
	}
	return Math.min(signsFrom(text, text.length), openWord(text));
}

/** Start of a word with numerals that may be incomplete: 一級建 of 一級建築士. */
function openWord(text: string): number {
	for (let size = Math.min(wordMax, text.length); size > 0; size--) {
		if (!wordBeginnings.has(text.slice(text.length - size))) continue;
		let open = text.length - size;
		while (isNumeral(text[open - 1])) open--; // 三十分間に is no 十分間に合う
		return open;
	}
	return text.length;
}
