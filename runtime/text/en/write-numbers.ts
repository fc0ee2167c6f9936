/**
 * English numbers in digits, as offices and newspapers write them: "twenty three dollars and fifty cents" is $23.50, "five thirty p m" 5:30 p.m.
 *
 * Cardinals below ten and ordinals below tenth stay words in running text ("one of them", "second thoughts"), unless
 *  - they are part of a date, a time, a decimal, a fraction, a version, or of digits spoken one by one;
 *  - a unit, percent or currency follows (three miles, 5%);
 *  - a label precedes them (chapter two, gate five), except "number one" and labels after an article (the gate two);
 *  - the other end of their range is written in digits (5 to 10).
 * From ten on digits are written, except in phrases that are not numbers (phrases below), in "a hundred", "a thousand" without a unit, and where two numbers
 * in a row are not a year, time or telephone number: their meaning is unclear.
 */
import type { Edit, TextRule } from "../edits.js";
import { readStreetNumber } from "./addresses.js";
import { readDate, readDayOfMonth } from "./dates.js";
import { readFraction, readMixedFraction } from "./fractions.js";
import { readLabelled } from "./labels.js";
import { isNumberWord } from "./number-words.js";
import {
	type FoundNumber,
	readPlain,
	readPlainOrdinal,
	readPlainYear,
	readPressure,
} from "./plain-numbers.js";
import { isUnitAt, readQuantity } from "./quantities.js";
import { readRange } from "./ranges.js";
import { numberContinues, wordAt } from "./read-number.js";
import { readTelephone } from "./spelled-digits.js";
import { readSplitCount } from "./split-count.js";
import { readQuarter, readSigned } from "./spoken-signs.js";
import { readTime } from "./times.js";
import { type Token, tokenize } from "./tokens.js";

/** Phrases that are not numbers, with their spelling where it is in digits all the same. */
const phrases: readonly (readonly [string, string?])[] = [
	["twenty four seven", "24/7"],
	["seven eleven"],
	["nine eleven"],
	["nine one one", "911"],
	["catch twenty two"],
	["fifty fifty"],
	["twenty four by seven", "24 by 7"],
	["twenty twenty vision", "20/20 vision"],
	["twenty twenty hindsight", "20/20 hindsight"],
	["seventy sixers", "76ers"],
	["forty niners", "49ers"],
	["whole nine yards"],
	["ten four"],
	["forty winks"],
	["one on one"],
	["two cents worth"],
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

export const writeNumbers: TextRule = (text) => {
	const tokens = tokenize(text);
	const edits: Edit[] = [];
	let i = 0;
	let timeEnded = -9; // index after the last time
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
): FoundNumber | undefined {
	const token = tokens[i] as Token;
	if (token.glued || token.kind === "mark") return undefined;
	const time = readTime(tokens, i, afterTime);
	return (
		readSplitCount(text, tokens, i) ??
		readPhrase(tokens, i) ??
		readSigned(tokens, i) ??
		readQuarter(tokens, i) ??
		readStreetNumber(tokens, i) ??
		readDate(text, tokens, i) ??
		readDayOfMonth(text, tokens, i) ??
		(time && { ...time, is: "time" }) ??
		readPressure(tokens, i) ??
		readRange(tokens, i) ??
		readQuantity(tokens, i) ??
		readMixedFraction(tokens, i) ??
		readFraction(tokens, i) ??
		readTelephone(tokens, i) ??
		readLabelled(tokens, i) ??
		readPlainYear(tokens, i) ??
		readPlainOrdinal(tokens, i) ??
		readPlain(tokens, i)
	);
}

function readPhrase(
	tokens: readonly Token[],
	i: number,
): FoundNumber | undefined {
	for (const [words, written] of phraseWords) {
		if (tokens[i]?.word !== words[0]) continue;
		if (!words.every((it, k) => k === 0 || wordAt(tokens, i + k) === it))
			continue;
		const next = i + words.length;
		const endsInNumber = isNumberWord(words.at(-1));
		if (endsInNumber && isUnitAt(tokens, next)) continue; // not: the forty niners won
		if (numberContinues(tokens, next)) continue;
		return written === undefined
			? { next, text: "", is: "stay" }
			: { next, text: written };
	}
	return undefined;
}
