/** English dates: "march fifth twenty twenty six" becomes March 5, 2026; "the fifth of march" the 5th of March. */
import { isMonth, ordinalSuffix } from "./number-words.js";
import { readNumber, wordAt } from "./read-number.js";
import { readOrdinal, readYear } from "./read-ordinal.js";
import type { Token } from "./tokens.js";

export interface Written {
	/** Index of the first token after it. */
	readonly next: number;
	readonly text: string;
}

/** Months that are also words: a date only where nothing else is possible. */
const ambiguous = new Set(["march", "may"]);
/** Words that may precede a date. */
const dateContext = new Set(
	"on by until till since before after from of is was to the through for this next last and or in between early late mid".split(
		" ",
	),
);
/** Words behind days; others are what an ordinal counts: "june first to third grade". */
const behindDays = new Set(
	`in at on we i you they he she it is are was were will and or but with for from this next last when while
	every each inclusive only also then so if because as before after during until since which who has have had can could should would must do does did`.split(
		/\s+/,
	),
);

function monthAt(tokens: readonly Token[], i: number): string | undefined {
	const word = tokens[i]?.word ?? "";
	return isMonth(word) && !tokens[i]?.glued
		? word[0]?.toUpperCase() + word.slice(1)
		: undefined;
}

/** A date that begins with a month. */
export function readDate(
	text: string,
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const month = monthAt(tokens, i);
	if (month === undefined || !canBeMonth(text, tokens, i)) return undefined;
	const day = hasDay(tokens, i) ? undefined : readDay(tokens, i);
	if (!day) {
		const year = yearAt(tokens, i + 1);
		return year && { next: year.next, text: `${month} ${year.text}` };
	}
	const year = yearAfterDay(tokens, day.next);
	if (year)
		return { next: year.next, text: `${month} ${day.text}, ${year.text}` };
	if (!day.certain) return undefined;
	return (
		readDays(tokens, month, day) ?? {
			next: day.next,
			text: `${month} ${day.text}`,
		}
	);
}

/** "June fifth through tenth". */
function readDays(
	tokens: readonly Token[],
	month: string,
	first: Written,
): Written | undefined {
	const link = wordAt(tokens, first.next);
	if (link !== "to" && link !== "through") return undefined;
	if (wordAt(tokens, first.next + 1) === undefined) return undefined;
	const last = readOrdinal(tokens, first.next + 1);
	if (!last || last.value <= Number(first.text) || last.value > 31)
		return undefined;
	const year = yearAfterDay(tokens, last.next);
	const after = wordAt(tokens, last.next);
	if (!year && after !== undefined && !behindDays.has(after)) return undefined; // to third grade, to the tenth of July
	const text = `${month} ${first.text} ${link} ${last.value}`;
	return year
		? { next: year.next, text: `${text}, ${year.text}` }
		: { next: last.next, text };
}

/** "March" as a month: capitalized inside a sentence, or surrounded by words that occur with dates. */
function canBeMonth(
	text: string,
	tokens: readonly Token[],
	i: number,
): boolean {
	const token = tokens[i] as Token;
	if (!ambiguous.has(token.word)) return true;
	const before = tokens[i - 1];
	if (before === undefined) return true;
	if (before.kind === "mark") return before.word !== "%";
	if (/[A-Z]/.test(text[token.from] as string)) return true;
	return dateContext.has(before.word) || !/[a-z0-9]/.test(before.word);
}

/** The May of "5th of May" already has its day: a number after it is not another one. */
function hasDay(tokens: readonly Token[], i: number): boolean {
	return (
		tokens[i - 1]?.word === "of" &&
		/^(?:st|nd|rd|th)$/.test(tokens[i - 2]?.word ?? "")
	);
}

interface Day extends Written {
	/** It is a day even without a year. */
	readonly certain: boolean;
}

function readDay(tokens: readonly Token[], i: number): Day | undefined {
	const the = wordAt(tokens, i + 1) === "the" ? 1 : 0;
	const at = i + 1 + the;
	if (wordAt(tokens, at) === undefined) return undefined;
	const ordinal = readOrdinal(tokens, at);
	if (ordinal && isQuarter(tokens, ordinal)) return undefined;
	if (ordinal && ordinal.value >= 1 && ordinal.value <= 31)
		return { next: ordinal.next, text: String(ordinal.value), certain: true };
	if (the > 0) return undefined;
	const number = readNumber(tokens, at);
	if (!number || number.exact || number.value < 1 || number.value > 31)
		return undefined;
	// "june twenty twenty six" is a year
	if (readYear(tokens, at)?.pair) return undefined;
	const after = tokens[number.next];
	const ends = after === undefined || after.kind === "mark";
	const named = /^(?:on|by|until|since|before|after)$/.test(
		tokens[i - 1]?.word ?? "",
	);
	return {
		next: number.next,
		text: String(number.value),
		certain: ends || named,
	};
}

/** "The june third quarter"; but "on june third quarter past five". */
function isQuarter(
	tokens: readonly Token[],
	{ value, next }: { readonly value: number; readonly next: number },
): boolean {
	return (
		value <= 4 &&
		/^quarters?$/.test(wordAt(tokens, next) ?? "") &&
		!/^(?:past|to|after|till?)$/.test(wordAt(tokens, next + 1) ?? "")
	);
}

/** A year after the day, possibly after a comma. */
function yearAfterDay(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const comma = tokens[i]?.word === "," ? 1 : 0;
	const year = readYear(tokens, i + comma);
	if (!year || year.text.endsWith("s")) return undefined;
	if (comma === 0 && !tokens[i]?.joined) return undefined;
	// after a comma digits may begin the next clause: only words are read as a year there
	if (comma === 1 && tokens[i + 1]?.kind === "digits") return undefined;
	return year;
}

function yearAt(tokens: readonly Token[], i: number): Written | undefined {
	if (wordAt(tokens, i) === undefined || tokens[i]?.kind === "digits")
		return undefined;
	const year = readYear(tokens, i);
	return year && !year.text.endsWith("s") ? year : undefined;
}

/** "The fifth of march": only the number and the month's capital change. */
export function readDayOfMonth(
	text: string,
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const day = readOrdinal(tokens, i);
	if (!day || day.value < 1 || day.value > 31) return undefined;
	if (wordAt(tokens, day.next) !== "of") return undefined;
	const month = monthAt(tokens, day.next + 1);
	if (month === undefined || !tokens[day.next + 1]?.joined) return undefined;
	if (!canBeMonth(text, tokens, day.next + 1)) return undefined;
	const year = yearAt(tokens, day.next + 2);
	const written = `${day.value}${ordinalSuffix(day.value)} of ${month}`;
	return year
		? { next: year.next, text: `${written} ${year.text}` }
		: { next: day.next + 2, text: written };
}
