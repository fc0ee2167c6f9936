/**
 * Turns token pieces into written text: punctuation marks inserted or removed, width and spaces by the language, simplified characters. Every character
 * refers to its tokens, so that words can be given times and confidence.
 */
import { isMark } from "../../text/marks.js";
import { type MarkStyle, spellMarks } from "../../text/punctuation.js";
import { simplifyCharacters } from "../../text/zh/simplify.js";
import { segmenterOf } from "./word-segmenter.js";

/** One or more characters that are written together, and their tokens; an inserted mark has none (tokenStart = tokenEnd). */
export interface WrittenCharacter {
	readonly text: string;
	readonly tokenStart: number;
	readonly tokenEnd: number;
	/** Share of its tokens' time at which it begins, by its place among their characters. */
	readonly from: number;
	/** Share at which it ends. */
	readonly to: number;
}

export interface WordSpan {
	readonly text: string;
	readonly kind: "normal" | "punc";
	readonly first: WrittenCharacter;
	readonly last: WrittenCharacter;
}

export function writeOut(
	pieces: readonly TextPiece[],
	insertions: readonly Insertion[],
	language: MarkStyle,
	keepMarks: boolean,
): WrittenCharacter[] {
	const written = withInsertions(pieces, insertions);
	let characters = written.map((character) => character.text);
	if (language === "zh") characters = simplifyCharacters(characters);
	const spelled = spellMarks(characters, language, keepMarks);
	return written
		.map((character, i) => ({ ...character, text: spelled[i] as string }))
		.filter((character) => character.text !== "");
}

export function textOf(characters: readonly WrittenCharacter[]): string {
	return characters.map((character) => character.text).join("");
}

function withInsertions(
	pieces: readonly TextPiece[],
	insertions: readonly Insertion[],
): WrittenCharacter[] {
	const marks = new Map(insertions.map((one) => [one.before, one.mark]));
	const written: WrittenCharacter[] = [];
	const put = (mark: string | undefined, token: number) => {
		if (mark !== undefined)
			written.push({
				text: mark,
				tokenStart: token,
				tokenEnd: token,
				from: 0,
				to: 0,
			});
	};
	pieces.forEach(({ text, tokenStart, tokenEnd }, i) => {
		put(marks.get(i), tokenStart);
		const characters = [...text];
		const sounding = [...text.trimStart()].length;
		const silent = characters.length - sounding; // the space before a word
		characters.forEach((character, k) => {
			const from = Math.max(0, k - silent) / sounding;
			const to = Math.max(0, k + 1 - silent) / sounding;
			written.push({ text: character, tokenStart, tokenEnd, from, to });
		});
	});
	put(marks.get(pieces.length), pieces.at(-1)?.tokenEnd ?? 0);
	return written;
}

/** What a word in letters consists of. */
const inWord = "[\\p{Script=Latin}\\p{Nd}\\p{M}'’]";
const endsInWord = new RegExp(`${inWord}$`, "u");
const startsInWord = new RegExp(`^${inWord}`, "u");

/** Pieces of one word of letters, or of one syllable of pinyin, become one. */
export function wholeWords(pieces: readonly TextPiece[]): TextPiece[] {
	const words: TextPiece[] = [];
	for (const piece of pieces) {
		const word = words.at(-1);
		if (word && endsInWord.test(word.text) && startsInWord.test(piece.text))
			words[words.length - 1] = {
				text: word.text + piece.text,
				tokenStart: word.tokenStart,
				tokenEnd: piece.tokenEnd,
			};
		else words.push(piece);
	}
	return words;
}

/** Indices of the pieces that begin a word. */
export function wordStarts(
	pieces: readonly TextPiece[],
	language: MarkStyle,
): Set<number> {
	const text = pieces.map((piece) => piece.text).join("");
	const borders = new Set<number>();
	for (const { index } of segmenterOf(language).segment(text))
		borders.add(index);
	const starts = new Set<number>();
	let at = 0;
	pieces.forEach((piece, i) => {
		const space = piece.text.length - piece.text.trimStart().length;
		if (borders.has(at) || borders.has(at + space)) starts.add(i);
		at += piece.text.length;
	});
	return starts;
}

/** Words in text order: English by spaces, Chinese and Japanese by segmentation; each run of marks is separate. */
export function splitWords(
	characters: readonly WrittenCharacter[],
	language: MarkStyle,
): WordSpan[] {
	const words: WordSpan[] = [];
	const borders = wordBorders(characters, language);
	for (let i = 0; i + 1 < borders.length; i++) {
		const word = characters.slice(borders[i], borders[i + 1]);
		const text = textOf(word).trim();
		const first = word[0];
		const last = word.at(-1);
		if (text === "" || first === undefined || last === undefined) continue;
		const kind = [...text].every(isMark) ? "punc" : "normal";
		words.push({ text, kind, first, last });
	}
	return words;
}

/** Indices of characters where a word or a run of marks begins, and the number of characters. */
function wordBorders(
	characters: readonly WrittenCharacter[],
	language: MarkStyle,
): number[] {
	if (language === "en") return spaceBorders(characters);
	const borders: number[] = [];
	const indexAt = new Map<number, number>(); // offset in the text -> character
	let offset = 0;
	characters.forEach((character, i) => {
		indexAt.set(offset, i);
		offset += character.text.length;
	});
	for (const { index } of segmenterOf(language).segment(textOf(characters))) {
		const border = indexAt.get(index);
		if (border !== undefined) borders.push(border);
	}
	return [...borders, characters.length];
}

/** English: at spaces, and between a word and adjacent marks ("said," is a word and a mark; "don't" is a word). */
function spaceBorders(characters: readonly WrittenCharacter[]): number[] {
	const borders: number[] = [];
	let start = 0;
	const close = (end: number) => {
		if (end === start) return;
		let first = start;
		let last = end;
		while (first < end && isMark(characters[first]?.text ?? "")) first++;
		while (last > first && isMark(characters[last - 1]?.text ?? "")) last--;
		borders.push(start);
		if (first > start && first < end) borders.push(first);
		if (last < end && last > first) borders.push(last);
	};
	characters.forEach((character, i) => {
		if (character.text !== " ") return;
		close(i);
		borders.push(i);
		start = i + 1;
	});
	close(characters.length);
	return [...borders, characters.length];
}

/** A span of text whose characters all come from the same whole tokens: the smallest unit that has times. */
export interface TextPiece {
	readonly text: string;
	/** Index of the first token, and one past the last. */
	readonly tokenStart: number;
	readonly tokenEnd: number;
}

export interface Insertion {
	/** Index of the piece before which the mark is inserted; the number of pieces for the end. */
	readonly before: number;
	readonly mark: string;
}
