/**
 * How likely a word is after others. A state stands for the words before; it is any number the model likes. Models of single words (unigram) have
 * one state.
 */
export interface LanguageModel {
	/** At the beginning of a text, and after a word in another script. */
	readonly start: number;
	/** Natural log-probability of `word` after `state`, not below `wordLogpMin`. `logp` is the word's own, from the lexicon. */
	logp(state: number, word: string, logp: number): number;
	next(state: number, word: string): number;
}

/** Each word with its own probability, whatever is before it. */
export const unigram: LanguageModel = {
	start: 0,
	logp: (_state, _word, logp) => logp,
	next: () => 0,
};
