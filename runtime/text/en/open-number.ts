/** Finds the part at the end of a growing English text that may still be written differently. */
import { signsFrom } from "../number-signs.js";
import { streetNumberAtEnd } from "./addresses.js";
import {
	decadeValue,
	isMonth,
	isNumberWord,
	ordinalValue,
	spokenSigns,
} from "./number-words.js";
import { type Token, tokenize } from "./tokens.js";

/** Words that may connect two parts of a number. */
const links = new Set(
	`a an and oh o to or by over past of out the in at p m am pm version percent per dollars dollar pounds cents pence hundred foot ${Object.keys(spokenSigns).join(" ")}`.split(
		" ",
	),
);
/** Words that may begin a number. */
const beginnings = new Set(
	"minus plus negative half quarter quarters q double triple point dollar oh hundredth hundredths thousandth thousandths millionth millionths billionth billionths".split(
		" ",
	),
);
const openMax = 80;
/** At the end so far: the point of .NET, with a capital, which may be the first letter of a sentence. */
const beginning = /(?<=^|[\s(])\.\p{Lu}$/u;

/** Start of a number at the end of a growing text, or the text's length. */
export function openFrom(text: string): number {
	const start = Math.max(0, text.length - openMax);
	const tokens = tokenize(withoutCounted(text.slice(start)));
	let open = text.length;
	for (let i = tokens.length - 1; i >= 0; i--) {
		const token = tokens[i] as Token;
		const isLast = i === tokens.length - 1;
		if (
			isPart(token) ||
			(isArticle(token) && (isLast || isOpen(tokens[i + 1])))
		)
			open = start + token.from;
		else if (token.word === "of" && !mayContinue(tokens[i - 1])) break;
		else if (!links.has(token.word) && !/^[,.:/$€£¥−-]$/.test(token.word))
			break;
	}
	const address = streetNumberAtEnd(tokens);
	if (address !== undefined)
		open = Math.min(open, start + (tokens[address] as Token).from);
	open -=
		beginning.exec(text.slice(Math.max(0, open - 3), open))?.[0].length ?? 0;
	return signsFrom(text, open);

	function isOpen(token: Token | undefined): boolean {
		return token !== undefined && start + token.from === open;
	}
}

/** The end of "twenty five-year-old boy" and "two hundred dollar bill": in the plural they may be twenty, or two. */
const counted = /(?:(?:-\p{L}+){1,3}(?: \p{L}*)?| dollar bill)$/u;

function withoutCounted(text: string): string {
	const before = text.replace(counted, "");
	const last = /\p{L}+$/u.exec(before)?.[0].toLowerCase();
	return isNumberWord(last) ? before : text;
}

/** "The fifth of" March, "a quarter of" nine, "nine out of" ten; in "eight of" the number has ended. */
function mayContinue(before: Token | undefined): boolean {
	return (
		before !== undefined &&
		(ordinalValue(before.word) !== undefined ||
			/^(?:quarter|out)$/.test(before.word))
	);
}

function isPart({ word, kind }: Token): boolean {
	return (
		kind === "digits" ||
		beginnings.has(word) ||
		isNumberWord(word) ||
		ordinalValue(word) !== undefined ||
		decadeValue(word) !== undefined ||
		isMonth(word)
	);
}

function isArticle({ word }: Token): boolean {
	return word === "a" || word === "an";
}
