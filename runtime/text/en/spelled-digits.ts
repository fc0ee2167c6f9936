/** Digits spoken one by one: telephone numbers, codes; at least four, because fewer may be counting. */
import type { Written } from "./dates.js";
import { smallValue, spokenSigns } from "./number-words.js";
import { numberContinues, readDecimals, wordAt } from "./read-number.js";
import type { Token } from "./tokens.js";

interface DigitsRead {
	readonly next: number;
	readonly digits: string;
	/** Sizes of the groups between marks. */
	readonly groups: readonly number[];
}

/** The longest number spoken digit by digit is a telephone number. */
const digitsMax = 20;
/** "plus one two" may be a sum. */
const internationalDigitsMin = 8;

export function readTelephone(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const special = readTollFree(tokens, i) ?? readInternational(tokens, i);
	if (special) return special;
	const read = readSpelledDigits(tokens, i);
	const isCode = endsCodeName(tokens, i) && !goesOn(tokens, read?.next ?? i);
	const dialled =
		isCode || /^(?:call|dial|dialed|press)$/.test(tokens[i - 1]?.word ?? "");
	const ohInside = /^[1-9]0[1-9]$/.test(read?.digits ?? "");
	if (!read || read.digits.length < (dialled || ohInside ? 3 : 4))
		return undefined;
	if (
		isCounting(read) &&
		!isCode &&
		!/^(?:is|code|number|pin|password)$/.test(tokens[i - 1]?.word ?? "")
	)
		return undefined;
	const { digits, groups } = read;
	if (numberContinues(tokens, read.next)) return undefined;
	if (groups.length === 7) return undefined; // a list
	if (groups.length > 1 && ![7, 10, 11].includes(digits.length)) {
		// commas between separate numbers
		return groups.every((it) => it >= 3)
			? { next: read.next, text: digits }
			: undefined;
	}
	// one oh three point five
	const decimals =
		ohInside && wordAt(tokens, read.next) === "point"
			? readDecimals(tokens, read.next + 1)
			: undefined;
	if (decimals)
		return { next: decimals.next, text: `${digits}.${decimals.text}` };
	return { next: read.next, text: inGroups(digits) };
}

/** "plus one four one five ..." is +1-415-555-0132. */
function readInternational(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	if (tokens[i]?.word !== "plus" || !tokens[i + 1]?.joined) return undefined;
	const read = readSpelledDigits(tokens, i + 1);
	return read && read.digits.length >= internationalDigitsMin
		? { next: read.next, text: `+${inGroups(read.digits)}` }
		: undefined;
}

const codes =
	/^(?:code|pin|passcode|password|cvv|cvc|extension|ext|digits|number|id|serial|plate|zip|postcode)$/;
const lettersMax = 8;

/** "the extension is", "the last four digits are", "order number a b c": three digits are enough there, and none are counting. */
function endsCodeName(tokens: readonly Token[], i: number): boolean {
	let at = i - 1;
	while (at > i - 1 - lettersMax && isSpelledLetter(tokens[at])) at--;
	if (/^(?:is|are|was|were|:)$/.test(tokens[at]?.word ?? "")) at--;
	return at < i - 1 && codes.test(tokens[at]?.word ?? "");
}

/** "part number a one two three dash b four": only some of it would be in digits. */
function goesOn(tokens: readonly Token[], i: number): boolean {
	return Object.hasOwn(spokenSigns, wordAt(tokens, i) ?? "");
}

/** A letter, or its name: alpha, bravo. */
function isSpelledLetter(token: Token | undefined): boolean {
	return (
		token?.kind === "word" &&
		/^(?:\p{L}|alpha|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliet|kilo|lima|mike|november|oscar|papa|quebec|romeo|sierra|tango|uniform|victor|whiskey|yankee|zulu)$/u.test(
			token.word,
		)
	);
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
function readTollFree(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const one = tokens[i]?.word === "one" ? 1 : 0;
	if (tokens[i + one]?.word !== "eight") return undefined;
	if (wordAt(tokens, i + one + 1) !== "hundred") return undefined;
	const rest = readSpelledDigits(tokens, i + one + 2);
	if (rest?.digits.length !== 7) return undefined;
	const local = inGroups(rest.digits);
	return { next: rest.next, text: `${one ? "1-" : ""}800-${local}` };
}

/** One two three four; five four three two one. */
function isCounting({ digits }: DigitsRead): boolean {
	if (digits.length > 3 && /[01]$/.test(digits))
		return "9876543210".includes(digits);
	return digits.length > 1 && "0123456789".includes(digits);
}

/** Digits one by one: "four one five", "five five five", "oh one three two"; "double five". */
export function readSpelledDigits(
	tokens: readonly Token[],
	i: number,
): DigitsRead | undefined {
	let digits = "";
	let next = i;
	let groupFrom = 0;
	const groups: number[] = [];
	if (tokens[i]?.glued) return undefined;
	while (digits.length < digitsMax) {
		const at = groupStart(tokens, next, digits.length - groupFrom);
		const read = readSpelled(tokens, at, next > i && at === next);
		if (!read) break;
		if (at > next) {
			groups.push(digits.length - groupFrom);
			groupFrom = digits.length;
		}
		digits += read.digits;
		next = read.next;
	}
	if (digits.length < 2) return undefined;
	return { next, digits, groups: [...groups, digits.length - groupFrom] };
}

/** After a comma or hyphen at the end of a group of three or four. */
function groupStart(tokens: readonly Token[], i: number, size: number): number {
	const mark = tokens[i]?.word;
	const divides = mark === "," || mark === "-";
	return divides && (size === 3 || size === 4 || size === 1) ? i + 1 : i;
}

function readSpelled(
	tokens: readonly Token[],
	i: number,
	joined: boolean,
): { next: number; digits: string } | undefined {
	const token = tokens[i];
	if (token === undefined || (joined && !token.joined)) return undefined;
	const times = { double: 2, triple: 3 }[token.word];
	if (times !== undefined) {
		const digit = spelledDigit(tokens[i + 1]);
		if (digit === undefined || !tokens[i + 1]?.joined) return undefined;
		return { next: i + 2, digits: digit.repeat(times) };
	}
	const digit = spelledDigit(token);
	if (digit === undefined) return undefined;
	return { next: i + 1, digits: digit };
}

function spelledDigit(token: Token | undefined): string | undefined {
	if (token?.word === "oh" || token?.word === "o") return "0";
	const value = smallValue(token?.word);
	return value !== undefined && value < 10 ? String(value) : undefined;
}
