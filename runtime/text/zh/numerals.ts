/**
 * Reads Chinese numerals: 三百二十五, 一百二 (120), 两万三, 二零二六, 幺三八, 三点一四, 一点二亿, and those that a model wrote half in digits (1万五千).
 *
 * INVARIANT: a malformed numeral has no value: 五六十 and 十七八 are approximate, 几十 is indefinite, and 千 or 百万 alone are not numbers.
 */

import { countingAt, isAfterHour, isOneOfNext, isOnePriced } from "./units.js";

const digitValues: Readonly<Record<string, number>> = {
	零: 0,
	〇: 0,
	一: 1,
	幺: 1,
	二: 2,
	两: 2,
	三: 3,
	四: 4,
	五: 5,
	六: 6,
	七: 7,
	八: 8,
	九: 9,
};
const smallUnits: Readonly<Record<string, number>> = {
	十: 10,
	百: 100,
	千: 1000,
};
const bigUnits: Readonly<Record<string, number>> = { 万: 1e4, 亿: 1e8 };

/** 几 stands for an unspecified digit. */
const runPattern = /[零〇一幺二两三四五六七八九十百千万亿几0-9０-９]+/y;
const numeralPattern = /^[零〇一幺二两三四五六七八九十百千万亿0-9０-９]$/;
const asciiPattern = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?/;
const asciiAt = /(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)*/y;

export interface Numeral {
	readonly from: number;
	readonly to: number;
	/**
	 * `single`: one digit; `digits`: read one by one (二零二六); `cardinal`: with places (二十六); `decimal`: with a point;
	 * `unclear`: digits or places, but no number.
	 */
	readonly kind: "single" | "digits" | "cardinal" | "decimal" | "unclear";
	/** In digits; empty where unclear. */
	readonly digits: string;
	/** NaN where unclear. */
	readonly value: number;
	/** Already written in digits. */
	readonly written: boolean;
}

export function isNumeral(character: string | undefined): boolean {
	return character !== undefined && numeralPattern.test(character);
}

/** The numeral that begins here; does not check whether it is the middle of another. */
export function readNumeral(text: string, from: number): Numeral | undefined {
	const integer = readInteger(text, from);
	if (integer === undefined) return undefined;
	return withFraction(text, integer) ?? integer;
}

/** The same without a decimal point: 三点 may also be an hour. */
export function readInteger(text: string, from: number): Numeral | undefined {
	asciiAt.lastIndex = from;
	const ascii = asciiAt.exec(text)?.[0] ?? "";
	runPattern.lastIndex = from;
	// 几 after digits begins a separate word: 一二三四几点起飞
	const run = (runPattern.exec(text)?.[0] ?? "").replace(
		/(?<=[零〇一幺二两三四五六七八九\d])几$/,
		"",
	);
	// in 十两 and 三两 the 两 may be a weight
	if (run.length > 1 && run.endsWith("两")) return withoutUnit(text, run, from);
	if (run === "") return undefined;
	if (ascii.length >= run.length) return asWritten(from, ascii);
	// 1,500万 and 2.5亿 are complete, 1万五千 is not
	const head = ascii === "" ? "" : (asciiPattern.exec(ascii)?.[0] ?? "");
	const tail = text.slice(from + ascii.length);
	const places = /^(?:万亿|[百千]?万|[百千]?亿)/.exec(tail)?.[0];
	if (head !== "" && places && !isNumeral(tail[places.length]))
		return {
			...asWritten(from, ascii),
			to: from + ascii.length + places.length,
			kind: "cardinal",
			digits: ascii + places,
			value: Number.POSITIVE_INFINITY,
		};
	// 3500一个月: what follows is a separate number
	if (ascii !== "" && /^\d+[一二两三四五六七八九]$/.test(run))
		return asWritten(from, ascii);
	return withoutOne(text, run, from) ?? numeralOf(run, from);
}

/** 两 after a number is a weight; 三两个 is two or three. */
function withoutUnit(text: string, run: string, from: number): Numeral {
	const number = numeralOf(run.slice(0, -1), from);
	if (number.kind !== "single") return number;
	const isGuess = /[一三]/.test(run)
		? text[from - 1] !== "斤"
		: countingAt(text, from + run.length, "") !== "none";
	return isGuess ? numeralOf(run, from) : number;
}

/** 三千五一个月, 五千一个月: a price per unit; 三百一起: an amount and a word. */
function withoutOne(
	text: string,
	run: string,
	from: number,
): Numeral | undefined {
	const end = /[百千万][二三四五六七八九]?一$/.exec(run)?.[0];
	if (!end) return undefined;
	const to = from + run.length;
	// 三千五一吨: no number ends in two digits
	const isOfNext =
		end.length === 3
			? isOnePriced(text, to)
			: isOneOfNext(text, to, end === "百一");
	return isOfNext ? numeralOf(run.slice(0, -1), from) : undefined;
}

function asWritten(from: number, ascii: string): Numeral {
	const plain = ascii.replaceAll(",", "");
	const dots = plain.split(".").length - 1;
	return {
		from,
		to: from + ascii.length,
		kind: dots > 0 ? "decimal" : plain.length === 1 ? "single" : "digits",
		digits: ascii,
		value: dots > 1 ? Number.POSITIVE_INFINITY : Number(plain),
		written: true,
	};
}

function numeralOf(run: string, from: number): Numeral {
	const to = from + run.length;
	const plain = run.normalize("NFKC");
	const unclear = {
		from,
		to,
		kind: "unclear",
		digits: "",
		value: Number.NaN,
		written: false,
	} as const;
	if (plain.includes("几")) return unclear;
	if (!/[十百千万亿]/.test(plain)) return digitString(plain, from, unclear);
	const value = placeValue(plain);
	if (value === undefined) return unclear;
	return {
		from,
		to,
		kind: "cardinal",
		digits: writeValue(value),
		value,
		written: false,
	};
}

function digitString(plain: string, from: number, unclear: Numeral): Numeral {
	const digits = [...plain].map((it) => digitValues[it] ?? it).join("");
	// 三两 and 两三 are not digit strings
	if (plain.length > 1 && plain.includes("两")) return unclear;
	return {
		from,
		to: from + plain.length,
		kind: plain.length === 1 ? "single" : "digits",
		digits,
		value: Number(digits),
		written: false,
	};
}

/** @param plain has place characters. @returns undefined if it is not a number. */
function placeValue(plain: string): number | undefined {
	let whole = 0; // completed by 万 and 亿
	let section = 0; // below them
	let pending: number | undefined; // a digit whose place is not known yet
	let place = 0; // the last one seen; 0: none in this section
	let bigPlace = Number.POSITIVE_INFINITY;
	let afterZero = false;
	for (const [token] of plain.matchAll(/\d+|./gu)) {
		const digit = digitValues[token] ?? asNumber(token);
		const small = smallUnits[token];
		const big = bigUnits[token];
		if (digit === 0) {
			if (pending !== undefined) return undefined;
			afterZero = true;
		} else if (digit !== undefined) {
			if (pending !== undefined) return undefined;
			pending = digit;
		} else if (small !== undefined) {
			if (place !== 0 && small >= place) return undefined;
			if (pending === undefined && small !== 10) return undefined;
			section += (pending ?? 1) * small;
			pending = undefined;
			place = small;
			afterZero = false;
		} else if (big !== undefined) {
			section += pending ?? 0;
			if (big === 1e4 && (section === 0 || bigPlace <= 1e4)) return undefined;
			if (big === 1e8 && (whole + section === 0 || bigPlace === 1e8))
				return undefined;
			whole = big === 1e8 ? (whole + section) * 1e8 : whole + section * 1e4;
			section = 0;
			pending = undefined;
			place = 0;
			bigPlace = big;
			afterZero = false;
		} else return undefined;
	}
	const base = place !== 0 ? place : bigPlace;
	if (pending === undefined) {
		if (afterZero) return undefined;
	} else if (pending >= base)
		return undefined; // 十10
	else if (afterZero || place === 10 || pending > 9) section += pending;
	else {
		// 一百二: the digit has the next lower place
		if (!Number.isFinite(base)) return undefined;
		section += (pending * base) / 10;
	}
	const value = whole + section;
	return value > 0 && value < 1e15 ? value : undefined;
}

function asNumber(token: string): number | undefined {
	return /^\d+$/.test(token) ? Number(token) : undefined;
}

/** 30000000 as 3000万, 120000000 as 1亿2000万, 35000 unchanged: groups of four zeros become characters. */
function writeValue(value: number): string {
	if (value < 1e4 || value % 1e4 !== 0) return String(value);
	const hundredMillions = Math.floor(value / 1e8);
	const tenThousands = (value % 1e8) / 1e4;
	const high =
		hundredMillions === 0
			? ""
			: hundredMillions % 1e4 === 0
				? `${hundredMillions / 1e4}万亿`
				: `${hundredMillions}亿`;
	return high + (tenThousands === 0 ? "" : `${tenThousands}万`);
}

/** 三点一四, 零点五, 一点二亿; digits after the point are read one by one. */
function withFraction(text: string, integer: Numeral): Numeral | undefined {
	if (text[integer.to] !== "点" || !Number.isFinite(integer.value))
		return undefined;
	const fraction = /^[零〇一幺二三四五六七八九\d０-９]+/.exec(
		text.slice(integer.to + 1, integer.to + 21),
	)?.[0];
	if (fraction === undefined) return undefined;
	if (fraction.length === 1 && isAfterHour(text, integer.to + 1))
		return undefined;
	let to = integer.to + 1 + fraction.length;
	const places =
		/^(?:万亿|[百千]?[万亿])/.exec(text.slice(to, to + 3))?.[0] ?? "";
	to += places.length;
	if (isNumeral(text[to]) || text[to] === "几") return undefined;
	if (integer.kind === "cardinal" && /\D/.test(integer.digits))
		return undefined;
	const after = [...fraction.normalize("NFKC")]
		.map((it) => digitValues[it] ?? it)
		.join("");
	return {
		from: integer.from,
		to,
		kind: "decimal",
		digits: `${integer.digits}.${after}${places}`,
		value: Number(`${integer.digits}.${after}`),
		written: false,
	};
}
