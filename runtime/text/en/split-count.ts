/**
 * Numbers that may be two: "two hundred-dollar bills" are two of $100, "twenty five-year-olds" perhaps twenty children. What was meant is not said, so they stay
 * words.
 */
import type { FoundNumber } from "./plain-numbers.js";
import { readCardinal, wordAt } from "./read-number.js";
import type { Token } from "./tokens.js";

export function readSplitCount(
	text: string,
	tokens: readonly Token[],
	i: number,
): FoundNumber | undefined {
	const number = readCardinal(tokens, i);
	if (!number || number.next < i + 2 || /^an?$/.test(tokens[i]?.word ?? ""))
		return undefined;
	const last = tokens[number.next - 1] as Token;
	// "twenty-five-year-olds", "one hundred-year-old trees", "this five hundred-page book"
	const isOne =
		!/\s/.test(text[last.from - 1] ?? "") ||
		(number.next === i + 2 && tokens[i]?.word === "one") ||
		/^(?:an?|this|that|another|every|each)$/.test(tokens[i - 1]?.word ?? "");
	if (isOne) return undefined;
	return isCompound(tokens, number.next) || isBills(tokens, number.next)
		? { next: number.next, text: "", is: "stay" }
		: undefined;
}

/** Behind the hyphen of a single number: "two hundred-odd". */
const behindOne = /^(?:plus|odd|some|something|ish|strong|percent|and|fold)$/;

/** "hundred-dollar bills", "five-year-olds": what is counted is in the plural. */
function isCompound(tokens: readonly Token[], i: number): boolean {
	if (tokens[i]?.from !== tokens[i - 1]?.to) return false;
	let next = i;
	while (tokens[next]?.word === "-" && isGluedWord(tokens[next + 1])) next += 2;
	if (next === i || behindOne.test(tokens[i + 1]?.word ?? "")) return false;
	return (
		isPlural(tokens[next - 1]?.word ?? "") ||
		isPlural(wordAt(tokens, next) ?? "")
	);
}

function isGluedWord(token: Token | undefined): boolean {
	return token?.glued === true && token.kind === "word";
}

function isPlural(word: string): boolean {
	return /[^s]s$/.test(word);
}

/** "two hundred dollar bills"; bills of billions are laws. */
function isBills(tokens: readonly Token[], next: number): boolean {
	return (
		tokens[next - 1]?.word.endsWith("illion") === false &&
		wordAt(tokens, next) === "dollar" &&
		wordAt(tokens, next + 1) === "bills"
	);
}
