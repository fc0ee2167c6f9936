/**
 * The grammar of English numbers over tokens: cardinals and decimals. Readers take tokens and an index and return what
 * they read and where it ends; none looks ahead further than the length of a number.
 */
import {
	isMonth,
	isNumberWord,
	isUnit,
	scaleValue,
	smallValue,
} from "./number-words.js";
import type { Token } from "./tokens.js";

export interface NumberRead {
	/** Index of the first token after it. */
	readonly next: number;
	/** In digits, with commas from 1,000 on; round millions and more as "3 million". */
	readonly text: string;
	readonly value: number;
	/** A decimal, or digits that the model wrote. */
	readonly exact: boolean;
	/** It was in digits already. */
	readonly digits: boolean;
}

/** The word at `i`, if it follows the one before without a mark between. */
export function wordAt(
	tokens: readonly Token[],
	i: number,
): string | undefined {
	const token = tokens[i];
	return token?.joined ? token.word : undefined;
}

/** Below a hundred: twenty six, fifteen, nine. */
export function readTwo(
	tokens: readonly Token[],
	i: number,
): { next: number; value: number } | undefined {
	const value = smallValue(tokens[i]?.word);
	if (value === undefined) return undefined;
	if (value >= 20 && isUnit(wordAt(tokens, i + 1)))
		return {
			next: i + 2,
			value: value + (smallValue(tokens[i + 1]?.word) ?? 0),
		};
	return { next: i + 1, value };
}

/** Up to 9,900: two hundred and five, fifteen hundred. */
function readHundreds(
	tokens: readonly Token[],
	i: number,
): { next: number; value: number } | undefined {
	const count = isArticle(tokens, i)
		? { next: i + 1, value: 1 }
		: readTwo(tokens, i);
	if (!count) return undefined;
	if (count.value === 0) return count;
	if (wordAt(tokens, count.next) !== "hundred")
		return isArticle(tokens, i) ? undefined : count;
	const value = count.value * 100;
	return addRest(tokens, count.next + 1, value, 100);
}

/** After hundred or thousand: a rest, possibly after "and". */
function addRest(
	tokens: readonly Token[],
	i: number,
	value: number,
	below: number,
): { next: number; value: number } {
	const and = wordAt(tokens, i) === "and";
	const from = and ? i + 1 : i;
	if (wordAt(tokens, from) === undefined || isArticle(tokens, from))
		return { next: i, value };
	const rest =
		below === 100 || and ? readTwo(tokens, from) : readHundreds(tokens, from);
	const scale = wordAt(tokens, rest?.next ?? -1);
	// "one hundred and two hundred": two numbers
	if (!rest || rest.value === 0 || rest.value >= below)
		return { next: i, value };
	if (
		scale === "hundred" ||
		(and && scaleValue(scale) !== undefined && below > 100)
	)
		return { next: i, value };
	return { next: rest.next, value: value + rest.value };
}

/** "a" or "an" before hundred, thousand, million. */
function isArticle(tokens: readonly Token[], i: number): boolean {
	const word = tokens[i]?.word;
	if (word !== "a" && word !== "an") return false;
	if (/^(?:half|of)$/.test(tokens[i - 1]?.word ?? "")) return false; // half a million
	const next = wordAt(tokens, i + 1);
	return next === "hundred" || scaleValue(next) !== undefined;
}

/** One million two hundred thousand and five. */
export function readCardinal(
	tokens: readonly Token[],
	i: number,
): { next: number; value: number; scale?: string } | undefined {
	let part = isArticle(tokens, i)
		? (readHundreds(tokens, i) ?? { next: i + 1, value: 1 })
		: readHundreds(tokens, i);
	if (!part) return undefined;
	let sum = 0;
	let scaleBefore = Number.POSITIVE_INFINITY;
	let round: string | undefined;
	let { next } = part;
	for (;;) {
		const word = wordAt(tokens, part.next);
		const scale = scaleValue(word);
		if (scale === undefined || scale >= scaleBefore) {
			sum += part.value;
			next = part.next;
			break;
		}
		sum += part.value * scale;
		round = sum % 1e6 === 0 && scale >= 1e6 ? word : undefined;
		scaleBefore = scale;
		next = part.next + 1;
		const and = wordAt(tokens, next) === "and";
		const from = and ? next + 1 : next;
		if (wordAt(tokens, from) === undefined || isArticle(tokens, from)) break;
		const more = readHundreds(tokens, from);
		const scaleAfter = scaleValue(wordAt(tokens, more?.next ?? -1));
		if (!more || more.value === 0 || more.value >= 1000) break;
		if (and && (more.value >= 100 || scaleAfter !== undefined)) break;
		if (scaleAfter !== undefined && scaleAfter >= scale) break;
		// "a million two" is 1.2 million, if anything
		const isLoose = !and && scaleAfter === undefined && more.value < 10;
		if (scale >= 1e6 && isLoose) break;
		round = undefined;
		part = more;
	}
	return { next, value: sum, ...(round === undefined ? {} : { scale: round }) };
}

/** A cardinal, a decimal ("three point five", "2.5 million") or digits. */
export function readNumber(
	tokens: readonly Token[],
	i: number,
): NumberRead | undefined {
	const first = tokens[i];
	if (first === undefined || first.glued) return undefined;
	if (first.kind === "digits") return readDigitToken(tokens, i);
	const whole = readCardinal(tokens, i);
	if (!whole) return undefined;
	const decimal =
		whole.scale === undefined ? readDecimal(tokens, whole) : undefined;
	if (decimal) return withScale(tokens, decimal);
	return {
		next: whole.next,
		text: writeCardinal(whole.value, whole.scale),
		value: whole.value,
		exact: false,
		digits: false,
	};
}

function readDigitToken(
	tokens: readonly Token[],
	i: number,
): NumberRead | undefined {
	const { word } = tokens[i] as Token;
	if (!/^[\d,]+(?:\.\d+)?$/.test(word) || isDay(tokens, i)) return undefined;
	const value = Number(word.replaceAll(",", ""));
	return withScale(tokens, {
		next: i + 1,
		text: word,
		value,
		exact: true,
		digits: true,
	});
}

/** The 5 of March 5 does not belong to what follows. */
export function isDay(tokens: readonly Token[], i: number): boolean {
	return wordAt(tokens, i) !== undefined && isMonth(tokens[i - 1]?.word);
}

function withScale(tokens: readonly Token[], number: NumberRead): NumberRead {
	const word = wordAt(tokens, number.next);
	const scale = scaleValue(word);
	if (scale === undefined || (number.digits && scale < 1e6)) return number;
	if (scale < 1e6 && !number.digits)
		return {
			...number,
			next: number.next + 1,
			value: number.value * scale,
			text: withCommas(Math.round(number.value * scale)),
		};
	return {
		...number,
		next: number.next + 1,
		value: number.value * scale,
		text: `${number.text} ${word}`,
	};
}

function readDecimal(
	tokens: readonly Token[],
	whole: { next: number; value: number },
): NumberRead | undefined {
	let { next } = whole;
	let text = withCommas(whole.value);
	let parts = 0;
	while (wordAt(tokens, next) === "point") {
		const decimals = readDecimals(tokens, next + 1);
		if (!decimals) break;
		text += `.${decimals.text}`;
		next = decimals.next;
		parts++;
	}
	if (parts === 0) return undefined;
	const value = parts === 1 ? Number(text.replaceAll(",", "")) : whole.value;
	return { next, text, value, exact: true, digits: false };
}

/** After "point": "one four one five", or "twelve". */
export function readDecimals(
	tokens: readonly Token[],
	i: number,
): { next: number; text: string } | undefined {
	let next = i;
	let text = "";
	for (;;) {
		const digit = digitAt(tokens, next, text !== "");
		if (digit === undefined) break;
		text += digit;
		next++;
	}
	if (text !== "") return { next, text };
	if (wordAt(tokens, i) === undefined) return undefined;
	const two = readTwo(tokens, i);
	return two && { next: two.next, text: String(two.value) };
}

/** Zero to nine, or "oh". @param inside "o" counts, too. */
function digitAt(
	tokens: readonly Token[],
	i: number,
	inside: boolean,
): string | undefined {
	const word = wordAt(tokens, i);
	if (word === "oh" || (word === "o" && inside)) return "0";
	const value = smallValue(word);
	return value !== undefined && value < 10 ? String(value) : undefined;
}

function writeCardinal(value: number, scale: string | undefined): string {
	const size = scaleValue(scale);
	if (size === undefined) return withCommas(value);
	return `${withCommas(value / size)} ${scale}`;
}

function withCommas(value: number): string {
	return String(value).replace(/\B(?=(?:\d{3})+(?!\d))/g, ",");
}

/** Whether a number continues at `i` without a mark between. */
export function numberContinues(tokens: readonly Token[], i: number): boolean {
	const word = wordAt(tokens, i);
	return isNumberWord(word) || tokens[i]?.kind === "digits";
}
