/** Hours of the whole day, and minutes: "at fourteen hundred hours" is 1400, "at seventeen forty five" 17:45. */
import { isCounted } from "./counted.js";
import type { Written } from "./dates.js";
import { isTeen, isTens, isUnit, smallValue } from "./number-words.js";
import { isUnitAt } from "./quantities.js";
import { numberContinues, readTwo, wordAt } from "./read-number.js";
import { isAmount } from "./time-or-amount.js";
import type { Token } from "./tokens.js";

/** Words before a time. */
export const timeContext = new Set(
	"at by until till from around before after about since between past".split(
		" ",
	),
);

/** "at fourteen hundred hours", "at oh nine hundred"; not "for fourteen hundred hours", "oh five hundred dollars". */
export function readMilitary(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const isTime = timeContext.has(tokens[i - 1]?.word ?? "");
	if (tokens[i]?.word === "oh" && isUnit(wordAt(tokens, i + 1)))
		return wordAt(tokens, i + 2) === "hundred" &&
			(isTime || wordAt(tokens, i + 3) === "hours")
			? { next: i + 3, text: `0${smallValue(tokens[i + 1]?.word)}00` }
			: undefined;
	const hour = readTwo(tokens, i);
	if (!hour || hour.value < 10 || hour.value > 24) return undefined;
	if (!isTime) return undefined;
	if (wordAt(tokens, hour.next) !== "hundred") return undefined;
	const next = hour.next + 1;
	return wordAt(tokens, next) === "hours" ||
		(hour.value > 12 && isFullHour(tokens, i, next))
		? { next, text: `${hour.value}00` }
		: undefined;
}

/** "departs at twenty one hundred": nothing is counted. @param next after "hundred". */
function isFullHour(
	tokens: readonly Token[],
	i: number,
	next: number,
): boolean {
	if (tokens[i - 1]?.word !== "at" || isUnitAt(tokens, next)) return false;
	const after = wordAt(tokens, next);
	return (
		!numberContinues(tokens, next) && after !== "and" && !isCounted(after ?? "")
	);
}

/** Before the "at" of a price or a level: "shares closed at seventeen forty five". */
const prices =
	/^(?:priced?|prices|closed|sold|sells?|selling|bought|listed|stood|stands|valued|traded|trades|trading|peaked|index|rate)$/;

/** "at seventeen forty five": 17:45; not "at twenty fifteen", which is as often a year. */
export function readAfternoon(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	if (tokens[i - 1]?.word !== "at" || tokens[i]?.glued) return undefined;
	const hour = readTwo(tokens, i);
	if (!hour || hour.value < 13 || hour.value > 23 || hour.value === 20)
		return undefined;
	const minutes = readMinutes(tokens, hour.next);
	if (!minutes || isAmount(tokens, i, minutes.next)) return undefined;
	if (prices.test(tokens[i - 2]?.word ?? "")) return undefined;
	const after = wordAt(tokens, minutes.next) ?? "";
	if (isCounted(after) || /^(?:a|an|per|year)$/.test(after)) return undefined;
	return numberContinues(tokens, minutes.next) ||
		wordAt(tokens, minutes.next) === "hours"
		? undefined
		: { next: minutes.next, text: `${hour.value}:${minutes.text}` };
}

/** Thirty, fifteen, oh five, forty five. */
export function readMinutes(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const word = wordAt(tokens, i);
	if (word === "oh" || word === "o") {
		const unit = wordAt(tokens, i + 1);
		return isUnit(unit)
			? { next: i + 2, text: `0${smallValue(unit)}` }
			: undefined;
	}
	const value = smallValue(word) ?? 60;
	if (isTeen(word)) return { next: i + 1, text: String(value) };
	if (!isTens(word) || value >= 60) return undefined;
	const unit = wordAt(tokens, i + 1);
	if (isUnit(unit))
		return { next: i + 2, text: String(value + (smallValue(unit) ?? 0)) };
	return { next: i + 1, text: String(value) };
}
