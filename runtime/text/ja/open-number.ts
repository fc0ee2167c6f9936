/** The end of a Japanese text that still grows: which of it may yet be written otherwise. */
import { countedWords } from "./counters.js";
import { wordsWithNumerals } from "./number-words.js";

/** Numbers, and what leads from one part of a number to the next. */
const growing =
	/[¥￥$＄€£+＋−-]?(?:(?:[〇零一二三四五六七八九十百千万億兆0-9０-９]|ゼロ?)[年月日時分秒点から、の番度人回第個対と%％・．.,:/-]*)+$/u;
/** Words behind a number of which only the beginning is there yet: 三点五パー. */
const beginnings = new Set(
	[
		...countedWords(),
		"パーセント",
		"コンマ",
		"以上",
		"以下",
		"以内",
		"未満",
	].flatMap((word) => beginningsOf(word)),
);
/** Of words that hold numerals, but not the words whole. */
const wordBeginnings = new Set(
	[...wordsWithNumerals].flatMap((word) => beginningsOf(word.slice(0, -1))),
);
const unitLetters = /^[A-Za-z]{1,3}$/;
/** Longer numbers, and longer words behind them, are not waited for. */
const openMax = 24;
const beginningMax = 5;
const wordMax = 8;

function beginningsOf(word: string): string[] {
	return Array.from({ length: word.length + 1 }, (_, i) => word.slice(0, i));
}

/** Where a number at the end of a growing text begins, or the text's length. */
export function openFrom(text: string): number {
	const from = Math.max(0, text.length - openMax);
	const tail = text.slice(from);
	for (let rest = 0; rest <= Math.min(beginningMax, tail.length); rest++) {
		const word = tail.slice(tail.length - rest);
		if (!beginnings.has(word) && !unitLetters.test(word)) continue;
		const found = growing.exec(tail.slice(0, tail.length - rest));
		if (found) return Math.min(from + found.index, openWord(text));
	}
	return openWord(text);
}

/** Where a word with numerals may have begun: 一級建 of 一級建築士. */
function openWord(text: string): number {
	for (let size = Math.min(wordMax, text.length); size > 0; size--)
		if (wordBeginnings.has(text.slice(text.length - size)))
			return text.length - size;
	return text.length;
}
