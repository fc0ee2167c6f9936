/** House numbers: "four fifteen pine street" is 415 pine street and no time of day, "sixteen hundred pennsylvania avenue" has no comma. */
import { isCounted } from "./counted.js";
import type { Written } from "./dates.js";
import { type LabelNumber, readLabelNumber } from "./label-number.js";
import { isNumberWord, ordinalValue } from "./number-words.js";
import { isUnitAt } from "./quantities.js";
import { wordAt } from "./read-number.js";
import type { Token } from "./tokens.js";

const street = /^(?:street|avenue|boulevard|road|parkway|lane)$/;
const direction = /^(?:north|south|east|west|(?:north|south)(?:east|west))$/;
/** Words that begin no street's name: those behind a time, and verbs of which a street is the object ("at four fifteen take pine street"). */
const notInNames = new Set(
	`a an the on in at to from of for by with and or but so if as is are was were be been will would can could should has have had do does did
	i we you he she it they me us him them there here this that these those my your his her our their what who when where while until till before
	after about around near past per every each all no not o o'clock p am pm sharp today tonight tomorrow eastern central pacific hours minutes
	take turn cross enter leave follow use hit head onto down up along drive walk go close closed block blocked outside inside between opposite behind
	percent million billion trillion minute hour day week month year`.split(
		/\s+/,
	),
);
/** "in nineteen fifty" is a year, "until ten thirty" a time. */
const beforeTimes = /^(?:in|since|from|by|until|till|before|after)$/;
/** Behind a street that a sentence is about. */
const saysOfIt = /^(?:is|are|was|were|has|had|will|would)$/;
/** Before "at" where a sentence, or a part of one, begins with it. */
const beforeSentence = /^(?:and|but|so|because|that|when)$/;
const timeOfDay = /^(?:[1-9]|1[0-2])[0-5]\d$/;
/** Besides directions, and numbers in them: "forty second street". */
const nameWordsMax = 2;
const nameTokensMax = 5;

/** @param i where the number begins. */
export function readStreetNumber(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const number = readDigits(tokens, i);
	if (!number) return undefined;
	let at = number.next;
	while (at < number.next + nameTokensMax && inName(tokens, at)) at++;
	return at > number.next &&
		street.test(wordAt(tokens, at) ?? "") &&
		!(number.pieces === 1 && isCountedAt(tokens, at + 1)) &&
		!(
			mayBeTime(tokens, i, number) &&
			saysOfIt.test(wordAt(tokens, at + 1) ?? "")
		) &&
		canBeName(tokens, number, at)
		? { next: number.next, text: number.text }
		: undefined;
}

/** Roads that are only what something is of: "two thousand local road projects". */
function isCountedAt(tokens: readonly Token[], i: number): boolean {
	return isCounted(wordAt(tokens, i) ?? "") || isUnitAt(tokens, i);
}

/** "At ten thirty Oxford Street was packed"; but "the shop at ten thirty Oxford Street". */
function mayBeTime(
	tokens: readonly Token[],
	i: number,
	{ text, pieces }: LabelNumber,
): boolean {
	if (pieces === 1 || !timeOfDay.test(text)) return false;
	if (tokens[i - 1]?.word !== "at") return false;
	const before = tokens[i - 2];
	return (
		before === undefined ||
		before.kind === "mark" ||
		beforeSentence.test(before.word)
	);
}

/** Whether the text ends in a number and what may become the name of its street. @returns the index of the number. */
export function streetNumberAtEnd(
	tokens: readonly Token[],
): number | undefined {
	// the word behind "two thousand local road" may be what there are so many of, or say that the number was a time
	const isWhole = street.test(tokens.at(-1)?.word ?? "");
	const to = tokens.length - (isWhole ? 1 : 0);
	for (let size = 1; size <= nameTokensMax; size++) {
		const end = to - size;
		if (!inName(tokens, end)) return undefined;
		for (let i = end - 1; i >= Math.max(0, end - nameTokensMax); i--) {
			const number = readDigits(tokens, i);
			if (number?.next !== end || !canBeName(tokens, number, to)) continue;
			const isDecided =
				isWhole && number.pieces > 1 && !mayBeTime(tokens, i, number);
			return isDecided ? undefined : i;
		}
	}
	return undefined;
}

/** At least three digits. */
function readDigits(
	tokens: readonly Token[],
	i: number,
): LabelNumber | undefined {
	if (tokens[i]?.glued || beforeTimes.test(tokens[i - 1]?.word ?? ""))
		return undefined;
	if (!isNumberWord(tokens[i]?.word)) return undefined;
	const number = readLabelNumber(tokens, i);
	return number && /^[1-9]\d{2,4}$/.test(number.text) ? number : undefined;
}

function inName(tokens: readonly Token[], i: number): boolean {
	const word = wordAt(tokens, i);
	return (
		tokens[i]?.kind === "word" &&
		word !== undefined &&
		!notInNames.has(word) &&
		!street.test(word)
	);
}

/** @param to where the name ends. */
function canBeName(
	tokens: readonly Token[],
	{ next, pieces }: LabelNumber,
	to: number,
): boolean {
	const words = tokens
		.slice(next, to)
		.map((it) => it.word)
		.filter((it) => !direction.test(it) && !isNumber(it));
	const [first = ""] = words;
	// "two fifteen cars blocked main street", "five thousand people"; Wall Street is the stock exchange
	if (isUnitAt(tokens, next)) return false;
	if ((words.length > 1 || pieces === 1) && isCounted(first)) return false;
	if (words.length > nameWordsMax) return false;
	return !(words.length === 1 && first === "wall");
}

function isNumber(word: string): boolean {
	return isNumberWord(word) || ordinalValue(word) !== undefined;
}
