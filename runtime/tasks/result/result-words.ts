/**
 * The words of a segment in the result (docs/interface.md section 2.5): words with fillers and keyword numbers (`words_type` 0), or single characters (1,
 * Mandarin only: there Latin words stay whole).
 */
import { isChinese } from "../../text/languages.js";
import { isCjk } from "../../text/marks.js";
import type { FileOptions } from "../file-options.js";
import type { ResultWord } from "./result.js";
import type { Sentence, SentenceWord } from "./sentence.js";

/** @param segment as written, with the marks that are shown. */
export function resultWords(
	segment: Pick<Sentence, "text" | "words">,
	options: Pick<FileOptions, "wordsType" | "language" | "keywordsQuantity">,
): ResultWord[] {
	if (options.wordsType === 1 && isChinese(options.language))
		return segment.words.flatMap((word) => characters(word, segment.text));
	return segment.words.map((word) => ({
		word: segment.text.slice(word.from, word.to),
		start_time: word.startMs,
		end_time: word.endMs,
		type: word.kind,
		is_punc: word.kind === "punc",
		keywords_index: word.keyword ?? 0,
	}));
}

function characters(word: SentenceWord, text: string): ResultWord[] {
	const pieces = piecesOf(text.slice(word.from, word.to));
	const { startMs, endMs } = word;
	const atMs = (share: number) =>
		Math.round(startMs + ((endMs - startMs) * share) / pieces.length);
	return pieces.map((piece, i) => ({
		word: piece,
		start_time: atMs(i),
		end_time: atMs(i + 1),
		type: word.kind === "punc" ? "punc" : "normal", // only words are marked as fillers
		is_punc: word.kind === "punc",
	}));
}

/** Splits into characters; a run of anything but Chinese stays together. */
function piecesOf(writing: string): string[] {
	const pieces: string[] = [];
	let joins = false;
	for (const character of writing) {
		const stands = isCjk(character);
		if (joins && !stands) pieces[pieces.length - 1] += character;
		else pieces.push(character);
		joins = !stands;
	}
	return pieces;
}
