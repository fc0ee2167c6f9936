/**
 * English numbers in digits, as offices and newspapers write them: "twenty three dollars and fifty cents" is $23.50, "five thirty p m" 5:30 p.m.
 *
 * Cardinals below ten and ordinals below tenth stay words in running text ("one of them", "second thoughts"), unless
 *  - they are a part of a date, a time, a decimal, a fraction, a version, or of digits said one by one;
 *  - a unit, percent or money stands behind (three miles, 5%);
 *  - a label stands before (chapter two, gate five), but for "number one" and what an article makes a thing of its own (the gate two);
 *  - the other end of their range is written in digits (5 to 10).
 * From ten on digits are written, but in phrases that are no numbers (phrases below), in "a hundred", "a thousand" without a unit, and where two numbers
 * stand side by side that make no year, time or telephone number: what they mean is not known.
 */
import type { Edit, TextRule } from "../edits.js";
import { readDate, readDayOfMonth, type Written } from "./dates.js";
import { ordinalSuffix, smallValue } from "./number-words.js";
import {
	currencySignAt,
	isUnitAt,
	readMixed,
	readQuantity,
} from "./quantities.js";
import {
	type DigitsRead,
	type NumberRead,
	numberGoesOn,
	readNumber,
	readOrdinal,
	readSpelledDigits,
	readYear,
	wordAt,
} from "./read-number.js";
import { readTime } from "./times.js";
import { type Token, tokenize } from "./tokens.js";

/** Before a number that names something. */
const labels = new Set(
	`version versions chapter page room gate flight platform terminal channel route highway interstate exit section figure level grade phase step part
	episode season volume extension apartment suite unit lot bus line building code option item slide seat row aisle zone district
	stage type windows iphone android python track lane bay door pin number`
		.trim()
		.split(/\s+/),
);
/** They make a thing of its own of what follows: "the next gate two". */
const determiners = new Set(
	"a an the this that these those my your his her its our their each every no one another next last of".split(
		" ",
	),
);
/** Numbers that are no numbers, and how some are written all the same. */
const phrases: readonly (readonly [string, string?])[] = [
	["twenty four seven", "24/7"],
	["seven eleven"],
	["nine eleven"],
	["catch twenty two"],
	["fifty fifty"],
	["twenty twenty vision", "20/20 vision"],
	["ten four"],
	["forty winks"],
	["one on one"],
	["two by four"],
	["eleventh hour"],
	["ten commandments", "Ten Commandments"],
	["zero sum"],
	["ground zero"],
	["square one"],
	["cloud nine"],
	["one hundred and one reasons"],
];
const phraseWords = phrases.map(
	([spoken, written]) => [spoken.split(" "), written] as const,
);

interface Found extends Written {
	readonly is?: "time" | "stay";
}

export const writeNumbers: TextRule = (text) => {
	const tokens = tokenize(text);
	const edits: Edit[] = [];
	let i = 0;
	let timeEnded = -9; // index behind the last time
	while (i < tokens.length) {
		const found = findAt(text, tokens, i, timeEnded === i - 1);
		if (!found) {
			i++;
			continue;
		}
		if (found.is === "time") timeEnded = found.next;
		const from = (tokens[i] as Token).from;
		const to = (tokens[found.next - 1] as Token).to;
		if (found.is !== "stay" && text.slice(from, to) !== found.text)
			edits.push({ from, to, text: found.text });
		i = found.next;
	}
	return edits;
};

function findAt(
	text: string,
	tokens: readonly Token[],
	i: number,
	afterTime: boolean,
): Found | undefined {
	const token = tokens[i] as Token;
	if (token.glued || token.kind === "mark") return undefined;
	const time = readTime(tokens, i, afterTime);
	return (
		readPhrase(tokens, i) ??
		readDate(text, tokens, i) ??
		readDayOfMonth(text, tokens, i) ??
		(time && { ...time, is: "time" }) ??
		readRange(tokens, i) ??
		readQuantity(tokens, i) ??
		readFraction(tokens, i) ??
		readTelephone(tokens, i) ??
		readLabelled(tokens, i) ??
		readPlainYear(tokens, i) ??
		readPlainOrdinal(tokens, i) ??
		readPlain(tokens, i)
	);
}

function readPhrase(tokens: readonly Token[], i: number): Found | undefined {
	for (const [words, written] of phraseWords) {
		if (tokens[i]?.word !== words[0]) continue;
		if (!words.every((it, k) => k === 0 || wordAt(tokens, i + k) === it))
			continue;
		const next = i + words.length;
		if (numberGoesOn(tokens, next) || isUnitAt(tokens, next)) continue;
		return written === undefined
			? { next, text: "", is: "stay" }
			: { next, text: written };
	}
	return undefined;
}

/** Ten to twenty, between five and ten, three to five percent, nine or ten. */
function readRange(tokens: readonly Token[], i: number): Found | undefined {
	const first = readMixed(tokens, i);
	if (!first || first.digits) return undefined;
	const link = wordAt(tokens, first.next);
	const between = tokens[i - 1]?.word === "between";
	if (link !== "to" && link !== "or" && !(link === "and" && between))
		return undefined;
	const from = first.next + 1;
	if (wordAt(tokens, from) === undefined || readYear(tokens, i)?.pair)
		return undefined;
	const second = readMixed(tokens, from);
	if (!second || second.digits || readYear(tokens, from)?.pair)
		return undefined;
	if (numberGoesOn(tokens, second.next)) return undefined;
	const small = first.value < 10 && second.value < 10;
	if (small && !isUnitAt(tokens, second.next)) return undefined;
	const sign = currencySignAt(tokens, second.next);
	const quantity = sign === undefined ? readQuantity(tokens, from) : undefined;
	if (sign !== undefined)
		return {
			next: second.next + 1,
			text: `${sign}${first.text} ${link} ${sign}${second.text}`,
		};
	if (quantity)
		return {
			next: quantity.next,
			text: `${first.text} ${link} ${quantity.text}`,
		};
	return { next: second.next, text: `${first.text} ${link} ${second.text}` };
}

const parts: Readonly<Record<string, number>> = {
	half: 2,
	third: 3,
	fourth: 4,
	fifth: 5,
	sixth: 6,
	seventh: 7,
	eighth: 8,
	ninth: 9,
	tenth: 10,
	sixteenth: 16,
	hundredth: 100,
};

/** One half, two thirds, three quarters; a quarter may be a part of a year. */
function readFraction(tokens: readonly Token[], i: number): Found | undefined {
	const over = smallValue(tokens[i]?.word);
	if (over === undefined || over < 1 || over > 19) return undefined;
	const word = wordAt(tokens, i + 1) ?? "";
	const ofIt = wordAt(tokens, i + 2) === "of";
	if (word === "quarters" && over === 3) return { next: i + 2, text: "3/4" };
	if (word === "quarter" && over === 1 && ofIt)
		return { next: i + 2, text: "1/4" };
	const singular = over === 1 ? word : word.replace(/s$/, "");
	if (over > 1 && !word.endsWith("s")) return undefined;
	const under = Object.hasOwn(parts, singular) ? parts[singular] : undefined;
	if (under === undefined || under <= over) return undefined;
	if (under === 100 && !ofIt) return undefined;
	return { next: i + 2, text: `${over}/${under}` };
}

/** Digits said one by one, four at least: less may be counting. */
function readTelephone(tokens: readonly Token[], i: number): Found | undefined {
	const tollFree = readTollFree(tokens, i);
	if (tollFree) return tollFree;
	const read = readSpelledDigits(tokens, i);
	const dialled = /^(?:call|dial|dialed|press)$/.test(
		tokens[i - 1]?.word ?? "",
	);
	const ohInside = /^[1-9]0[1-9]$/.test(read?.digits ?? "");
	if (!read || read.digits.length < (dialled || ohInside ? 3 : 4))
		return undefined;
	if (
		isCounting(read) &&
		!/^(?:is|code|number|pin|password)$/.test(tokens[i - 1]?.word ?? "")
	)
		return undefined;
	const { digits, groups } = read;
	if (numberGoesOn(tokens, read.next)) return undefined;
	if (groups.length > 1 && ![7, 10, 11].includes(digits.length)) {
		// commas between numbers of their own
		return groups.every((it) => it >= 3)
			? { next: read.next, text: digits }
			: undefined;
	}
	return { next: read.next, text: inGroups(digits) };
}

/** 415-555-0132. */
function inGroups(digits: string): string {
	if (digits.length === 7) return digits.replace(/^(...)/, "$1-");
	if (digits.length === 10) return digits.replace(/^(...)(...)/, "$1-$2-");
	if (digits.length === 11 && digits.startsWith("1"))
		return digits.replace(/^(.)(...)(...)/, "$1-$2-$3-");
	return digits;
}

/** One eight hundred five five five one two one two. */
function readTollFree(tokens: readonly Token[], i: number): Found | undefined {
	const one = tokens[i]?.word === "one" ? 1 : 0;
	if (tokens[i + one]?.word !== "eight") return undefined;
	if (wordAt(tokens, i + one + 1) !== "hundred") return undefined;
	const rest = readSpelledDigits(tokens, i + one + 2);
	if (rest?.digits.length !== 7) return undefined;
	const local = inGroups(rest.digits);
	return { next: rest.next, text: `${one ? "1-" : ""}800-${local}` };
}

/** One two three four. */
function isCounting({ digits }: DigitsRead): boolean {
	return digits.length > 1 && "0123456789".includes(digits);
}

/** Chapter two, room four oh five, flight twelve thirty four. */
function readLabelled(tokens: readonly Token[], i: number): Found | undefined {
	const label = tokens[i - 1];
	if (label === undefined || !tokens[i]?.joined || !labels.has(label.word))
		return undefined;
	if (label.glued || determiners.has(tokens[i - 2]?.word ?? ""))
		return undefined;
	const pieces: string[] = [];
	let next = i;
	while (pieces.length < 8) {
		const spelled = readSpelledDigits(tokens, next);
		if (spelled && spelled.groups.length === 1) {
			pieces.push(spelled.digits);
			next = spelled.next;
		} else {
			const number = readNumber(tokens, next);
			if (!number || number.digits) break;
			pieces.push(number.exact ? number.text : String(number.value));
			next = number.next;
		}
		if (wordAt(tokens, next) === undefined) break;
	}
	const text = pieces.join("");
	if (text === "" || (label.word === "number" && text === "1"))
		return undefined;
	if (pieces.length > 1 && pieces.some((it) => !/^\d{1,3}$/.test(it)))
		return undefined;
	return { next, text };
}

/** Before a year. */
const yearContext = new Set(
	"in since year by until till from of during after before to through circa".split(
		" ",
	),
);

function readPlainYear(tokens: readonly Token[], i: number): Found | undefined {
	if (tokens[i]?.kind === "digits") return undefined;
	const year = readYear(tokens, i);
	if (!year || numberGoesOn(tokens, year.next)) return undefined;
	if (isUnitAt(tokens, year.next)) return undefined;
	if (year.pair) return { next: year.next, text: year.text };
	const before = tokens[i - 1]?.word ?? "";
	if (!yearContext.has(before)) return undefined;
	if (isCountedThing(wordAt(tokens, year.next) ?? "")) return undefined;
	return { next: year.next, text: year.text };
}

/** "by two thousand people": something is counted. */
function isCountedThing(word: string): boolean {
	return (
		/[^isu]s$|^people$|^men$|^women$|^children$/.test(word) &&
		!/^(?:was|has|as)$/.test(word)
	);
}

function readPlainOrdinal(
	tokens: readonly Token[],
	i: number,
): Found | undefined {
	const ordinal = readOrdinal(tokens, i);
	if (!ordinal || ordinal.value < 10) return undefined;
	const before = tokens[i - 1]?.word;
	if (ordinal.next === i + 1 && (before === "a" || before === "one"))
		return undefined; // a tenth of it
	return {
		next: ordinal.next,
		text: `${ordinal.value}${ordinalSuffix(ordinal.value)}`,
	};
}

function readPlain(tokens: readonly Token[], i: number): Found | undefined {
	const minus = minusAt(tokens, i);
	if (minus === undefined) return undefined;
	const from = i + minus.length;
	const number = readNumber(tokens, from);
	if (!number || number.digits) return undefined;
	if (numberGoesOn(tokens, number.next))
		return { next: endOfNumbers(tokens, number.next), text: "", is: "stay" };
	const mixed = readMixed(tokens, from);
	if (mixed && mixed.next > number.next)
		return number.value < 10
			? { next: mixed.next, text: "", is: "stay" } // two and a half
			: { next: mixed.next, text: minus.sign + mixed.text };
	if (isAboutHundred(tokens, i, number.next)) return undefined;
	if (number.value < 10 && !number.exact) return undefined;
	if (isPointInTime(tokens, i, number)) return undefined;
	return {
		next: number.next,
		text: minus.sign + withoutComma(tokens, from, number),
	};
}

/** "the two thousand and eight crisis": a year, unless something is counted. */
function withoutComma(
	tokens: readonly Token[],
	from: number,
	number: NumberRead,
): string {
	const { value, exact, text, next } = number;
	const maybeYear = !exact && value > 2000 && value < 2100;
	const counted =
		isCountedThing(wordAt(tokens, next) ?? "") &&
		tokens[from - 1]?.word !== "the";
	return maybeYear && !counted ? String(value) : text;
}

/** "minus ten"; undefined in "twelve minus ten". */
function minusAt(tokens: readonly Token[], i: number) {
	if (tokens[i]?.word !== "minus") return { length: 0, sign: "" };
	const before = tokens[i - 1];
	if (!tokens[i + 1]?.joined || before?.kind === "digits") return undefined;
	if (smallValue(before?.word) !== undefined) return undefined;
	return { length: 1, sign: "-" };
}

/** A hundred, a thousand: about so many. */
function isAboutHundred(
	tokens: readonly Token[],
	i: number,
	next: number,
): boolean {
	const article = tokens[i]?.word === "a" || tokens[i]?.word === "an";
	return article && next === i + 2;
}

/** "at one point five people": not 1.5. */
function isPointInTime(
	tokens: readonly Token[],
	i: number,
	{ exact }: { exact: boolean },
): boolean {
	return (
		exact &&
		tokens[i]?.word === "one" &&
		/^(?:at|from|to|this|that|of)$/.test(tokens[i - 1]?.word ?? "")
	);
}

function endOfNumbers(tokens: readonly Token[], i: number): number {
	let next = i;
	while (numberGoesOn(tokens, next)) next++;
	return next;
}
