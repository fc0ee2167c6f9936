/** The end of an English text that still grows: which of it may yet be written otherwise. */
import {
	decadeValue,
	isMonth,
	isNumberWord,
	ordinalValue,
} from "./number-words.js";
import { type Token, tokenize } from "./tokens.js";

/** They lead from one part of a number to the next. */
const links = new Set(
	"a an and point oh o to or past half quarter of the minus p m am pm version percent per dollars dollar cents hundred".split(
		" ",
	),
);
const openMax = 80;

/** Where a number at the end of a growing text begins, or the text's length. */
export function openFrom(text: string): number {
	const start = Math.max(0, text.length - openMax);
	const tokens = tokenize(text.slice(start));
	let open = text.length;
	for (let i = tokens.length - 1; i >= 0; i--) {
		const token = tokens[i] as Token;
		if (isPart(token)) open = start + token.from;
		else if (!links.has(token.word) && !/^[,.-]$/.test(token.word)) break;
	}
	return open;
}

function isPart({ word, kind }: Token): boolean {
	return (
		kind === "digits" ||
		isNumberWord(word) ||
		ordinalValue(word) !== undefined ||
		decadeValue(word) !== undefined ||
		isMonth(word)
	);
}
