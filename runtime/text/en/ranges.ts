/** English ranges: ten to twenty, between five and ten, three to five percent, nine or ten. */
import { isCounted } from "./counted.js";
import { readMixed } from "./mixed-numbers.js";
import { type FoundNumber, yearContext } from "./plain-numbers.js";
import {
	currencySignAt,
	isSign,
	isUnitAt,
	readQuantity,
} from "./quantities.js";
import {
	type NumberRead,
	numberContinues,
	readTwo,
	wordAt,
} from "./read-number.js";
import { readYear } from "./read-ordinal.js";
import type { Token } from "./tokens.js";

export function readRange(
	tokens: readonly Token[],
	i: number,
): FoundNumber | undefined {
	const minus = signAt(tokens, i);
	const first = readMixed(tokens, i + minus.length);
	if (!first || first.digits) return undefined;
	const link = wordAt(tokens, first.next);
	const between = tokens[i - 1]?.word === "between";
	if (link === "out")
		return minus === "" ? readShare(tokens, i, first) : undefined;
	const isLink =
		link === "to" ||
		link === "or" ||
		(link === "and" && between) ||
		(link === "by" && isArea(tokens, i));
	if (!isLink) return undefined;
	const from = first.next + 1;
	if (wordAt(tokens, from) === undefined || readYear(tokens, i)?.pair)
		return undefined;
	const sign = signAt(tokens, from);
	const second = readMixed(tokens, from + sign.length);
	if (!second || second.digits || readYear(tokens, from)?.pair)
		return undefined;
	if (numberContinues(tokens, second.next)) return undefined;
	if (sharesScale(tokens, from, first.value, second.value))
		return { next: second.next, text: "", is: "stay" };
	const small = first.value < 10 && second.value < 10;
	if (small && !isUnitAt(tokens, second.next)) return undefined;
	const currency = currencySignAt(tokens, second.next);
	if (currency !== undefined)
		return {
			next: second.next + 1,
			text: `${minus}${currency}${first.text} ${link} ${sign}${currency}${second.text}`,
		};
	const quantity = readQuantity(tokens, from);
	if (quantity)
		return {
			next: quantity.next,
			text: `${minus}${first.text} ${link} ${quantity.text}`,
		};
	const areYears =
		(between || yearContext.has(tokens[i - 1]?.word ?? "")) &&
		isRecentYear(first) &&
		isRecentYear(second) &&
		!isCounted(wordAt(tokens, second.next) ?? "");
	const [one, other] = areYears
		? [first.value, second.value]
		: [first.text, second.text];
	return {
		next: second.next,
		text: `${minus}${one} ${link} ${sign}${other}`,
	};
}

/** Before a "one" that is no number. */
const ones =
	/^(?:no|not|the|this|that|any|every|each|another|other|only|single|first|second|last|next|which|number|good|bad|best|worst)$/;

/** "nine out of ten"; "four out of five" stays. */
function readShare(
	tokens: readonly Token[],
	i: number,
	first: NumberRead,
): FoundNumber | undefined {
	const from = first.next + 2;
	// a pronoun: "no one out of twenty", "the only one out of ten"
	if (first.value === 1 && ones.test(tokens[i - 1]?.word ?? ""))
		return undefined;
	if (wordAt(tokens, first.next + 1) !== "of") return undefined;
	if (wordAt(tokens, from) === undefined || readYear(tokens, i)?.pair)
		return undefined;
	const all = readMixed(tokens, from);
	if (!all || all.digits || numberContinues(tokens, all.next)) return undefined;
	if (first.value > all.value || isUnitAt(tokens, all.next)) return undefined;
	if (all.value < 10 && !first.exact && !all.exact) return undefined;
	return { next: all.next, text: `${first.text} out of ${all.text}` };
}

/** "minus five to ten degrees", "from ten to minus five". */
function signAt(tokens: readonly Token[], i: number): "" | "-" {
	const word = tokens[i]?.word;
	const before = tokens[i - 1]?.word ?? "";
	const isMinus =
		word === "minus" ||
		(word === "negative" && /^(?:from|between|to|and|or|of)?$/.test(before)); // not: tested negative
	return isMinus && tokens[i + 1]?.joined && isSign(tokens, i) ? "-" : "";
}

/** "two thousand to two thousand and five". */
function isRecentYear({ value, exact }: NumberRead): boolean {
	return !exact && value >= 2000 && value < 2100;
}

/** "a nine by thirteen pan"; not "finish these three by eleven". */
function isArea(tokens: readonly Token[], i: number): boolean {
	return /^an?$/.test(tokens[i - 1]?.word ?? "");
}

/**
 * "two or three hundred", "ten to twenty thousand": the scale is that of both numbers, or of one only; which of them is not said.
 * @param from index of the second number.
 */
function sharesScale(
	tokens: readonly Token[],
	from: number,
	first: number,
	second: number,
): boolean {
	const count = readTwo(tokens, from);
	const scale = wordAt(tokens, count?.next ?? -1);
	if (!count || first === 0) return false; // zero to one hundred
	if (scale !== "hundred" && scale !== "thousand") return false;
	if (first < 100) return first < count.value;
	// one hundred to two hundred thousand
	return second < 1e6 && first < 1000 && first < second / 1000;
}
