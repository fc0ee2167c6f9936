/**
 * The reading of Japanese text, morpheme by morpheme, in full-width katakana as furigana would show it (は as a particle is ハ). The analyser is Lindera with the
 * IPADIC dictionary, compiled to WebAssembly: the same bytes on every processor, with no separate data file. It takes 0.7 s and 140 to 200 MB, so it is only
 * loaded on demand. This is the only file that uses it.
 *
 * INVARIANTS
 * - The surfaces of the morphemes, joined, are the text.
 * - Marks, Latin words and everything else without a reading are their own reading.
 */

import { hasSound } from "./counter-sounds.js";
import { readNumber, readOneByOne } from "./number-reading.js";
import { isArabicDigit, isNumeral, readNumeral } from "./numerals.js";

export interface Morpheme {
	readonly surface: string;
	/** UTF-16 offsets in the text; `to` is exclusive. */
	readonly from: number;
	readonly to: number;
	readonly reading: string;
}

/** A word of the dictionary, or text that is not in it. */
export interface JapaneseWord {
	readonly surface: string;
	readonly from: number;
	readonly to: number;
	/** IPADIC's categories: 名詞, サ変接続; undefined for words not in the dictionary. */
	readonly partOfSpeech: string | undefined;
	readonly subcategory: string | undefined;
}

export interface JapaneseReader {
	morphemes(text: string): Morpheme[];
	/** In order; joined they are the text. */
	words(text: string): JapaneseWord[];
}

/** A token of the analyser; words that are not in its dictionary have no reading. */
interface Token {
	readonly surface: string;
	readonly byteStart: number;
	readonly byteEnd: number;
	readonly reading?: string;
	readonly baseForm?: string;
	readonly partOfSpeech?: string;
	readonly partOfSpeechSubcategory1?: string;
}

type Placed = Token & { readonly from: number; readonly to: number };

let opened: Promise<JapaneseReader> | undefined;

/** Loads the dictionary at the first call in a process, which blocks for most of a second. */
export function openReader(): Promise<JapaneseReader> {
	opened ??= load().catch((error: unknown) => {
		opened = undefined; // the next call tries again
		throw error;
	});
	return opened;
}

async function load(): Promise<JapaneseReader> {
	const { TokenizerBuilder } = await import("lindera-wasm-nodejs-ipadic");
	const builder = new TokenizerBuilder();
	builder.setDictionary("embedded://ipadic");
	builder.setMode("normal");
	builder.setKeepWhitespace(true);
	const tokenizer = builder.build();
	return {
		morphemes: (text) =>
			text === "" ? [] : read(text, place(text, tokenizer.tokenize(text))),
		words: (text) =>
			text === "" ? [] : place(text, tokenizer.tokenize(text)).map(wordOf),
	};
}

function wordOf(token: Placed): JapaneseWord {
	const { surface, from, to, partOfSpeech } = token;
	const isKnown = partOfSpeech !== "UNK";
	return {
		surface,
		from,
		to,
		partOfSpeech: isKnown ? partOfSpeech : undefined,
		subcategory: isKnown ? token.partOfSpeechSubcategory1 : undefined,
	};
}

/** The whole text's reading: `spoken` of a sentence. */
export function readText(reader: JapaneseReader, text: string): string {
	return reader
		.morphemes(text)
		.map((it) => it.reading)
		.join("");
}

/** Converts UTF-8 offsets to UTF-16 offsets. */
function place(text: string, tokens: readonly Token[]): Placed[] {
	const placed: Placed[] = [];
	let byte = 0;
	let at = 0;
	const advance = (to: number) => {
		while (byte < to && at < text.length) {
			const point = text.codePointAt(at) as number;
			byte += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
			at += point < 0x10000 ? 1 : 2;
		}
		return at;
	};
	for (const token of tokens) {
		const from = advance(token.byteStart);
		placed.push({ ...token, from, to: advance(token.byteEnd) });
	}
	return placed;
}

function read(text: string, tokens: readonly Placed[]): Morpheme[] {
	const morphemes: Morpheme[] = [];
	let i = 0;
	let last = 0;
	const put = (from: number, to: number, reading: string) => {
		morphemes.push({ surface: text.slice(from, to), from, to, reading });
		last = to;
	};
	while (i < tokens.length) {
		const token = tokens[i] as Placed;
		if (token.from > last) put(last, token.from, text.slice(last, token.from)); // nothing is lost
		const number = numberAt(text, tokens, i);
		if (number) {
			put(token.from, number.to, number.reading);
			i = number.next;
			continue;
		}
		put(token.from, token.to, readingOf(token, tokens[i - 1]));
		i++;
	}
	if (last < text.length) put(last, text.length, text.slice(last));
	return morphemes;
}

const symbols: Readonly<Record<string, string>> = {
	"%": "パーセント",
	"％": "パーセント",
	"℃": "ド",
};

function readingOf(token: Placed, before: Placed | undefined): string {
	// the dictionary has one entry for two verbs: only with an object is it 行う
	if (token.surface === "行っ")
		return before?.surface === "を" ? "オコナッ" : "イッ";
	if (token.surface === "日本") return "ニホン"; // both are right; ニッポン is formal
	return token.reading ?? symbols[token.surface] ?? kana(token.surface);
}

/** Converts hiragana and half-width kana to full-width katakana; leaves anything else unchanged. */
function kana(surface: string): string {
	return surface
		.replace(/[\uff66-\uff9f]+/g, (it) => it.normalize("NFKC"))
		.replace(/[\u3041-\u3096]/g, (it) =>
			String.fromCharCode(it.charCodeAt(0) + 0x60),
		);
}

/** A longer number is read in pieces. */
const numberTokensMax = 40;

interface NumberReading {
	/** Index of the first token after it. */
	readonly next: number;
	readonly to: number;
	readonly reading: string;
}

/** A number that begins with token `i`, with the counter after it. */
function numberAt(
	text: string,
	tokens: readonly Placed[],
	i: number,
): NumberReading | undefined {
	const end = numberEnd(tokens, i);
	if (end === i) return undefined;
	const { from } = tokens[i] as Placed;
	const { to } = tokens[end - 1] as Placed;
	const number = inDigits(text.slice(from, to));
	if (number === undefined) return undefined;
	if (isDialled(tokens, i, end))
		return { next: end, to, reading: readOneByOne(number.replace(/\D/g, "")) };
	const counter = isPlainNumber(number) ? counterToken(tokens, end) : undefined;
	if (counter === undefined)
		return { next: end, to, reading: readAlone(number, text.slice(from, to)) };
	const firstOfMonth =
		number === "1" && counter.surface === "日" && text[from - 1] === "月";
	return {
		next: end + 1,
		to: counter.to,
		reading: firstOfMonth ? "ツイタチ" : readNumber(number, counter.surface),
	};
}

/** Numerals and digits, with commas and points between digits. */
function numberEnd(tokens: readonly Placed[], i: number): number {
	let end = i;
	while (end - i < numberTokensMax) {
		if (isNumberToken(tokens[end])) end++;
		else if (
			end > i &&
			/^[.,]$/.test(tokens[end]?.surface ?? "") &&
			/^[0-9]+$/.test(tokens[end + 1]?.surface ?? "")
		)
			end += 2;
		else break;
	}
	return end;
}

/** The token after a number, if it is a counter whose pronunciation is known: 分, not 分の. */
function counterToken(
	tokens: readonly Placed[],
	i: number,
): Placed | undefined {
	const token = tokens[i];
	if (token === undefined) return undefined;
	return hasSound(token.surface) ? token : undefined;
}

/** The groups of 03-1234-5678. */
function isDialled(tokens: readonly Placed[], i: number, end: number): boolean {
	return (
		(tokens[i - 1]?.surface === "-" && isNumberToken(tokens[i - 2])) ||
		(tokens[end]?.surface === "-" && isNumberToken(tokens[end + 1]))
	);
}

/** 一二三四 is read digit by digit, 1234 is not. */
function readAlone(number: string, surface: string): string {
	if (
		/^\d{3,}$/.test(number) &&
		surface.length === number.length &&
		isNumeral(surface[0]) &&
		!/[十百千]/.test(surface)
	)
		return readOneByOne(number);
	if (isPlainNumber(number)) return readNumber(number);
	return number
		.split(".")
		.map((part) =>
			isPlainNumber(part) ? readNumber(part) : readOneByOne(part),
		)
		.join("テン");
}

function isNumberToken(token: Placed | undefined): boolean {
	if (token === undefined) return false;
	return (
		/^[0-9０-９]+$/.test(token.surface) ||
		(token.partOfSpeechSubcategory1 === "数" &&
			[...token.surface].every((it) => isNumeral(it) || isArabicDigit(it)))
	);
}

/** 二千二十六, 3万5千 or 1,234 in digits with 万, 億 and 兆. */
function inDigits(surface: string): string | undefined {
	const plain = surface.normalize("NFKC");
	if (/^[0-9.,万億兆]+$/.test(plain)) return plain;
	const numeral = readNumeral(plain, 0);
	if (!numeral || numeral.to !== plain.length || numeral.shape === "broken")
		return undefined;
	return numeral.written;
}

function isPlainNumber(number: string): boolean {
	return /^\d[\d,]*(?:\.\d+)?$|^(?:[\d,]+[万億兆])+\d*$/.test(number);
}
