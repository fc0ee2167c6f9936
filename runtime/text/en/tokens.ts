/**
 * English text as tokens for the number rules: words and digits with their positions. A hyphen between the parts of a number (twenty-three, two-thirds) is not a token.
 */
import { isTens, isUnit, ordinalValue } from "./number-words.js";

export interface Token {
	readonly from: number;
	readonly to: number;
	/** Lower case; a mark is its own word. */
	readonly word: string;
	readonly kind: "word" | "digits" | "mark";
	/** Only spaces, or a number's own hyphen, between it and the token before. */
	readonly joined: boolean;
	/** Directly after a letter, digit or hyphen: part of something else (catch-22, mid-twenties, x2). */
	readonly glued: boolean;
}

const letter = /[\p{L}\p{M}]/u;
const digit = /[0-9]/;
const space = /\s/u;

export function tokenize(text: string): Token[] {
	const tokens: Token[] = [];
	let i = 0;
	while (i < text.length) {
		const character = text[i] as string;
		if (space.test(character)) {
			i++;
			continue;
		}
		const to = endOf(text, i);
		const kind = digit.test(character)
			? "digits"
			: letter.test(character)
				? "word"
				: "mark";
		const word = text.slice(i, to).toLowerCase();
		tokens.push(linked(text, tokens, { from: i, to, word, kind }));
		i = to;
	}
	return tokens;
}

function endOf(text: string, from: number): number {
	const character = text[from] as string;
	let to = from + 1;
	if (digit.test(character)) {
		while (
			digit.test(text[to] ?? "") ||
			(/[.,:]/.test(text[to] ?? "") && digit.test(text[to + 1] ?? ""))
		)
			to++;
		return to;
	}
	if (!letter.test(character)) return to;
	while (
		letter.test(text[to] ?? "") ||
		(/['’]/.test(text[to] ?? "") && letter.test(text[to + 1] ?? ""))
	)
		to++;
	return to;
}

function linked(
	text: string,
	tokens: Token[],
	token: Pick<Token, "from" | "to" | "word" | "kind">,
): Token {
	const last = tokens.at(-1);
	if (last === undefined) return { ...token, joined: false, glued: false };
	const touching = last.to === token.from;
	if (touching && isHyphen(last.word) && isCompound(text, tokens, token.word)) {
		tokens.pop();
		return { ...token, joined: true, glued: false };
	}
	const glued =
		touching &&
		(last.kind !== "mark" ||
			/^[$€£¥#]$/.test(last.word) ||
			(/^[-–_/@.'’]$/.test(last.word) && tokens.at(-2)?.to === last.from));
	const joined = last.kind !== "mark" && !touching;
	return { ...token, joined, glued };
}

function isHyphen(word: string): boolean {
	return word === "-" || word === "‐";
}

/** Twenty-three, twenty-third, two-thirds, one-half: the hyphen is the last token, without spaces. */
function isCompound(
	text: string,
	tokens: readonly Token[],
	word: string,
): boolean {
	const hyphen = tokens.at(-1) as Token;
	const first = tokens.at(-2);
	if (first?.to !== hyphen.from || text[hyphen.from] === undefined)
		return false;
	if (isTens(first.word)) {
		const ordinal = ordinalValue(word);
		return isUnit(word) || (ordinal !== undefined && ordinal < 10);
	}
	return (
		isUnit(first.word) &&
		/^(?:half|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|hundred|thousand|million)$/.test(
			word,
		)
	);
}
