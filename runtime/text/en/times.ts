/** English times of day: "five thirty p m" is 5:30 p.m., "half past five" 5:30, "five o'clock" 5 o'clock. */
import type { Written } from "./dates.js";
import {
	readAfternoon,
	readMilitary,
	readMinutes,
	timeContext,
} from "./day-hours.js";
import { isTens, isUnit, smallValue } from "./number-words.js";
import { isDay, wordAt } from "./read-number.js";
import { isAmount } from "./time-or-amount.js";
import type { Token } from "./tokens.js";

/** Words after a time. */
const partsOfDay = /^(?:tonight|today|tomorrow|sharp)$/;

/** @param afterTime a time ended just before: "from five thirty to six fifteen". */
export function readTime(
	tokens: readonly Token[],
	i: number,
	afterTime: boolean,
): Written | undefined {
	return (
		readPast(tokens, i) ??
		readClock(tokens, i, afterTime) ??
		readTimeRange(tokens, i) ??
		readMilitary(tokens, i) ??
		readAfternoon(tokens, i) ??
		readDigitTime(tokens, i)
	);
}

/** "from nine to five p m", "two or three p m": the half of the day is that of both. */
function readTimeRange(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const hour = smallValue(tokens[i]?.word);
	if (tokens[i]?.glued || hour === undefined || hour < 1 || hour > 12)
		return undefined;
	const minutes = readMinutes(tokens, i + 1);
	const at = minutes?.next ?? i + 1;
	const link = wordAt(tokens, at) ?? "";
	const links = timeContext.has(tokens[i - 1]?.word ?? "")
		? /^(?:to|or|and)$/
		: /^(?:to|or)$/;
	if (!links.test(link) || !tokens[at + 1]?.joined) return undefined;
	const end = readClock(tokens, at + 1, false);
	if (!end?.text.endsWith("m.")) return undefined;
	const time = minutes ? `${hour}:${minutes.text}` : String(hour);
	return { next: end.next, text: `${time} ${link} ${end.text}` };
}

function readClock(
	tokens: readonly Token[],
	i: number,
	afterTime: boolean,
): Written | undefined {
	const first = tokens[i];
	if (first === undefined || first.glued) return undefined;
	const hour = smallValue(first.word);
	if (hour === undefined || hour < 1 || hour > 12) return undefined;
	const minutes = readMinutes(tokens, i + 1);
	const next = minutes?.next ?? i + 1;
	const time = minutes ? `${hour}:${minutes.text}` : String(hour);
	const isVerb = !minutes && isVerbAm(tokens, i);
	const half = isVerb ? undefined : readMeridiem(tokens, next);
	if (half) return { next: half.next, text: `${time} ${half.text}` };
	if (!minutes) return readOClock(tokens, i + 1, hour);
	const isInDay =
		partsOfDay.test(wordAt(tokens, next) ?? "") || isInTheMorning(tokens, next);
	if (isInDay) return { next, text: time };
	const before = tokens[i - 1]?.word ?? "";
	const inContext =
		timeContext.has(before) || (afterTime && /^(?:to|and|or)$/.test(before));
	if (!inContext || isAmount(tokens, i, next)) return undefined;
	return { next, text: time };
}

/** "which one am I", "I for one am glad"; not "at nine am I have to go". @param i the hour. */
function isVerbAm(tokens: readonly Token[], i: number): boolean {
	if (wordAt(tokens, i + 1) !== "am") return false;
	const before = tokens[i - 1]?.word ?? "";
	if (tokens[i]?.word === "one")
		if (/^(?:which|no|this|that)$/.test(before)) return true;
		else if (before === "for" && tokens[i - 2]?.word === "i") return true;
	return wordAt(tokens, i + 2) === "i" && !timeContext.has(before);
}

function readOClock(
	tokens: readonly Token[],
	i: number,
	hour: number,
): Written | undefined {
	const word = wordAt(tokens, i)?.replace("’", "'");
	if (word === "o'clock") return { next: i + 1, text: `${hour} o'clock` };
	if (word === "o" && wordAt(tokens, i + 1) === "clock")
		return { next: i + 2, text: `${hour} o'clock` };
	return undefined;
}

/** 5 p m, 5:30 p m: digits from the model, letters separate. */
function readDigitTime(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const token = tokens[i];
	if (token?.kind !== "digits" || token.glued || isDay(tokens, i))
		return undefined;
	if (!/^(?:1[0-2]|[1-9])(?::[0-5]\d)?$/.test(token.word)) return undefined;
	const apart = tokens[i + 2];
	if (apart?.word !== "m" || !apart.joined) return undefined;
	const half = readMeridiem(tokens, i + 1);
	return half && { next: half.next, text: `${token.word} ${half.text}` };
}

/** p m, pm, p.m. */
function readMeridiem(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const word = wordAt(tokens, i);
	if (word === "pm" || word === "am")
		return { next: i + 1, text: `${word[0]}.m.` };
	if (word !== "p" && word !== "a") return undefined;
	let next = i + 1;
	if (tokens[next]?.word === ".") next++;
	if (tokens[next]?.word !== "m") return undefined;
	next++;
	const stop = tokens[next];
	const touching = stop?.word === "." && stop.from === tokens[next - 1]?.to;
	return { next: touching ? next + 1 : next, text: `${word}.m.` };
}

function isInTheMorning(tokens: readonly Token[], i: number): boolean {
	if (wordAt(tokens, i) === "at") return wordAt(tokens, i + 1) === "night";
	return (
		wordAt(tokens, i) === "in" &&
		wordAt(tokens, i + 1) === "the" &&
		/^(?:morning|afternoon|evening)$/.test(wordAt(tokens, i + 2) ?? "")
	);
}

/** Half past five, quarter to six, ten past five, twenty five past five. */
function readPast(tokens: readonly Token[], i: number): Written | undefined {
	const a = tokens[i]?.word === "a" ? 1 : 0;
	const minutes = minutesOf(tokens, i + a, a > 0);
	if (minutes === undefined || tokens[i]?.glued) return undefined;
	const at = i + a + (minutes === 25 ? 2 : 1);
	const way = wordAt(tokens, at);
	const to = way === "to" || way === "of";
	const isTo =
		way === "to" && (minutes === 15 || isMinutesTo(tokens, i, at + 2));
	if (way !== "past" && !isTo) return undefined;
	const hour = smallValue(wordAt(tokens, at + 1));
	if (hour === undefined || hour < 1 || hour > 12) return undefined;
	const after = wordAt(tokens, at + 2);
	if (isUnit(after) || isTens(after) || after === "hundred") return undefined;
	const shown = to ? ((hour + 10) % 12) + 1 : hour;
	const time = `${shown}:${String(to ? 60 - minutes : minutes).padStart(2, "0")}`;
	const half = readMeridiem(tokens, at + 2);
	return half
		? { next: half.next, text: `${time} ${half.text}` }
		: { next: at + 2, text: time };
}

/** "it's ten to nine", "at twenty to nine tonight"; not "at ten to twelve weeks". @param next after the hour. */
function isMinutesTo(
	tokens: readonly Token[],
	i: number,
	next: number,
): boolean {
	const before = tokens[i - 1]?.word;
	const itIs =
		before === "at" ||
		before === "it's" ||
		before === "it’s" ||
		(before === "is" && tokens[i - 2]?.word === "it");
	const after = wordAt(tokens, next);
	return (
		itIs &&
		(after === undefined ||
			partsOfDay.test(after) ||
			isInTheMorning(tokens, next) ||
			readMeridiem(tokens, next) !== undefined ||
			/^(?:and|but|so|now|already|i|we|you|he|she|they|on|please)$/.test(after))
	);
}

function minutesOf(
	tokens: readonly Token[],
	i: number,
	article: boolean,
): number | undefined {
	const word = tokens[i]?.word;
	if (article && !tokens[i]?.joined) return undefined;
	if (word === "quarter") return 15;
	if (article) return undefined;
	if (word === "half") return 30;
	const value = smallValue(word);
	if (value === 20 && wordAt(tokens, i + 1) === "five") return 25;
	return value === 5 || value === 10 || value === 20 ? value : undefined;
}
