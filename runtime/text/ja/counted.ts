/** Whether a Japanese numeral and the counter after it count something (午後一時, 五人に一人), or form a word (一時, 一人). */
import { endsWithAny, startsWithAny } from "../prefix-table.js";
import { countedBeforeAny, counterAt, counterRule } from "./counters.js";
import {
	isArabicDigit,
	isNumeral,
	kanji,
	type Numeral,
	readNumeral,
} from "./numerals.js";

export function isCounted(
	text: string,
	numeral: Numeral,
	counter: string,
): boolean {
	const { from, to } = numeral;
	const rule = counterRule(counter);
	const end = to + counter.length;
	if (rule.notBefore && startsWithAny(text, end, rule.notBefore)) return false;
	if (counter === "円" && text[from] === "一" && to - from === 1)
		return !kanji.test(text[from - 1] ?? ""); // 関東一円
	const word = text.slice(from, to);
	const isWord =
		word.length === 1
			? rule.words.includes(word)
			: rule.longWord === word + counter;
	if (isOneByOne(text, from, end)) return false;
	if (!isWord) return true;
	return (
		startsWithAny(text, end, countedBeforeAny) ||
		(rule.countedBefore !== undefined &&
			startsWithAny(text, end, rule.countedBefore)) ||
		(rule.countedAfter !== undefined &&
			endsWithAny(text, from, rule.countedAfter)) ||
		numberFollows(text, end, counter) ||
		isEither(text, end, counter) ||
		(counter === "分" && secondsFollow(text, end)) ||
		(counter === "時" && isUntil(text, from, end)) ||
		(counter === "人" && isShare(text, from, end))
	);
}

/** 一つ一つ, 一軒一軒: one by one. */
function isOneByOne(text: string, from: number, end: number): boolean {
	const one = text.slice(from, end);
	return (
		one.startsWith("一") &&
		(text.startsWith(one, end) || text.endsWith(one, from))
	);
}

/** 一日と十五日, 二人か三人; not 一人か二人. */
function isEither(text: string, end: number, counter: string): boolean {
	const link = /^(?:から|または|[かとや、])/.exec(
		text.slice(end, end + 3),
	)?.[0];
	if (link === undefined || !"人日時".includes(counter)) return false;
	const from = end + link.length;
	const to = numberEnd(text, from);
	if (to === undefined || counterAt(text, to) !== counter) return false;
	const other = text.slice(from, to);
	return other.length > 1 || !counterRule(counter).words.includes(other);
}

/** 十二時から一時; not 十二時から一時停止, 十二時から一時は休み. @param end after 時. */
function isUntil(text: string, from: number, end: number): boolean {
	return (
		/[一二三四五六七八九十\d]時半?から$/.test(
			text.slice(Math.max(0, from - 5), from),
		) && !/^[\p{L}\p{N}]/u.test(text.slice(end, end + 2))
	);
}

/** 五人に一人, 二人に一人. @param end after the first or second 人. */
function isShare(text: string, from: number, end: number): boolean {
	const before = text.slice(Math.max(0, from - 3), from);
	if (/[二三四五六七八九十百千万億\d]人に$/.test(before)) return true;
	return text[from] === "二" && text.startsWith("に一人", end);
}

/** 一日三回, 一日に三回, 一時十五分, 一部千円; not 一度二人で. */
function numberFollows(text: string, at: number, counter: string): boolean {
	if (!"人日時部杯点番皿".includes(counter) && counter !== "人前") return false;
	const next = text[at] === "に" ? at + 1 : at;
	const end = numberEnd(text, next);
	const following = end === undefined ? undefined : counterAt(text, end);
	return following !== undefined && following !== counter;
}

/** 十分十五秒: ten minutes. */
function secondsFollow(text: string, at: number): boolean {
	const end = numberEnd(text, at);
	return end !== undefined && text[end] === "秒";
}

/** End of a number, in digits or numerals, that begins at `at`. */
function numberEnd(text: string, at: number): number | undefined {
	let to = at;
	while (isArabicDigit(text[to])) to++;
	if (to > at) return isNumeral(text[to]) ? to + 1 : to;
	const numeral = readNumeral(text, at);
	return numeral?.shape === "broken" ? undefined : numeral?.to;
}
