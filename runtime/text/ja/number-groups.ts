/**
 * Numerals that form one number: telephone numbers, addresses (一の二の三), decimals and versions (二点一), fractions (三分の一).
 */
import { counterAt } from "./counters.js";
import {
	isArabicDigit,
	isNumeral,
	readDigits,
	readNumeral,
} from "./numerals.js";
import { endsScore } from "./sums.js";

export interface WrittenNumber {
	/** End in the text. */
	readonly to: number;
	readonly text: string;
}

/** Longest telephone number or address, groups. */
const groupsMax = 5;

/** 〇三の一二三四の五六七八 is 03-1234-5678, 一の二の三 1-2-3, and after 丁目 二の三 2-3. */
export function readGroups(
	text: string,
	from: number,
): WrittenNumber | undefined {
	const groups: { text: string; to: number; digits: boolean }[] = [];
	let at = from;
	let separator = "";
	while (groups.length < groupsMax) {
		const group = readGroup(text, at);
		if (!group) break;
		groups.push(group);
		const next = text[group.to] ?? "";
		if (!"のー−-ノ、 ".includes(next) || next === "") break;
		if (separator !== "" && next !== separator) break;
		separator = next;
		at = group.to + 1;
	}
	const last = groups.at(-1);
	if (!last || groups.length < 2) return undefined;
	if (separator === "-" && groups.every((it) => it.text === ""))
		return undefined;
	const after = text[last.to];
	if (isNumeral(after) || isArabicDigit(after)) return undefined;
	const paused = separator === "、" || separator === " ";
	const inBlock = /丁目の?$/.test(text.slice(Math.max(0, from - 3), from));
	const partsMin = inBlock && separator === "の" ? 2 : 3;
	if (!isTelephone(groups) && (paused || !isAddress(groups, after, partsMin)))
		return undefined;
	return { to: last.to, text: groups.map((it) => it.text).join("-") };
}

function readGroup(text: string, from: number) {
	const spoken = readDigits(text, from);
	const size = spoken.written.length;
	if (size > 0 && !isNumeral(text[spoken.to]))
		return { text: spoken.written, to: spoken.to, digits: true };
	const numeral = readNumeral(text, from);
	if (!numeral || numeral.shape === "broken") return undefined;
	return { text: numeral.written, to: numeral.to, digits: false };
}

/** Groups of digits with the lengths of a telephone number or a postal code. */
function isTelephone(
	groups: readonly { text: string; digits: boolean }[],
): boolean {
	if (!groups.every((it) => it.digits)) return false;
	const sizes = groups.map((it) => it.text.length);
	const sum = sizes.reduce((a, b) => a + b, 0);
	if (sizes.length === 2) return sizes[1] === 4 && (sizes[0] as number) >= 3;
	return (
		sizes.length === 3 &&
		sum >= 9 &&
		sum <= 11 &&
		(groups[0]?.text.startsWith("0") ?? false)
	);
}

function isAddress(
	groups: readonly { text: string }[],
	after: string | undefined,
	partsMin: number,
): boolean {
	return (
		groups.length >= partsMin &&
		groups.every((it) => it.text.length <= 4) &&
		!/\p{Script=Han}/u.test(after ?? "")
	);
}

/** 三点五 is 3.5, 三点五億 3.5億, 二点一点三 2.1.3. @param numeral before the point. */
export function readDecimal(
	text: string,
	numeral: { to: number; written: string },
): WrittenNumber | undefined {
	let { to } = numeral;
	let written = numeral.written;
	let parts = 0;
	for (;;) {
		const point = pointAt(text, to);
		if (point === 0) break;
		const digits = readDigits(text, to + point);
		if (digits.written === "" || /^[十百千つ]/.test(text.slice(digits.to)))
			break;
		if (parts > 0 && digits.written.length > 3) break;
		written += `.${digits.written}`;
		to = digits.to;
		parts++;
	}
	if (parts === 0) return undefined;
	const big = text[to] ?? "";
	if (parts === 1 && /^[万億兆]$/.test(big) && !isNumeral(text[to + 1]))
		return { to: to + 1, text: written + big };
	return /^[万億兆]$/.test(big) ? undefined : { to, text: written };
}

/** Length of a spoken point. */
function pointAt(text: string, at: number): number {
	if (text[at] === "点") return 1;
	if (/^[・．]$/.test(text[at] ?? "")) return hasUnit(text, at + 1) ? 1 : 0;
	return text.startsWith("コンマ", at) ? 3 : 0;
}

/** 三・五倍, not 五・一五. */
function hasUnit(text: string, at: number): boolean {
	const { to, written } = readDigits(text, at);
	const after = /^[万億兆]$/.test(text[to] ?? "") ? to + 1 : to;
	return written !== "" && counterAt(text, after) !== undefined;
}

/** 三分の一: 3分の1. */
export function readFraction(
	text: string,
	numeral: { to: number; written: string },
): WrittenNumber | undefined {
	if (!text.startsWith("分の", numeral.to)) return undefined;
	const over = readNumeral(text, numeral.to + 2);
	if (!over || over.shape === "broken") return undefined;
	return { to: over.to, text: `${numeral.written}分の${over.written}` };
}

/** The 五八 of 九秒五八, the 四 of 一分二十三秒四; not that of 十秒四回, 十秒四つ. */
export function readSecondsPart(
	text: string,
	from: number,
): WrittenNumber | undefined {
	const before = text.slice(Math.max(0, from - 2), from);
	if (!/^[〇零一二三四五六七八九十0-9]秒$/.test(before)) return undefined;
	const digits = readDigits(text, from);
	const size = digits.to - from;
	if (size < 1 || size > 3 || digits.written.length !== size) return undefined;
	if (!endsScore(text, digits.to)) return undefined;
	if (counterAt(text, digits.to) !== undefined) return undefined;
	return { to: digits.to, text: digits.written };
}
