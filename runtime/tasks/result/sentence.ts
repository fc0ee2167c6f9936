/** A sentence of a transcript: its text, and its words with their times. */
import type { Channel } from "../../engine/file-job.js";
import type { PlacedWord } from "../../text/edits.js";
import type { Language } from "../../text/languages.js";

export interface SentenceWord extends PlacedWord {
	/** Number of the keyword that it belongs to. */
	readonly keyword?: number;
}

export interface Sentence {
	readonly channel: Channel;
	/** Channel or speaker, from 1; absent where not requested. */
	readonly speaker?: number;
	/** Speakers who talk at the same time as one of its words. */
	readonly beside?: readonly number[];
	readonly text: string;
	/** At least one. */
	readonly words: readonly SentenceWord[];
	/** Present where speech was not recognized: there is no text. */
	readonly understood?: false;
	/** 0 to 1. */
	readonly confidence: number;
	/** False: continued after another speaker's interruption. */
	readonly begins: boolean;
	/** The language that the model detected, if it reports one for this sentence alone. */
	readonly spokenIn?: Language;
}

export function beginMs({ words }: Pick<Sentence, "words">): number {
	return words[0]?.startMs ?? 0;
}

export function endMs({ words }: Pick<Sentence, "words">): number {
	return words.at(-1)?.endMs ?? 0;
}

/** Characters `from` to `to` of a sentence, without spaces at the ends. Each word lies fully inside or outside. */
export function partOf(
	sentence: Sentence,
	words: readonly SentenceWord[],
	from: number,
	to: number,
): Pick<Sentence, "text" | "words"> {
	const text = sentence.text.slice(from, to);
	const start = from + (text.length - text.trimStart().length);
	return {
		text: text.trim(),
		words: words.map((word) => ({
			...word,
			from: word.from - start,
			to: word.to - start,
		})),
	};
}
