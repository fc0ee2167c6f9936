/** Japanese scores and sums, in which even a lone digit is a number: 三対二, 三足す五は八. */
import { isArabicDigit, isNumeral, kanji } from "./numerals.js";

const digits = "[〇零一二三四五六七八九十百千万億0-9]";
const operators = "(?:足す|たす|引く|ひく|掛ける|かける|割る|わる)";
const operatorAfter = new RegExp(`^${operators}${digits}`);
const operatorBefore = new RegExp(`${digits}${operators}$`);
const sumBefore = new RegExp(`${digits}${operators}${digits}{1,8}は$`);

/** 三足す五は八. */
export function isInSum(text: string, from: number, to: number): boolean {
	if (operatorAfter.test(text.slice(to, to + 4))) return true;
	const before = text.slice(Math.max(0, from - 14), from);
	if (operatorBefore.test(before)) return true;
	return sumBefore.test(before) && endsScore(text, to);
}

/** The 二 of 三対二. */
export function isScored(text: string, at: number): boolean {
	const before = text[at - 2];
	return text[at - 1] === "対" && (isNumeral(before) || isArabicDigit(before));
}

/** Whether nothing that would form a word with the number follows it. */
export function endsScore(text: string, at: number): boolean {
	const after = text[at] ?? "";
	return !kanji.test(after) && after !== "つ";
}
