/** English numbers without a unit or context: years, ordinals from tenth on and cardinals from ten on. */
import { isCounted } from "./counted.js";
import type { Written } from "./dates.js";
import { readMixed } from "./mixed-numbers.js";
import { isNumberWord, isUnit, ordinalSuffix } from "./number-words.js";
import { isSign, isUnitAt } from "./quantities.js";
import {
	type NumberRead,
	numberContinues,
	readNumber,
	readTwo,
	wordAt,
} from "./read-number.js";
import { readOrdinal, readYear } from "./read-ordinal.js";
import type { Token } from "./tokens.js";

/** A number that was read; `is` adds how to treat it. */
export interface FoundNumber extends Written {
	readonly is?: "time" | "stay";
}

/** Blood pressure: "one twenty over eighty". */
export function readPressure(
	tokens: readonly Token[],
	i: number,
): FoundNumber | undefined {
	if (tokens[i]?.word !== "one" && tokens[i]?.word !== "two") return undefined;
	const hundreds = tokens[i]?.word === "one" ? 1 : 2;
	const oh = /^oh?$/.test(wordAt(tokens, i + 1) ?? "") ? 1 : 0;
	if (wordAt(tokens, i + 1 + oh) === undefined) return undefined;
	const upper = readTwo(tokens, i + 1 + oh);
	if (!upper || upper.value < 10 !== (oh === 1)) return undefined;
	if (wordAt(tokens, upper.next) !== "over") return undefined;
	if (wordAt(tokens, upper.next + 1) === undefined) return undefined;
	const lower = readTwo(tokens, upper.next + 1);
	if (!lower || lower.value < 40) return undefined;
	if (numberContinues(tokens, lower.next)) return undefined;
	return {
		next: lower.next,
		text: `${hundreds * 100 + upper.value} over ${lower.value}`,
	};
}

/** Words before a year. */
export const yearContext = new Set(
	"in since year by until till from of during after before to through circa".split(
		" ",
	),
);

export function readPlainYear(
	tokens: readonly Token[],
	i: number,
): FoundNumber | undefined {
	if (tokens[i]?.kind === "digits") return undefined;
	const year = readYear(tokens, i);
	if (!year || numberContinues(tokens, year.next)) return undefined;
	if (isUnitAt(tokens, year.next)) return undefined;
	const before = tokens[i - 1]?.word ?? "";
	if (year.pair)
		return /^(?:costs?|paid|pays?|charged?|charges)$/.test(before)
			? { next: year.next, text: "", is: "stay" } // a price
			: { next: year.next, text: year.text };
	if (!yearContext.has(before)) return undefined;
	// "by two thousand people"
	if (isCounted(wordAt(tokens, year.next) ?? "")) return undefined;
	return { next: year.next, text: year.text };
}

export function readPlainOrdinal(
	tokens: readonly Token[],
	i: number,
): FoundNumber | undefined {
	const ordinal = readOrdinal(tokens, i);
	if (!ordinal || ordinal.value < 10) return undefined;
	const before = tokens[i - 1]?.word;
	if (ordinal.next === i + 1 && (before === "a" || before === "one"))
		return undefined; // a tenth of it
	if (isDuration(tokens, i, ordinal.next)) return undefined;
	return {
		next: ordinal.next,
		text: `${ordinal.value}${ordinalSuffix(ordinal.value)}`,
	};
}

/** "a thirty second timeout", "twenty second intervals"; not "every twenty second of May". */
function isDuration(
	tokens: readonly Token[],
	i: number,
	next: number,
): boolean {
	if (next === i + 1 || tokens[next - 1]?.word !== "second") return false;
	const before = tokens[i - 1]?.word ?? "";
	const after = wordAt(tokens, next) ?? "";
	return (
		(/^(?:an?|another|every|each)$/.test(before) && after !== "of") ||
		(lasting.test(after) && (after.endsWith("s") || before !== "the"))
	);
}

/** What lasts some seconds. */
const lasting =
	/^(?:timer|timeout|countdown|video|clip|ad|commercial|delay|interval|break|pause)s?$/;

export function readPlain(
	tokens: readonly Token[],
	i: number,
): FoundNumber | undefined {
	const minus = minusAt(tokens, i);
	if (minus === undefined) return undefined;
	const from = i + minus.length;
	const number = readNumber(tokens, from);
	if (!number || number.digits) return undefined;
	if (numberContinues(tokens, number.next))
		return { next: endOfNumbers(tokens, number.next), text: "", is: "stay" };
	const name = nameEnd(tokens, number.next);
	if (name > number.next) return { next: name, text: "", is: "stay" };
	const mixed = readMixed(tokens, from);
	if (mixed && mixed.next > number.next)
		return number.value < 10 && !mixed.text.endsWith("illion")
			? { next: mixed.next, text: "", is: "stay" } // two and a half
			: { next: mixed.next, text: minus.sign + mixed.text };
	if (isAboutHundred(tokens, i, number.next)) return undefined;
	if (number.value < 10 && !number.exact) return undefined;
	if (isPointInTime(tokens, i, number)) return undefined;
	if (isRestInWords(tokens, i)) return undefined;
	return {
		next: number.next,
		text: minus.sign + withoutComma(tokens, from, number),
	};
}

/** "twelve oh one", "the twenty tens", "ten-four": more follows than the number. @returns `next` where nothing does. */
function nameEnd(tokens: readonly Token[], next: number): number {
	const word = wordAt(tokens, next);
	if (word === "tens") return next + 1;
	if (word === "oh" || word === "o")
		return isUnit(wordAt(tokens, next + 1)) ? next + 2 : next;
	const after = tokens[next + 1];
	const isHyphen = tokens[next]?.word === "-" && after?.glued === true;
	return isHyphen && isNumberWord(after.word) ? next + 2 : next;
}

/** "the two thousand and eight crisis": a year, unless it counts something. */
function withoutComma(
	tokens: readonly Token[],
	from: number,
	number: NumberRead,
): string {
	const { value, exact, text, next } = number;
	const maybeYear = !exact && value > 2000 && value < 2100;
	const counted =
		isCounted(wordAt(tokens, next) ?? "") && tokens[from - 1]?.word !== "the";
	return maybeYear && !counted ? String(value) : text;
}

/** "minus ten"; undefined in "twelve minus ten". */
function minusAt(tokens: readonly Token[], i: number) {
	if (tokens[i]?.word !== "minus") return { length: 0, sign: "" };
	if (!tokens[i + 1]?.joined || !isSign(tokens, i)) return undefined;
	return { length: 1, sign: "-" };
}

/** "a hundred", "a thousand": approximate. */
function isAboutHundred(
	tokens: readonly Token[],
	i: number,
	next: number,
): boolean {
	const article = tokens[i]?.word === "a" || tokens[i]?.word === "an";
	return article && next === i + 2;
}

/** "at one point five people left": not 1.5; but "from one point two to one point five billion". */
function isPointInTime(
	tokens: readonly Token[],
	i: number,
	{ exact, text, next }: NumberRead,
): boolean {
	if (!exact || tokens[i]?.word !== "one" || text.includes(" ")) return false;
	if (!/^(?:at|from|to|this|that|of)$/.test(tokens[i - 1]?.word ?? ""))
		return false;
	const after = wordAt(tokens, next) ?? "";
	// what follows "at one point" can be anything: "at one point two big guys came in"
	const link = tokens[i - 1]?.word ?? "";
	return /^(?:at|this|that)$/.test(link) || isCounted(after) || after === "of";
}

/** The eleven of "five foot eleven", the fifty of "a buck fifty": what is before them is in words. */
function isRestInWords(tokens: readonly Token[], i: number): boolean {
	const before = wordAt(tokens, i - 1);
	if (before === "foot") return isUnit(tokens[i - 2]?.word);
	const number = before === "buck" ? readNumber(tokens, i) : undefined;
	if (!number) return false;
	const after = wordAt(tokens, number.next) ?? "";
	return !isCounted(after) && after !== "times";
}

function endOfNumbers(tokens: readonly Token[], i: number): number {
	let next = i;
	while (numberContinues(tokens, next)) next++;
	return next;
}
