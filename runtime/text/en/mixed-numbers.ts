/** English numbers with a half: "two and a half" is 2.5, "a million and a half" 1.5 million; with quarters in percent and millions: "six and a quarter percent" 6.25%. */
import { scaleValue } from "./number-words.js";
import { type NumberRead, readNumber, wordAt } from "./read-number.js";
import type { Token } from "./tokens.js";

/** A number, with its half or quarters if it has some. */
export function readMixed(
	tokens: readonly Token[],
	i: number,
): NumberRead | undefined {
	const number = readNumber(tokens, i);
	if (!number || number.exact || wordAt(tokens, number.next) !== "and")
		return number;
	const rest = readRest(tokens, number.next + 1);
	if (rest === undefined) return number;
	const next = number.next + 3;
	const [count, own] = number.text.split(" ");
	if (own !== undefined)
		return rest === ".5" // a million and a half
			? {
					next,
					text: `${count}${rest} ${own}`,
					value: number.value + (scaleValue(own) ?? 0) / 2,
					exact: true,
					digits: false,
				}
			: number;
	const scale = wordAt(tokens, next);
	const scaled = scale === "million" || scale === "billion";
	if (rest !== ".5" && !scaled && !isPercentAt(tokens, next)) return number;
	return {
		next: scaled ? next + 1 : next,
		text: `${number.text}${rest}${scaled ? ` ${scale}` : ""}`,
		value: number.value + Number(rest),
		exact: true,
		digits: false,
	};
}

/** "a half", "three quarters". */
function readRest(tokens: readonly Token[], i: number): string | undefined {
	const count = wordAt(tokens, i) ?? "";
	const part = wordAt(tokens, i + 1) ?? "";
	if (count === "three" && part === "quarters") return ".75";
	if (count !== "a" && count !== "one") return undefined;
	return { half: ".5", quarter: ".25" }[part];
}

export function isPercentAt(tokens: readonly Token[], i: number): boolean {
	const word = wordAt(tokens, i);
	return (
		word === "percent" || (word === "per" && wordAt(tokens, i + 1) === "cent")
	);
}
