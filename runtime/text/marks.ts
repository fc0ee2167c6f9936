/** What a character of a text is: punctuation that may be written another way, or part of a word or a number. */
import { isSignOfNumber } from "./number-signs.js";
import { titles } from "./titles.js";

/** Punctuation proper; signs that are read aloud (% + & $ #) do not count. */
const mark = /^[\p{P}～]$/u;
const readAloud = /^[%&#@*/\\＆％＃＠]$/u;
const joiner = /^['’.,:\-–‐/·・～]$/u; // may stand inside a word or a number
const cjk =
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}々〆ーｰ、。，！？；：「」『』（）〈〉《》【】…]$/u;
const wordCharacter = /^[\p{L}\p{M}\p{N}]$/u;
const digit = /^\p{N}$/u;
/** A number may follow directly: p=.05, ±5. */
const comparison = /^[=<>≈≤≥~±]$/u;
const numeral = /^[\p{N}〇零一二三四五六七八九十百千万两]$/u;

export function isMark(character: string): boolean {
	return mark.test(character) && !readAloud.test(character);
}

export function isCjk(character: string): boolean {
	return cjk.test(character);
}

/** Marks that end a sentence. */
export function endsSentence(character: string): boolean {
	return /^[.?!。？！…]$/u.test(character);
}

/** A digit, or a character that Chinese and Japanese write numbers with. */
export function isNumeral(character: string): boolean {
	return numeral.test(character);
}

/** Whether the mark is not punctuation but part of a word or a number. */
export function isPart(characters: readonly string[], i: number): boolean {
	return (
		insideWord(characters, i) ||
		beginsWord(characters, i) ||
		isMinus(characters, i) ||
		isRange(characters, i) ||
		endsAbbreviation(characters, i)
	);
}

/** 10〜20, 三〜五人. */
function isRange(characters: readonly string[], i: number): boolean {
	return (
		/^[〜～–]$/u.test(characters[i] as string) &&
		isNumeral(characters[i - 1] ?? "") &&
		isNumeral(characters[i + 1] ?? "")
	);
}

/** Degrees: the letters of others stand alone. */
const degree = /(?:^|[^\p{Script=Latin}\p{N}])(?:Ph\.D|[BM]\.Sc)$/u;

/** The last period of p.m., U.S., i.e. or Ph.D. */
function endsAbbreviation(characters: readonly string[], i: number): boolean {
	if (characters[i] !== ".") return false;
	const isSpelled =
		characters[i - 2] === "." &&
		/^[A-Za-z]{2}$/.test(`${characters[i - 3] ?? ""}${characters[i - 1]}`) &&
		!isLatinCharacter(characters[i - 4] ?? "");
	return (
		isSpelled || degree.test(characters.slice(Math.max(0, i - 5), i).join(""))
	);
}

/** Before a name: titles, and the other side of a match. */
const title = new RegExp(
	`(?:^|[^\\p{Script=Latin}])(?:${[...titles, "vs"].join("|")})$`,
	"u",
);
const titleCharactersMax = 5;

/** The period of "Dr.王" and "vs. Leeds": a name follows. */
export function isOfTitle(characters: readonly string[], i: number): boolean {
	if (characters[i] !== ".") return false;
	const after = characters[characters[i + 1] === " " ? i + 2 : i + 1] ?? "";
	if (!/^\p{L}$/u.test(after)) return false;
	const before = characters.slice(Math.max(0, i - titleCharactersMax), i);
	return title.test(before.join(""));
}

/** The point of 3（.5）, which without the bracket would be 3.5. @param before the last character before it that is neither a space nor a mark. */
export function joinsNumber(
	characters: readonly string[],
	i: number,
	before: string | undefined,
): boolean {
	if (characters[i] !== "." || !digit.test(characters[i + 1] ?? ""))
		return false;
	const at = characters[i - 1] === " " ? i - 2 : i - 1;
	const mark = characters[at] ?? "";
	return isMark(mark) && !isPart(characters, at) && digit.test(before ?? "");
}

function isLatinCharacter(character: string): boolean {
	return wordCharacter.test(character) && !isCjk(character);
}

/** The apostrophe of "don't", the hyphen of "cold-hearted", the decimal point of 3.5, the comma of 19,500. */
function insideWord(characters: readonly string[], i: number): boolean {
	const character = characters[i] as string;
	const before = characters[i - 1] ?? "";
	const after = characters[i + 1] ?? "";
	if (/^[，．：]$/u.test(character))
		return /^[０-９]$/u.test(before) && /^[０-９]$/u.test(after);
	if (!joiner.test(character)) return false;
	if (!wordCharacter.test(before) || !wordCharacter.test(after)) return false;
	if (isCjk(before) || isCjk(after)) return /^[·・]$/u.test(character);
	const digits = digit.test(before) && digit.test(after);
	if (character === "," || character === ":") return digits;
	if (character === ".")
		return digits || !(digit.test(before) || digit.test(after));
	return true;
}

/** The point of .5, -.5, p=.05 and .NET; not of "3 .5", which is 3.5, nor of "word .Next", whose space is on the wrong side. */
function beginsWord(characters: readonly string[], i: number): boolean {
	if (characters[i] !== ".") return false;
	const before = characters[i - 1] ?? "";
	const first = characters[i + 1] ?? "";
	if (isSignOfNumber(before) && digit.test(first)) return true;
	if (!/^[\s(（]?$/u.test(before) || !isLatinCharacter(first)) return false;
	if (/^\p{Lu}\p{Ll}$/u.test(first + (characters[i + 2] ?? ""))) return false;
	const isApart =
		/^\s$/u.test(before) && /^[\p{N}$€£¥−-]$/u.test(characters[i - 2] ?? "");
	return !(isApart && digit.test(first));
}

/** The sign of -5, -.5 and -$5: right before a number, and not after anything that it could be a hyphen to; also the hyphen of .5-.7 and $5-$10. */
function isMinus(characters: readonly string[], i: number): boolean {
	if (characters[i] !== "-") return false;
	const after = characters.slice(i + 1, i + 4).join("");
	if (!/^[$€£¥￥]?\.?\p{N}/u.test(after)) return false;
	const before = characters[i - 1];
	return (
		before === undefined ||
		before === " " ||
		isCjk(before) ||
		comparison.test(before) ||
		/^[$¥€£(]$/u.test(before) ||
		(digit.test(before) && !digit.test(after[0] as string))
	);
}
