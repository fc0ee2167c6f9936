/**
 * Marks and spaces as each language writes them: full width in Chinese and Japanese, half width in English, no space between characters that need
 * none. Works on characters one for one (a character may become nothing), so that what is known of each stays known.
 */
export type MarkStyle = "zh" | "ja" | "en";

/** Punctuation proper; signs that are read aloud (% + & $ #) are not. */
const mark = /^[\p{P}～]$/u;
const readAloud = /^[%&#@*/\\＆％＃＠]$/u;
const joiner = /^['’.,:\-–‐/·・～]$/u; // may stand inside a word or a number
const cjk =
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}々〆ーｰ、。，！？；：「」『』（）〈〉《》【】…]$/u;
const wordCharacter = /^[\p{L}\p{M}\p{N}]$/u;
const digit = /^\p{N}$/u;

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

/**
 * How each character is written in the end: itself, its other width, or nothing.
 * @param characters of one text; a space is a character.
 * @param keepMarks false takes every mark out and leaves the words as they are.
 */
export function spellMarks(
	characters: readonly string[],
	style: MarkStyle,
	keepMarks: boolean,
): string[] {
	const spelled = characters.map((character, i) =>
		isMark(character)
			? spellMark(characters, i, style, keepMarks)
			: character.replace(/\s/u, " "),
	);
	return spaceOut(spelled, style);
}

function spellMark(
	characters: readonly string[],
	i: number,
	style: MarkStyle,
	keepMarks: boolean,
): string {
	const character = characters[i] as string;
	if (insideWord(characters, i) || isMinus(characters, i)) return character;
	if (!keepMarks) {
		// A mark between words is a border between them.
		const apart = characters[i - 1] !== " " && characters[i + 1] !== " ";
		return style === "en" && apart && i > 0 ? " " : "";
	}
	const before = nearest(characters, i, -1);
	const after = nearest(characters, i, 1);
	const inLatin =
		style !== "en" &&
		before !== undefined &&
		!isCjk(before) &&
		after !== undefined &&
		!isCjk(after);
	return inLatin ? character : (fullWidth[style][character] ?? character);
}

/** The apostrophe of "don't", the hyphen of "cold-hearted", the point of 3.5, the comma of 19,500. */
function insideWord(characters: readonly string[], i: number): boolean {
	const character = characters[i] as string;
	if (!joiner.test(character)) return false;
	const before = characters[i - 1] ?? "";
	const after = characters[i + 1] ?? "";
	if (!wordCharacter.test(before) || !wordCharacter.test(after)) return false;
	if (isCjk(before) || isCjk(after)) return /^[·・]$/u.test(character);
	const digits = digit.test(before) && digit.test(after);
	if (character === "," || character === ":") return digits;
	if (character === ".")
		return digits || !(digit.test(before) || digit.test(after));
	return true;
}

/** The sign of -5: right before a digit and behind nothing that it could join to one. */
function isMinus(characters: readonly string[], i: number): boolean {
	if (characters[i] !== "-" || !digit.test(characters[i + 1] ?? ""))
		return false;
	const before = characters[i - 1];
	return (
		before === undefined ||
		before === " " ||
		isCjk(before) ||
		/^[$¥€£(]$/u.test(before)
	);
}

/** The nearest character in a direction that is neither a space nor a mark. */
function nearest(
	characters: readonly string[],
	from: number,
	direction: 1 | -1,
): string | undefined {
	for (let i = from + direction; ; i += direction) {
		const character = characters[i];
		if (character === undefined) return undefined;
		if (character !== " " && !isMark(character)) return character;
	}
}

/** Takes out spaces at the ends, doubled ones, those before a mark that leans left, and those beside Chinese and Japanese characters. */
function spaceOut(characters: string[], style: MarkStyle): string[] {
	const spaced = characters.slice();
	let last = ""; // the last character written
	for (let i = 0; i < spaced.length; i++) {
		if (spaced[i] !== " ") {
			last = spaced[i] || last;
			continue;
		}
		let next = i + 1;
		while (spaced[next] === "" || spaced[next] === " ") next++;
		const after = spaced[next];
		const needless =
			last === "" ||
			last === " " ||
			after === undefined ||
			(style !== "en" && (isCjk(last) || isCjk(after))) ||
			/^[,.?!;:]$/u.test(after);
		spaced[i] = needless ? "" : " ";
		if (!needless) last = " ";
	}
	return spaced;
}
