/**
 * Rewrites recognized hotwords to the spelling of the list: "llms" and "LLM's" become LLMs, "new york" New York; a Japanese word in kana (おばけ) becomes
 * the writing of its entry (お化け). No scores are involved, so words that only have the letters of an entry (is a and ISA, us and US) stay as they are.
 */

import { inPieces, type Piecewise } from "../../event-loop/piecewise.js";
import type { SearchResult } from "../../search/beam-search.js";
import { parseHotword } from "../../words/hotword.js";
import type { TextPiece } from "../writing/transcript.js";
import { segmenterOf } from "../writing/word-segmenter.js";
import { isOnlyFunctionWords } from "./function-words.js";
import type { PromptLanguage } from "./punctuator.js";
import type { WhisperTokenizer } from "./tokenizer.js";

/** Entries per piece. */
const entriesOfPiece = 50;
/** Shorter readings are often part of another word. */
const readingMin = 3;
/** Words of a Japanese text that a reading may span. */
const wordsMax = 6;
/** Words that an entry in Latin script may have. */
const latinWordsMax = 8;

const latinWord =
	/[\p{Script=Latin}\p{N}]+(?:['’.&+#-]*[\p{Script=Latin}\p{N}]+)*[+#]*/gu;

/** A span of text, in UTF-16 offsets, and its replacement. */
interface Respelling {
	readonly from: number;
	readonly to: number;
	readonly text: string;
}

export class HotwordSpelling {
	/** Spellings by normalised letters (no case, no spaces), and by kana. */
	readonly #writings = new Map<string, string>();
	readonly #readings = new Map<string, string>();

	static *reading(
		entries: readonly string[],
		language: PromptLanguage,
	): Piecewise<HotwordSpelling> {
		const spelling = new HotwordSpelling();
		yield* inPieces(entries, entriesOfPiece, (entry) =>
			spelling.#add(entry, language),
		);
		return spelling;
	}

	#add(entry: string, language: PromptLanguage): void {
		const { writing, reading } = parseHotword(entry);
		const plain = writing.normalize("NFKC");
		const key = lettersOf(plain);
		// an entry in lower case does not define a spelling
		if (
			/\p{Lu}/u.test(plain) &&
			/^[\p{Script=Latin}\p{N}\s\p{P}+#]+$/u.test(plain)
		)
			this.#writings.set(key, plain);
		const kana = reading && hiragana(reading.normalize("NFKC"));
		if (language === "ja" && kana && [...kana].length >= readingMin)
			if (/\p{Script=Han}/u.test(plain)) this.#readings.set(kana, plain);
	}

	/** @param settled tokens of the text that stay as they are. */
	respell<Found extends SearchResult>(
		found: Found,
		settled: number,
		tokenizer: WhisperTokenizer,
	): Found {
		if (this.#writings.size + this.#readings.size === 0) return found;
		const pieces = tokenizer.pieces(found.tokens.slice(settled));
		const text = pieces.map((piece) => piece.text).join("");
		let { tokens, logp } = found;
		for (const one of this.#respellings(text).reverse()) {
			const { first, last, instead } = throughPieces(pieces, one);
			const written = tokenizer.encode(instead);
			const old = logp.slice(first, last);
			const mean = old.reduce((sum, it) => sum + it, 0) / old.length;
			tokens = [
				...tokens.slice(0, settled + first),
				...written,
				...tokens.slice(settled + last),
			];
			// the new tokens get the mean of the old ones: the confidence stays the same
			logp = [
				...logp.slice(0, first),
				...written.map(() => mean),
				...logp.slice(last),
			];
		}
		return { ...found, tokens, logp };
	}

	#respellings(text: string): Respelling[] {
		const found = [
			...this.#between(
				text,
				[...text.matchAll(latinWord)].map((it) => ({
					from: it.index,
					to: it.index + it[0].length,
				})),
				latinWordsMax,
				(span) =>
					isOnlyFunctionWords(span)
						? undefined
						: this.#writings.get(lettersOf(span)),
			),
			...(this.#readings.size === 0
				? []
				: this.#between(
						text,
						[...segmenterOf("ja").segment(text)].map(({ index, segment }) => ({
							from: index,
							to: index + segment.length,
						})),
						wordsMax,
						(span) => this.#readings.get(hiragana(span)),
					)),
		];
		return found.sort((a, b) => a.from - b.from);
	}

	/** Scans from the left and prefers the longest match. */
	#between(
		text: string,
		words: readonly { readonly from: number; readonly to: number }[],
		spanWordsMax: number,
		writingOf: (span: string) => string | undefined,
	): Respelling[] {
		const found: Respelling[] = [];
		for (let i = 0; i < words.length; i++) {
			const from = words[i]?.from as number;
			for (let k = Math.min(words.length, i + spanWordsMax) - 1; k >= i; k--) {
				const to = words[k]?.to as number;
				const writing = writingOf(text.slice(from, to));
				if (writing === undefined) continue;
				if (writing !== text.slice(from, to))
					found.push({ from, to, text: writing });
				i = k;
				break;
			}
		}
		return found;
	}
}

/** The tokens that a span touches, and their whole text after the replacement. */
function throughPieces(
	pieces: readonly TextPiece[],
	{ from, to, text }: Respelling,
) {
	let at = 0;
	let instead = "";
	let first: number | undefined;
	let last = 0;
	for (const piece of pieces) {
		const end = at + piece.text.length;
		if (end > from && at < to) {
			first ??= piece.tokenStart;
			last = piece.tokenEnd;
			if (at <= from) instead += piece.text.slice(0, from - at) + text;
			if (end > to) instead += piece.text.slice(to - at);
		}
		at = end;
	}
	return { first: first ?? 0, last, instead };
}

function lettersOf(text: string): string {
	return text.toLowerCase().replace(/[\s'’-]+/g, "");
}

function hiragana(text: string): string {
	return text.replace(/[\u30a1-\u30f6]/g, (it) =>
		String.fromCharCode(it.charCodeAt(0) - 0x60),
	);
}
