/**
 * What a language's folder gives the pipeline. Its rules are pure, take linear time on any text and never throw; each says what it changes as edits of
 * the text it is given (edits.ts), so that words keep their times and `earshot text --explain` can show the change.
 *
 * INVARIANTS
 * - A number rule applied to its own result changes nothing, on what people say. That it holds on every text is seen to where rules are registered
 *   (settled.ts).
 * - A rule touches numbers (or finds fillers) and nothing else: marks, spaces and script belong to other steps.
 */
import type { TextRule } from "./edits.js";

/** A piece of a text: UTF-16 offsets, `to` is excluded. */
export interface Span {
	readonly from: number;
	readonly to: number;
}

export interface LanguageRules {
	/** Inverse text normalisation on: numbers as people write them, in digits, whatever the model wrote. */
	readonly writeNumbers: TextRule;
	/** Off: numbers as they are spoken, in words, whatever the model wrote. */
	readonly speakNumbers: TextRule;
	/** Modal particles and fillers without the marks around them, in order, apart from each other. What may be a word is none. */
	readonly fillers: (text: string) => readonly Span[];
	/**
	 * Of a text that still grows: where a number begins at its end that may go on ("twenty" may become "twenty five"), so that nothing is shown that is
	 * taken back. The text's length where there is none.
	 */
	readonly openFrom?: (text: string) => number;
}
