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
	// "twenty-five-year-olds", "a five hundred-page book"
	const isOne =
		!/\s/.test(text[last.from - 1] ?? "") ||
		/^an?$/.test(tokens[i - 1]?.word ?? "");
	if (isOne) return undefined;
	return isCompound(tokens, number.next) || isBills(tokens, i, number.next)
		? { next: number.next, text: "", is: "stay" }
		: undefined;
}

/** The hyphen of "hundred-dollar". */
function isCompound(tokens: readonly Token[], i: number): boolean {
	const hyphen = tokens[i];
	const after = tokens[i + 1];
	return (
		hyphen?.word === "-" &&
		hyphen.from === tokens[i - 1]?.to &&
		after?.glued === true &&
		after.kind === "word"
	);
}

/** "two hundred dollar bills"; "one hundred dollar bills" are $100 bills. */
function isBills(tokens: readonly Token[], i: number, next: number): boolean {
	return (
		tokens[i]?.word !== "one" &&
		wordAt(tokens, next) === "dollar" &&
		/^bills?$/.test(wordAt(tokens, next + 1) ?? "")
	);
}
