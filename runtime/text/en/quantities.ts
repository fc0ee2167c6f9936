/** English quantities: money, percent, measures. A number before one of these is written in digits, however small. */
import type { Written } from "./dates.js";
import { isPercentAt, readMixed } from "./mixed-numbers.js";
import { isNumberWord, isUnit, smallValue } from "./number-words.js";
import { type NumberRead, readNumber, wordAt } from "./read-number.js";
import type { Token } from "./tokens.js";

const currencies: Readonly<Record<string, string>> = {
	dollar: "$",
	dollars: "$",
	euro: "€",
	euros: "€",
};

const measures = new Set(
	`degrees degree celsius fahrenheit kelvin percentage kilometers kilometer kilometres kilometre meters meter metres metre centimeters
	centimeter centimetres centimetre millimeters millimeter millimetres millimetre miles mile yards feet inches inch
	kilograms kilogram kilos kilo grams gram milligrams milligram pounds ounces tons tonnes liters liter litres litre milliliters milliliter millilitres millilitre
	gallons gallon watts watt kilowatts kilowatt megawatts megawatt volts volt amps hertz kilohertz megahertz gigahertz byte bytes kilobyte kilobytes megabyte megabytes
	gigabyte gigabytes terabyte terabytes bits megabits gigabits pixels calories acres hectares mph kph knots decibels newtons joules gigs megs
	cents cent pence yen yuan won rupees francs pesos euros km kg cm mm gb mb tb kb hz khz mhz ghz kw`
		.trim()
		.split(/\s+/),
);
/** "one foot in the door" is not a measurement. */
const notOne = new Set(["yard", "pound", "inch", "foot", "degree"]);

/** A number with its unit, where the unit turns any number into digits. */
export function readQuantity(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const dollarFifty = readDollarFifty(tokens, i);
	if (dollarFifty) return dollarFifty;
	const minus = minusAt(tokens, i);
	const from = minus === "" ? i : i + 1;
	const number = readMixed(tokens, from) ?? readPoint(tokens, from);
	if (!number) return undefined;
	return (
		readMoney(tokens, number, minus) ??
		readPercent(tokens, number, minus) ??
		readMeasure(tokens, number, minus)
	);
}

/** "minus five degrees". */
function minusAt(tokens: readonly Token[], i: number): string {
	const word = tokens[i]?.word;
	if (word !== "minus" && word !== "negative") return "";
	return isSign(tokens, i) ? "-" : "";
}

/** Whether the "minus" at `i` belongs to what follows; not in "ten minus five", "plus or minus three percent". */
export function isSign(tokens: readonly Token[], i: number): boolean {
	const before = tokens[i - 1];
	if (before === undefined) return true;
	if (before.kind === "digits" || isNumberWord(before.word)) return false;
	if (before.word === "%" || isUnitAt(tokens, i - 1)) return false;
	const either = before.word === "or" || before.word === "and" ? 2 : 1;
	return !/^(?:plus|positive)$/.test(tokens[i - either]?.word ?? "");
}

/** "point five": only before a unit. */
function readPoint(
	tokens: readonly Token[],
	i: number,
): NumberRead | undefined {
	if (tokens[i]?.word !== "point" || tokens[i]?.glued) return undefined;
	const digit = wordAt(tokens, i + 1);
	if (!isUnit(digit) && digit !== "oh" && digit !== "zero") return undefined;
	const zero = readNumber([{ ...zeroToken }, ...rest(tokens, i)], 0);
	return zero && { ...zero, next: zero.next - 1 + i };
}

const zeroToken: Token = {
	from: 0,
	to: 0,
	word: "zero",
	kind: "word",
	joined: true,
	glued: false,
};

/** "point" and the digits after it; longer decimals are not spoken. */
function rest(tokens: readonly Token[], i: number): Token[] {
	return tokens
		.slice(i, i + 12)
		.map((it, k) => (k === 0 ? { ...it, joined: true } : it));
}

/** $23.50, $3 million. */
function readMoney(
	tokens: readonly Token[],
	number: NumberRead,
	minus: string,
): Written | undefined {
	const word = wordAt(tokens, number.next) ?? "";
	const sign = Object.hasOwn(currencies, word) ? currencies[word] : undefined;
	const next = number.next + 1;
	if (word === "pounds" || word === "pound")
		return readPounds(tokens, number, minus);
	if (sign === undefined || isQuestion(tokens, number, word)) return undefined;
	const whole = /^[\d,]+$/.test(number.text);
	const cents = whole ? readCents(tokens, next) : undefined;
	const text = `${minus}${sign}${number.text}`;
	return cents
		? { next: cents.next, text: `${text}.${cents.text}` }
		: { next, text };
}

/** "five pounds fifty" is £5.50; without pence, pounds may be a weight. */
function readPounds(
	tokens: readonly Token[],
	{ next, text }: NumberRead,
	minus: string,
): Written | undefined {
	if (!/^[\d,]+$/.test(text)) return undefined;
	const pence =
		readLooseCents(tokens, next + 1) ??
		readCoins(tokens, next + 1, /^(?:pence|penny)$/);
	return pence && { next: pence.next, text: `${minus}£${text}.${pence.text}` };
}

/** "a million dollar question", "a hundred dollar bill"; but "a $20 bill". */
function isQuestion(
	tokens: readonly Token[],
	{ next, value }: NumberRead,
	word: string,
): boolean {
	return (
		word === "dollar" &&
		value > 1 &&
		/^an?$/.test(tokens[next - 2]?.word ?? "") &&
		!isSmallNumber(tokens[next - 1])
	);
}

/** Zero to ninety, not hundred or million, whose article is their count. */
function isSmallNumber(token: Token | undefined): boolean {
	return token?.kind === "digits" || smallValue(token?.word) !== undefined;
}

/** "a dollar fifty" is $1.50. */
function readDollarFifty(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	if (tokens[i]?.word !== "a" || wordAt(tokens, i + 1) !== "dollar")
		return undefined;
	const cents = readLooseCents(tokens, i + 2);
	return cents && { next: cents.next, text: `$1.${cents.text}` };
}

/** The fifty of "two dollars fifty": nothing that it could count may follow. */
function readLooseCents(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	if (wordAt(tokens, i) === undefined) return undefined;
	const cents = readNumber(tokens, i);
	if (!cents || cents.exact || cents.value < 10 || cents.value > 99)
		return undefined;
	const after = tokens[cents.next];
	const ends = after === undefined || after.kind === "mark";
	return ends ? { next: cents.next, text: cents.text } : undefined;
}

/** "and fifty cents". */
function readCents(tokens: readonly Token[], i: number): Written | undefined {
	return readLooseCents(tokens, i) ?? readCoins(tokens, i, /^cents?$/);
}

function readCoins(
	tokens: readonly Token[],
	i: number,
	coin: RegExp,
): Written | undefined {
	const and = wordAt(tokens, i) === "and" ? 1 : 0;
	if (wordAt(tokens, i + and) === undefined) return undefined;
	const cents = readNumber(tokens, i + and);
	if (!cents || cents.text.includes(".") || cents.value < 1 || cents.value > 99)
		return undefined;
	if (!coin.test(wordAt(tokens, cents.next) ?? "")) return undefined;
	return { next: cents.next + 1, text: String(cents.value).padStart(2, "0") };
}

function readPercent(
	tokens: readonly Token[],
	number: NumberRead,
	minus: string,
): Written | undefined {
	const word = wordAt(tokens, number.next);
	if (word === "percent")
		return { next: number.next + 1, text: `${minus}${number.text}%` };
	if (word === "per" && wordAt(tokens, number.next + 1) === "cent")
		return { next: number.next + 2, text: `${minus}${number.text}%` };
	return undefined;
}

/** The unit stays a word; only the number changes. */
function readMeasure(
	tokens: readonly Token[],
	number: NumberRead,
	minus: string,
): Written | undefined {
	if (number.digits) return undefined;
	const { next } = number;
	const word = wordAt(tokens, next) ?? "";
	const unit =
		word === "square" || word === "cubic"
			? (wordAt(tokens, next + 1) ?? "")
			: word;
	if (unit === "foot" && areInchesAt(tokens, next + 1))
		return { next, text: minus + number.text };
	if (!measures.has(unit) && !(number.exact && minus !== "")) return undefined;
	if (number.value === 1 && notOne.has(unit) && minus === "") return undefined;
	if (isOwn(tokens, next, unit, number)) return undefined;
	return { next, text: minus + number.text };
}

/** The ten inches of "five foot ten inches". */
function areInchesAt(tokens: readonly Token[], i: number): boolean {
	if (wordAt(tokens, i) === undefined) return false;
	const inches = readNumber(tokens, i);
	return /^inch(?:es)?$/.test(wordAt(tokens, inches?.next ?? -1) ?? "");
}

/** "on your own two feet", "my two cents". */
function isOwn(
	tokens: readonly Token[],
	next: number,
	unit: string,
	{ value }: NumberRead,
): boolean {
	return (
		(unit === "feet" || unit === "cents") &&
		value === 2 &&
		/^(?:own|left|my|your|his|her|their|our)$/.test(
			tokens[next - 2]?.word ?? "",
		)
	);
}

/** A word before which numbers are written in digits. */
export function isUnitAt(tokens: readonly Token[], i: number): boolean {
	const word = wordAt(tokens, i) ?? "";
	return (
		measures.has(word) ||
		Object.hasOwn(currencies, word) ||
		isPercentAt(tokens, i)
	);
}

/** The currency sign of a unit after the second number of a range ("three to five dollars"), for both numbers. */
export function currencySignAt(
	tokens: readonly Token[],
	i: number,
): string | undefined {
	const word = wordAt(tokens, i) ?? "";
	return Object.hasOwn(currencies, word) ? currencies[word] : undefined;
}
