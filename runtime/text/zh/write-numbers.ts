/**
 * Inverse text normalisation of Chinese: numbers in digits where newspapers, tickets and messages have them, and nowhere else.
 *
 * - Numbers from 11 on, decimals, digits read one by one: always. Numbers of four zeros keep their 万 and 亿 (300万).
 * - A single digit: where something is measured, counted (but 一个, 一次), dated, timed, calculated or compared; 十 only there, too.
 * - Never: guesses (三四个, 几百, 十几), days of the week, fixed phrases and names (fixed-phrases.ts).
 *
 * One pass from left to right; the rules of a place are asked in the order in which they stand in `readAt`.
 */
import type { Edit } from "../edits.js";
import { readClock } from "./clock.js";
import { fixedPhrases } from "./fixed-phrases.js";
import {
	isNumeral,
	type Numeral,
	readInteger,
	readNumeral,
} from "./numerals.js";
import { isStandingNumber, standsAfterPoint } from "./standing.js";

/** What a place turned out to be: edits, and where to go on. */
interface Reading {
	readonly edits: readonly Edit[];
	readonly to: number;
}

export function writeNumbers(text: string): Edit[] {
	const edits: Edit[] = [];
	const fixed = fixedPhrases(text);
	let nextFixed = 0;
	for (let at = 0; at < text.length; ) {
		while (nextFixed < fixed.length && (fixed[nextFixed]?.to ?? 0) <= at)
			nextFixed++;
		const phrase = fixed[nextFixed];
		if (phrase && phrase.from <= at) {
			at = phrase.to;
			continue;
		}
		const reading = readAt(text, at);
		if (!reading) {
			at++;
			continue;
		}
		// a number does not reach into a fixed phrase
		if (!phrase || reading.to <= phrase.from)
			for (const edit of reading.edits)
				if (!runsInto(edits.at(-1), edit)) edits.push(edit);
		at = Math.max(at + 1, reading.to);
	}
	return edits.filter((it) => text.slice(it.from, it.to) !== it.text);
}

/** Two numbers side by side would be read as one. */
function runsInto(before: Edit | undefined, edit: Edit): boolean {
	if (before?.to !== edit.from) return false;
	return /\d$/.test(before.text) && /^\d/.test(edit.text);
}

function readAt(text: string, at: number): Reading | undefined {
	const character = text[at];
	const share = readShare(text, at, at, "");
	if (share) return share;
	if (
		character === "负" &&
		!/[正胜]/.test(text[at - 1] ?? "") &&
		(isNumeral(text[at + 1]) || text.startsWith("百分之", at + 1))
	)
		return readNegative(text, at);
	if (character === "点") return readSuffix(text, at);
	if (!isNumeral(character)) return undefined;
	const weekday = readWeekday(text, at);
	if (weekday) return weekday;
	return (
		readDotted(text, at) ??
		readTime(text, at) ??
		readFraction(text, at) ??
		readPair(text, at) ??
		readWithTail(text, at) ??
		readAlone(text, at)
	);
}

/** 百分之三十五 is 35%, 千分之二 2‰; 百分之十到二十 10%到20%. */
function readShare(
	text: string,
	from: number,
	at: number,
	sign: string,
): Reading | undefined {
	const of = text.slice(at, at + 3);
	if (of !== "百分之" && of !== "千分之") return undefined;
	const mark = of === "百分之" ? "%" : "‰";
	const first = readAmount(text, at + 3);
	if (!first) {
		const behind = text.slice(at + 3);
		if (of === "百分之" && /^百(?![分千万亿])/.test(behind))
			return { edits: [{ from, to: at + 4, text: `${sign}100%` }], to: at + 4 };
		return {
			edits: [],
			to:
				at +
				3 +
				(/^[零〇一幺二两三四五六七八九十百千万亿几\d]*/.exec(behind)?.[0]
					.length ?? 0),
		};
	}
	const edits = [{ from, to: first.to, text: `${sign}${first.digits}${mark}` }];
	if (!/^[到至]/.test(text.slice(first.to, first.to + 1)))
		return { edits, to: first.to };
	const second = readAmount(text, first.to + 1);
	if (!second) return { edits, to: first.to };
	return {
		edits: [
			...edits,
			{ from: first.to + 1, to: second.to, text: `${second.digits}${mark}` },
		],
		to: second.to,
	};
}

function readNegative(text: string, at: number): Reading | undefined {
	const share = readShare(text, at, at + 1, "-");
	if (share) return share;
	const number = readAmount(text, at + 1);
	if (!number) return undefined;
	// 负一楼, and 负二 of a word
	if (/^[层楼]/.test(text.slice(number.to))) return undefined;
	return {
		edits: [{ from: at, to: number.to, text: `-${number.digits}` }],
		to: number.to,
	};
}

/** 周五十点 is Friday at ten: the day is no part of the number. */
function readWeekday(text: string, at: number): Reading | undefined {
	const before = text.slice(Math.max(0, at - 3), at);
	if (!/(?:周|星期|礼拜)$/.test(before)) return undefined;
	if (!/^[一二三四五六]/.test(text.slice(at, at + 1))) return undefined;
	const count = before.at(-2);
	if (/周$/.test(before) && (isNumeral(count) || count === "几"))
		return undefined;
	const behind = text.slice(at + 1, at + 8);
	if (!behind.startsWith("十")) return { edits: [], to: at + 1 };
	return /^十[一二三四五六七八九]?[点号时]/.test(behind)
		? { edits: [], to: at + 1 }
		: undefined;
}

/** 一点二点三 is 1.2.3, 一九二点一六八点一点一 an address. */
function readDotted(text: string, at: number): Reading | undefined {
	const parts: Numeral[] = [];
	for (let from = at; ; ) {
		const part = readInteger(text, from);
		if (!part || !/^\d+$/.test(part.digits)) break;
		parts.push(part);
		if (text[part.to] !== "点") break;
		from = part.to + 1;
	}
	const last = parts.at(-1);
	if (!last || parts.length < 3) return undefined;
	const digits = parts.map((it) => it.digits).join(".");
	return { edits: [{ from: at, to: last.to, text: digits }], to: last.to };
}

/** H点二六四 is H.264. */
function readSuffix(text: string, at: number): Reading | undefined {
	if (!/[A-Za-z]/.test(text[at - 1] ?? "")) return undefined;
	const number = readInteger(text, at + 1);
	if (!number || (number.kind !== "digits" && number.kind !== "single"))
		return undefined;
	return {
		edits: [{ from: at, to: number.to, text: `.${number.digits}` }],
		to: number.to,
	};
}

function readTime(text: string, at: number): Reading | undefined {
	const hour = readInteger(text, at);
	if (!hour || text[at - 1] === "第") return undefined;
	const time = readClock(text, hour);
	if (!time) return undefined;
	if (time.minute && /[A-Za-z]/.test(text[at - 1] ?? ""))
		// Python三点十二
		return {
			edits: [
				{ from: at, to: time.to, text: `${hour.digits}.${time.minute.digits}` },
			],
			to: time.to,
		};
	const edits = [written(hour)];
	if (time.minute) {
		const { minute } = time;
		const digits = minute.digits;
		const alone = text[minute.to] !== "分";
		edits.push({
			from: minute.from,
			to: minute.to,
			text: alone ? digits.padStart(2, "0") : digits,
		});
		// 三点十五分二十秒
		const second =
			text[minute.to] === "分" ? readInteger(text, time.to) : undefined;
		if (second && second.value < 60 && text[second.to] === "秒")
			return { edits: [...edits, written(second)], to: second.to };
	}
	return { edits, to: time.to };
}

/** 三分之二 is 2/3, 一又二分之一 1又1/2. */
function readFraction(text: string, at: number): Reading | undefined {
	const first = readInteger(text, at);
	if (!first) return undefined;
	if (text[first.to] === "又") {
		const rest = isNumeral(text[first.to + 1])
			? readFraction(text, first.to + 1)
			: undefined;
		return rest && { edits: [written(first), ...rest.edits], to: rest.to };
	}
	if (!text.startsWith("分之", first.to)) return undefined;
	const share = readInteger(text, first.to + 2);
	const isFraction =
		share !== undefined &&
		/^\d+$/.test(share.digits) &&
		/^\d+$/.test(first.digits) &&
		first.value >= 2;
	if (!isFraction) return { edits: [], to: first.to + 2 };
	return {
		edits: [
			{ from: at, to: share.to, text: `${share.digits}/${first.digits}` },
		],
		to: share.to,
	};
}

/** Numbers on both sides: 三比二, 二加三等于五, 三到五天, 从一到十. */
function readPair(text: string, at: number): Reading | undefined {
	const first = readAmount(text, at);
	if (!first) return undefined;
	const between = /^(?:[到至~～]|乘以|除以|等于|[比加减乘])/.exec(
		text.slice(first.to, first.to + 2),
	)?.[0];
	if (!between) return undefined;
	const second = readAmount(text, first.to + between.length);
	if (!second || isUnnumbered(text, at)) return undefined;
	if (/^[到至~～]/.test(between)) {
		const clock = readClock(text, second);
		const stands =
			clock !== undefined
				? first.digits !== "1" || text[at - 1] === "从"
				: text[at - 1] === "从" || isStandingPair(text, first, second);
		if (!stands) return undefined;
		return { edits: [written(first)], to: first.to + between.length };
	}
	// the right side may go on: 二加三等于五
	return { edits: [written(first)], to: first.to + between.length };
}

/** One end of a range is what the unit behind the other makes of it. */
function isStandingPair(
	text: string,
	first: Numeral,
	second: Numeral,
): boolean {
	return (
		isStandingNumber(text, second) ||
		isStandingNumber(text, { ...first, to: second.to })
	);
}

/** What goes on behind a unit: 三块五, 一米七八, 三十七度二, 三斤二两. */
function readWithTail(text: string, at: number): Reading | undefined {
	const number = readAmount(text, at);
	if (!number || isUnnumbered(text, at)) return undefined;
	const unit = /^(?:块|米|度|毛)/.exec(
		text.slice(number.to, number.to + 1),
	)?.[0];
	if (!unit) return undefined;
	const tail = readInteger(text, number.to + 1);
	if (!tail || tail.written) return undefined;
	const behind = text.slice(tail.to, tail.to + 2);
	const short =
		tail.kind === "single" ||
		(unit === "米" && tail.kind === "digits" && tail.digits.length === 2);
	const coin =
		unit === "块" && tail.kind === "single" && /^[毛角]/.test(behind);
	if (!coin && (!short || standsAfterPoint(behind))) return undefined;
	if (unit === "毛" && text[at - 1] !== "块") return undefined;
	if (unit === "度" && number.value < 30) return undefined;
	const edits = [written(number), written(tail)];
	if (!coin) return { edits, to: tail.to };
	const cents = readInteger(text, tail.to + 1);
	return cents?.kind === "single" &&
		!standsAfterPoint(text.slice(cents.to, cents.to + 2).replace(/^分/, ""))
		? { edits: [...edits, written(cents)], to: cents.to }
		: { edits, to: tail.to };
}

function readAlone(text: string, at: number): Reading {
	const number = readNumeral(text, at) as Numeral;
	if (number.kind === "unclear" || isUnnumbered(text, at))
		return { edits: [], to: number.to };
	if (number.kind === "digits" && /^[零〇].$/.test(text.slice(at, number.to)))
		return readAfterZero(text, number);
	return isStandingNumber(text, number)
		? { edits: [written(number)], to: number.to }
		: { edits: [], to: number.to };
}

/** 零五 is 05; but in 三年零五个月 the zero is a word. */
function readAfterZero(text: string, number: Numeral): Reading {
	const last = readInteger(text, number.from + 1) as Numeral;
	const joins =
		/[块元年月天米斤时钟周]/.test(text[number.from - 1] ?? "") &&
		(isStandingNumber(text, last) || /^[毛角分]/.test(text[number.to] ?? ""));
	return { edits: [written(joins ? last : number)], to: number.to };
}

/** 初一 of a month or a school; 几十, 数百. */
function isUnnumbered(text: string, at: number): boolean {
	const before = text.slice(Math.max(0, at - 2), at);
	if (before.endsWith("初")) return true;
	if (!/[十百千万亿]/.test(text[at] ?? "")) return false;
	return /几$|(?:^|[^人次总岁分件个])数$|成$/.test(before);
}

/** A number with a value. */
function readAmount(text: string, at: number): Numeral | undefined {
	const number = readNumeral(text, at);
	return number && number.kind !== "unclear" ? number : undefined;
}

function written({
	from,
	to,
	digits,
	written: already,
}: Numeral): Edit & { text: string } {
	return { from, to, text: digits, ...(already && {}) };
}
