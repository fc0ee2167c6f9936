/**
 * A text on its way to its reader, and the steps that change it. Every step says what it changes as edits of the text, so that the words keep their
 * places and times whatever is rewritten, a step can be explained, and the text is the same with words and without.
 */

/** `text` in place of what stands from `from` to `to` (UTF-16 offsets; to is excluded). */
export interface Edit {
	readonly from: number;
	readonly to: number;
	readonly text: string;
}

/** @returns edits of the text, in order, apart from each other. */
export type TextRule = (text: string) => readonly Edit[];

/** A word where it stands in the text. */
export interface PlacedWord {
	readonly from: number;
	readonly to: number;
	readonly startMs: number;
	readonly endMs: number;
	readonly kind: "normal" | "modal" | "punc";
	/** 0 to 1. */
	readonly confidence: number;
}

export interface Draft {
	readonly text: string;
	/** In order, apart from each other; empty unless words were asked for. */
	readonly words: readonly PlacedWord[];
}
