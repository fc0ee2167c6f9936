/**
 * Writes marks and spaces as each language does: full width in Chinese and Japanese, half width in English, no space between characters that need
 * none. Maps characters one to one (a character may become nothing), so that per-character data stays valid.
 */
import {
	endsSentence,
	isCjk,
	isMark,
	isNumeral,
	isOfTitle,
	isPart,
	joinsNumber,
} from "./marks.js";

export type MarkStyle = "zh" | "ja" | "en";

const fullWidth: Readonly<Record<MarkStyle, Readonly<Record<string, string>>>> =
	{
		zh: {
			",": "，",
			".": "。",
			"?": "？",
			"!": "！",
			":": "：",
			";": "；",
			"(": "（",
			")": "）",
			"､": "、",
			"｡": "。",
		},
		ja: {
			",": "、",
			"，": "、",
			".": "。",
			"?": "？",
			"!": "！",
			":": "：",
			";": "；",
			"(": "（",
			")": "）",
			"､": "、",
			"｡": "。",
		},
		en: {
			"，": ",",
			"。": ".",
			"、": ",",
			"？": "?",
			"！": "!",
			"：": ":",
			"；": ";",
			"（": "(",
			"）": ")",
		},
	};

/** "..." as Chinese and Japanese write it. */
const ellipsis = "……";

/**
 * How each character is finally written: unchanged, in the other width, or not at all.
 * @param characters of one text; a space is a character.
 * @param keepMarks false removes every mark and leaves the words unchanged.
 */
export function spellMarks(
	characters: readonly string[],
	style: MarkStyle,
	keepMarks: boolean,
): string[] {
	return spellEach(characters, () => style, style, keepMarks);
}

/** The same for a text in two languages: a sentence entirely in English gets English marks, and one without a letter ("1, 2, 3.") keeps those of the model. */
export function spellMixedMarks(
	characters: readonly string[],
	style: MarkStyle,
	keepMarks: boolean,
): string[] {
	const styles = stylesOfSentences(characters, style);
	return spellEach(characters, (i) => styles[i], style, keepMarks);
}

function spellEach(
	characters: readonly string[],
	styleAt: (i: number) => MarkStyle | undefined,
	spaces: MarkStyle,
	keepMarks: boolean,
): string[] {
	const before = nearest(characters);
	const after = nearest(characters.toReversed()).reverse();
	const divides = (i: number) =>
		!keepMarks &&
		isMark(characters[i] as string) &&
		isNumeral(before[i] ?? "") &&
		isNumeral(after[i] ?? "") &&
		!isBetweenWords(characters, i);
	let periods = 0; // of a run so far
	const brackets: string[] = []; // that are open, as they were written
	const spelled = characters.map((character, i) => {
		if (!isMark(character)) {
			periods = 0;
			return character.replace(/\s/u, " ");
		}
		const part = isPart(characters, i);
		periods = character === "." && !part ? periods + 1 : 0;
		if (part)
			return !keepMarks && joinsNumber(characters, i, before[i])
				? `0${character}`
				: character;
		if (divides(i)) return " ";
		if (!keepMarks) return withoutMark(characters, i, styleAt(i));
		if (isOfTitle(characters, i)) return character;
		const spelt = spellBracket(
			spellMark(character, styleAt(i), before[i], after[i]),
			brackets,
		);
		const isEllipsis =
			spelt === "。" &&
			(periods > 1 || (periods > 0 && characters[i + 1] === "."));
		return isEllipsis ? (ellipsis[periods - 1] ?? "") : spelt;
	});
	return spaceOut(spelled, spaces, divides);
}

/** 统一，一起: both 一 are parts of words, and 一一 is no number. */
function isBetweenWords(characters: readonly string[], i: number): boolean {
	const from = characters[i - 1] === " " ? i - 2 : i - 1;
	const to = characters[i + 1] === " " ? i + 2 : i + 1;
	if (characters[from] !== "一" || characters[to] !== "一") return false;
	// 万一
	const first = characters[from - 1] === "万" ? from - 2 : from - 1;
	const isWord = (it = "") => /\p{L}/u.test(it) && !isNumeral(it);
	return (
		(isWord(characters[first]) || (first < 0 && from > 0)) &&
		isWord(characters[to + 1])
	);
}

/** For each character, the style of the sentence around it; undefined where that has no letter. */
function stylesOfSentences(
	characters: readonly string[],
	style: MarkStyle,
): (MarkStyle | undefined)[] {
	const styles: (MarkStyle | undefined)[] = [];
	let sentence: string[] = [];
	const close = () => {
		const its = styleOfSentence(sentence, style);
		styles.push(...sentence.map(() => its));
		sentence = [];
	};
	characters.forEach((character, i) => {
		sentence.push(character);
		// all of "?!" and "..." belongs to the sentence
		const isLast = !endsSentence(characters[i + 1] ?? "");
		const ends = endsSentence(character) && isLast;
		if (ends && !isPart(characters, i) && !isOfTitle(characters, i)) close();
	});
	close();
	return styles;
}

function styleOfSentence(
	sentence: readonly string[],
	style: MarkStyle,
): MarkStyle | undefined {
	const letters = sentence.filter((it) => /\p{L}/u.test(it));
	if (letters.length === 0) return undefined;
	return letters.every((it) => /\p{sc=Latin}/u.test(it)) ? "en" : style;
}

/** Half width between Latin words in any language. */
function spellMark(
	character: string,
	style: MarkStyle | undefined,
	before: string | undefined,
	after: string | undefined,
): string {
	const inLatin =
		style !== "en" &&
		before !== undefined &&
		!isCjk(before) &&
		after !== undefined &&
		!isCjk(after);
	if (inLatin || !style) return character;
	return fullWidth[style][character] ?? character;
}

/** A closing bracket has the width of the opening one: API(v2), 北京（Beijing）. */
function spellBracket(spelt: string, open: string[]): string {
	if (/^[(（]$/.test(spelt)) open.push(spelt);
	if (!/^[)）]$/.test(spelt)) return spelt;
	const opening = open.pop();
	if (opening === undefined) return spelt;
	return opening === "(" ? ")" : "）";
}

/** A mark removed between English words, or before the point of .5, leaves a space. */
function withoutMark(
	characters: readonly string[],
	i: number,
	style: MarkStyle | undefined,
): string {
	const before = characters[i - 1] ?? "";
	const after = characters[i + 1] ?? "";
	const apart = before !== " " && after !== " ";
	const isBeforePoint = after === "." && isPart(characters, i + 1);
	return (style === "en" || isBeforePoint) && apart && i > 0 ? " " : "";
}

/** For each position the last character before it that is neither a space nor a mark. */
function nearest(characters: readonly string[]): (string | undefined)[] {
	let last: string | undefined;
	return characters.map((character) => {
		const before = last;
		if (character !== " " && !isMark(character)) last = character;
		return before;
	});
}

/**
 * Removes spaces at the ends, doubled ones, those before a mark that attaches to the left, and those next to Chinese and Japanese characters.
 * @param divides whether the space there is between two numbers and stays: 三十 二 is not 三十二, and 2 3 not 23.
 */
function spaceOut(
	characters: string[],
	style: MarkStyle,
	divides: (i: number) => boolean,
): string[] {
	const spaced = characters.slice();
	let last = ""; // the last character written
	let next = 0; // the next one that is
	for (let i = 0; i < spaced.length; i++) {
		if (spaced[i] !== " ") {
			last = spaced[i] || last;
			continue;
		}
		if (next <= i) next = i + 1;
		while (spaced[next] === "" || spaced[next] === " ") next++;
		const after = spaced[next];
		const needless =
			last === "" ||
			last === " " ||
			after === undefined ||
			(style !== "en" &&
				!divides(i) &&
				(isCjk(last) || isCjk(after)) &&
				!beginsWord(next)) ||
			(/^[,.?!;:]$/u.test(after) && !isPart(characters, next));
		spaced[i] = needless ? "" : " ";
		if (!needless) last = " ";
	}
	return spaced;

	/** The point of .5, which is 5 in a text that is written once more without its space. */
	function beginsWord(i: number): boolean {
		return spaced[i] === "." && isPart(characters, i);
	}
}
