/**
 * Inverse text normalization of Chinese: numbers in digits where newspapers, tickets and messages use them, and nowhere else.
 *
 * - Numbers from 11 on, decimals, digits read one by one: always. Numbers with four zeros keep 万 and 亿 (300万).
 * - A single digit: in measurements, counts (but 一个, 一次), dates, times, calculations and comparisons; 十 only there, too.
 * - Never: approximate numbers (三四个, 几百, 十几), days of the week, fixed phrases and names (fixed-phrases.ts).
 *
 * One pass from left to right; at each position the rules are tried in the order of `readAt`.
 */
import type { Edit } from "../edits.js";
import { readPair, readTime, readWithTail } from "./compounds.js";
import { isGuess, isWrittenInDigits } from "./digits-or-words.js";
import { fixedPhrases } from "./fixed-phrases.js";
import {
	isNumeral,
	type Numeral,
	readInteger,
	readNumeral,
} from "./numerals.js";
import { isUnnumbered, type Reading, written } from "./reading.js";
import {
	readDotted,
	readFraction,
	readIndefinite,
	readNegative,
	readShare,
	readSuffix,
} from "./signs.js";
import { countingAt } from "./units.js";

const rising = "一二三四五六七八九";
/** Units before a 零 that joins a smaller one. */
const beforeZero = /[块元年月天米斤时钟周]/;

export function writeNumbers(original: string): Edit[] {
	// full-width digits are treated like half-width ones
	const text = original.replace(/[０-９]/g, (it) => it.normalize("NFKC"));
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
		// a number does not extend into a fixed phrase
		if (!phrase || reading.to <= phrase.from)
			if (!joinsPrevious(text, edits.at(-1), reading.edits[0]))
				edits.push(...reading.edits);
		at = Math.max(at + 1, reading.to);
	}
	return edits.filter((it) => original.slice(it.from, it.to) !== it.text);
}

/**
 * Whether the digits would join the number before them: 十两个, 3万两个; or, with a point between, 三点十个人, B点一百.
 * @param before the previous edit.
 */
function joinsPrevious(
	text: string,
	before: Edit | undefined,
	edit: Edit | undefined,
): boolean {
	if (edit === undefined || !/^\d/.test(edit.text)) return false;
	const last = text[edit.from - 1];
	if (before?.to === edit.from && /[\d万亿]$/.test(before.text)) return true;
	// 九点十点: the point of an hour
	if (last === "点" && text[edit.to] === "点" && before?.to === edit.from - 1)
		return false;
	if (last === "点" || last === ".")
		return (
			/[A-Za-z]/.test(text[edit.from - 2] ?? "") ||
			isNumeral(text[edit.from - 2])
		);
	if (text[edit.from] === "两")
		return (
			isNumeral(last) &&
			!endsWeekday(text, edit.from) &&
			!followsZero(text, edit.from)
		);
	return /[\d十百千万亿]/.test(last ?? "");
}

function readAt(text: string, at: number): Reading | undefined {
	const character = text[at];
	const indefinite = readIndefinite(text, at);
	if (indefinite) return indefinite;
	const share = readShare(text, at, at, "");
	if (share) return share;
	if (
		character === "负" &&
		(isNumeral(text[at + 1]) || text.startsWith("百分之", at + 1))
	)
		return readNegative(text, at);
	if (character === "点") return readSuffix(text, at);
	if (!isNumeral(character)) return undefined;
	const inWords =
		readWeekday(text, at) ?? readGrade(text, at) ?? readGuess(text, at);
	if (inWords) return inWords;
	return (
		readDotted(text, at) ??
		readTime(text, at) ??
		readFraction(text, at) ??
		readPair(text, at) ??
		readWithTail(text, at) ??
		readAlone(text, at)
	);
}

/** 周五十点 is Friday at ten: the day is not part of the number. */
function readWeekday(text: string, at: number): Reading | undefined {
	const before = text.slice(Math.max(0, at - 3), at);
	if (!/(?:周|星期|礼拜)$/.test(before)) return undefined;
	if (!/^[一二三四五六]/.test(text.slice(at, at + 1))) return undefined;
	const count = before.at(-2);
	if (/周$/.test(before) && (isNumeral(count) || count === "几"))
		return undefined;
	const after = text.slice(at + 1, at + 8);
	if (!after.startsWith("十")) return { edits: [], to: at + 1 };
	return /^十[一二三四五六七八九]?[点号时]/.test(after)
		? { edits: [], to: at + 1 }
		: undefined;
}

/** 高三15班, 初二十五班: the year of the school is not part of the number of the class. */
function readGrade(text: string, at: number): Reading | undefined {
	if (
		!/(?:^|[^最提身增扩加])[高初大]$/.test(text.slice(Math.max(0, at - 2), at))
	)
		return undefined;
	return /^[一二三四](?:\d{1,2}|[二三]?十[一二三四五六七八九]?)班/.test(
		text.slice(at, at + 6),
	)
		? { edits: [], to: at + 1 }
		: undefined;
}

/** 三、四天, 十五、六岁 and 五、六十人 are approximate. */
function readGuess(text: string, at: number): Reading | undefined {
	const first = readInteger(text, at);
	if (!first || first.written || text[first.to] !== "、") return undefined;
	const low = rising.indexOf(text[first.to - 1] as string);
	const second = readInteger(text, first.to + 1);
	if (!second || low < 0 || text[second.from] !== rising[low + 1])
		return undefined;
	const guessed =
		second.kind === "single"
			? countingAt(text, second.to, "") !== "none" ||
				/[岁块月号日]/.test(text[second.to] ?? "")
			: first.kind === "single" &&
				/^.[十百千万亿]+$/.test(text.slice(second.from, second.to));
	return guessed ? { edits: [], to: second.to } : undefined;
}

/** Whether a weekday ends here, as in 周五两点. */
function endsWeekday(text: string, to: number): boolean {
	return /(?:周|星期|礼拜)[一二三四五六]$/.test(
		text.slice(Math.max(0, to - 3), to),
	);
}

function readAlone(text: string, at: number): Reading {
	const number = readNumeral(text, at) as Numeral;
	const afterZero = readPairAfterZero(text, number);
	if (afterZero) return afterZero;
	if (number.kind === "unclear" || isUnnumbered(text, at))
		return { edits: [], to: number.to };
	if (
		number.kind === "digits" &&
		/^[零〇][^零〇]$/.test(text.slice(at, number.to))
	)
		return readAfterZero(text, number);
	return isWrittenInDigits(text, number)
		? { edits: [written(number)], to: number.to }
		: { edits: [], to: number.to };
}

/** The 两 of 三年零两个月. */
function followsZero(text: string, at: number): boolean {
	return (
		/[零〇]/.test(text[at - 1] ?? "") && beforeZero.test(text[at - 2] ?? "")
	);
}

/** Behind a unit, of which 零 is a word: 三年零两个月; 一年零七八个月 is approximate. */
function readPairAfterZero(
	text: string,
	{ from, to }: Numeral,
): Reading | undefined {
	if (
		!/[零〇]/.test(text[from] ?? "") ||
		!beforeZero.test(text[from - 1] ?? "")
	)
		return undefined;
	const isTwo = text[from + 1] === "两";
	const isOneOrTwo = text.startsWith("一两", from + 1);
	const end = isTwo ? from + 2 : isOneOrTwo ? from + 3 : to;
	if (countingAt(text, end, "") === "none") return undefined;
	if (isOneOrTwo) return { edits: [], to: end };
	if (isTwo)
		return { edits: [{ from: from + 1, to: end, text: "2" }], to: end };
	return isGuess(text, { from: from + 1, to }) ? { edits: [], to } : undefined;
}

/** 零五 is 05; but in 三年零五个月 零 is a word. */
function readAfterZero(text: string, number: Numeral): Reading {
	const last = readInteger(text, number.from + 1) as Numeral;
	const joins =
		beforeZero.test(text[number.from - 1] ?? "") &&
		(isWrittenInDigits(text, last) ||
			/^(?:[毛角分天]|个月|个?小时)/.test(
				text.slice(number.to, number.to + 3),
			));
	return { edits: [written(joins ? last : number)], to: number.to };
}
