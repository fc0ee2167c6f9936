/**
 * `tokens.txt` of k2's and FunASR's models: a symbol and its number on each line. A token's text depends on the previous token only where
 * symbols are halves of syllables: there a syllable begins with a space.
 */
import { ModelFault } from "../model-fault.js";
import { areByteLetters, bytesOfLetters } from "./byte-letters.js";
import { type LetterCase, letterCaseOf } from "./letter-case.js";
import { textPieces } from "./text-pieces.js";
import type { TextPiece } from "./transcript.js";

/**
 * What the symbols are: pieces of text; initials and finals of Chinese syllables, with tones; or FunASR's Latin words and characters, where a word goes on
 * after a piece that ends in `@@`.
 */
export type SymbolUnits = "text" | "pinyin" | "words";
/** How `tokens.txt` writes a symbol: as it is, or as the base64 of its bytes, of which some are no whole character. */
export type SymbolEncoding = "plain" | "base64";

const linesMax = 200_000;
const initial = /^(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])$/u;
const byteSymbol = /^(?:<0x[0-9A-Fa-f]{2}>)+$/;
/** Symbols without text: `<blk>`, `<unk>`, `<|zh|>`, and disambiguation symbols. */
const unsaid = /^(?:<.*>|#\d+)$/u;
/** Tells words of a lexicon apart that sound the same: icefall's lists end with some, which no model scores. */
const disambiguation = /^#\d+$/u;
const continues = "@@";
const wordBegin = "\u2581";
const utf8 = new TextEncoder();
const nothing = new Uint8Array(0);

export class SymbolTable {
	readonly units: SymbolUnits;
	/** The model writes punctuation itself: there are marks among its symbols. */
	readonly hasMarks: boolean;
	readonly letterCase: LetterCase;
	readonly #symbols: readonly string[];
	readonly #bytes: readonly Uint8Array[];
	/** The same with a leading space, for a symbol that begins a syllable. */
	readonly #spaced: readonly Uint8Array[];

	/** @param text of `tokens.txt`. @throws ModelFault when a line is not a symbol and its number. */
	constructor(
		text: string,
		units: SymbolUnits = "text",
		encoding: SymbolEncoding = "plain",
	) {
		this.units = units;
		this.#symbols = symbolsOf(text, encoding);
		this.hasMarks = this.#symbols.some(endsClause);
		this.letterCase = letterCaseOf(this.#symbols);
		this.#bytes = this.#symbols.map((symbol) =>
			bytesOfSymbol(units === "words" ? symbol.replace(/@@$/u, "") : symbol),
		);
		this.#spaced = this.#bytes.map((bytes) =>
			bytes.length === 0 ? bytes : Buffer.concat([utf8.encode(" "), bytes]),
		);
	}

	get size(): number {
		return this.#symbols.length;
	}

	/** Whether a model that scores so many tokens has these symbols. */
	areOf(vocabulary: number): boolean {
		if (this.size < vocabulary) return false;
		const more = this.#symbols.slice(vocabulary);
		return more.every((symbol) => disambiguation.test(symbol));
	}

	symbol(token: number): string {
		return this.#symbols[token] ?? "";
	}

	/** @returns undefined for an unknown symbol. */
	tokenOf(symbol: string): number | undefined {
		const token = this.#symbols.indexOf(symbol);
		return token < 0 ? undefined : token;
	}

	/** Text of a token after another one, UTF-8. */
	bytesOf(token: number, before: number | undefined): Uint8Array {
		const bytes = this.#bytes[token] ?? nothing;
		if (this.units === "text") return bytes;
		if (this.units === "words") return this.#wordBytes(token, before);
		const continuesSyllable =
			before !== undefined &&
			isInitial(this.symbol(before)) &&
			!isInitial(this.symbol(token));
		return continuesSyllable ? bytes : (this.#spaced[token] ?? nothing);
	}

	/** A Latin piece begins a word, with a space, unless the piece before it says that the word goes on. */
	#wordBytes(token: number, before: number | undefined): Uint8Array {
		const goesOn =
			before !== undefined && this.symbol(before).endsWith(continues);
		const isLatin = /^[A-Za-z0-9']/.test(this.symbol(token));
		const part = isLatin && !goesOn ? this.#spaced : this.#bytes;
		return part[token] ?? nothing;
	}

	/** The tokens' text, split wherever a token boundary is also a character boundary; only the bytes of incomplete characters are omitted. */
	pieces(tokens: readonly number[]): TextPiece[] {
		const pieces = textPieces(
			tokens.map((token, i) => this.bytesOf(token, tokens[i - 1])),
		);
		const [first] = pieces;
		if (first) pieces[0] = { ...first, text: first.text.trimStart() };
		return pieces.filter(({ text }) => text !== "");
	}
}

/** The symbol is the consonant that a Chinese syllable begins with. */
export function isInitial(symbol: string): boolean {
	return initial.test(symbol);
}

/** A comma or a mark that ends a sentence; a hyphen or an apostrophe is part of a word. */
function endsClause(symbol: string): boolean {
	return /^[,.?!，。？！、]$/u.test(symbol);
}

/**
 * @param text of `tokens.txt`. @returns its symbols, by their numbers; those of byte-level BPE as other lists have them.
 * @throws ModelFault when a line is not a symbol and its number.
 */
export function symbolsOf(
	text: string,
	encoding: SymbolEncoding = "plain",
): readonly string[] {
	const symbols: string[] = [];
	// editors may put a mark of the encoding in front
	for (const line of text.replace(/^\ufeff/u, "").split("\n")) {
		if (line.trim() === "") continue;
		const parts = /^(.*?)\s+(\d{1,6})\s*$/u.exec(line);
		const token = Number(parts?.[2]);
		if (!parts || token >= linesMax)
			throw new ModelFault(
				`tokens.txt: not a symbol and its number: ${JSON.stringify(line.slice(0, 40))}`,
			);
		symbols[token] =
			encoding === "base64" ? decodedSymbol(parts[1] ?? "") : parts[1] || " ";
	}
	const all = Array.from(symbols, (symbol) => symbol ?? "");
	return encoding === "base64" ? all : withoutByteLetters(all);
}

function withoutByteLetters(symbols: readonly string[]): readonly string[] {
	const spaced = symbols.map((it) => it.replaceAll(wordBegin, " "));
	const isText = (symbol: string) => !unsaid.test(symbol);
	if (!areByteLetters(spaced.filter(isText))) return symbols;
	return spaced.map((it) =>
		isText(it)
			? symbolOfBytes(bytesOfLetters(it)).replaceAll(" ", wordBegin)
			: it,
	);
}

/** @throws ModelFault when it is not base64 */
function decodedSymbol(written: string): string {
	if (!/^[A-Za-z0-9+/]*={0,2}$/.test(written) || written.length % 4 !== 0)
		throw new ModelFault(
			`tokens.txt: not the base64 of a symbol: ${JSON.stringify(written.slice(0, 40))}`,
		);
	return symbolOfBytes(Buffer.from(written, "base64"));
}

/** Bytes that are no whole character become symbols of bytes, as plain lists have them. */
function symbolOfBytes(bytes: Uint8Array): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		return Array.from(
			bytes,
			(byte) => `<0x${byte.toString(16).padStart(2, "0")}>`,
		).join("");
	}
}

function bytesOfSymbol(symbol: string): Uint8Array {
	if (byteSymbol.test(symbol))
		return Buffer.from(symbol.replace(/<0x|>/g, ""), "hex");
	if (unsaid.test(symbol)) return nothing;
	return utf8.encode(symbol.replaceAll(wordBegin, " "));
}

/** `pinyin` if symbols are halves of syllables: there is a final with a tone, and no Chinese character. */
export function unitsOf(text: string): Exclude<SymbolUnits, "words"> {
	const symbols = symbolsOf(text);
	const hasHalves = symbols.includes("zh") && symbols.includes("ǎo");
	const hasText = symbols.some((it) => /\p{Script=Han}|\u2581/u.test(it));
	return hasHalves && !hasText ? "pinyin" : "text";
}
