/**
 * The interface between a language's folder and the pipeline. Its rules are pure, take linear time on any text and never throw; each returns its changes as edits of
 * the given text (edits.ts), so that words keep their times and `earshot text --explain` can show the change.
 *
 * INVARIANTS
 * - A number rule applied to its own result changes nothing, on normal speech. Registration makes sure that this holds for every text
 *   (settled.ts).
 * - A rule changes numbers (or finds fillers) and nothing else: marks, spaces and script belong to other steps.
 */
import type { TextRule } from "./edits.js";

/** A range of a text: UTF-16 offsets, `to` is exclusive. */
export interface Span {
	readonly from: number;
	readonly to: number;
}

export interface LanguageRules {
	/** Inverse text normalization on: numbers in digits, as people write them, whatever the model wrote. */
	readonly writeNumbers: TextRule;
	/** Off: numbers in words, as they are spoken, whatever the model wrote. */
	readonly speakNumbers: TextRule;
	/** Modal particles and fillers without the marks around them, in order, not overlapping. Anything that may be a word is not a filler. */
	readonly fillers: (text: string) => readonly Span[];
	/**
	 * Of a text that still grows: the start of a number at its end that may continue ("twenty" may become "twenty five"), so that nothing shown has to be
	 * retracted. The text's length if there is no such number.
	 */
	readonly openFrom?: (text: string) => number;
}
