/** A syllable that the syllable recognizer found, with the log-probabilities of its alternatives. */
export interface RecognizedSyllable {
	/**
	 * Toneless pinyin, with "v" for ü: "zhong", "nv", "er". Empty for a symbol that is no syllable
	 * (a Latin letter, an unknown sound).
	 */
	readonly base: string;
	/** 1 to 5 (5 is the neutral tone). */
	readonly tone: number;
	readonly startSeconds: number;
	readonly endSeconds: number;
	/** Natural log-probability of its initial and its toneless final, maximum over the frame and its neighbours; 0 for a symbol that is no syllable. */
	readonly logp: number;
	/**
	 * Natural log-probability by initial ("" where a syllable begins with its vowel), the maximum
	 * over the symbol's frame and its neighbours. Only differences between them carry a meaning.
	 */
	readonly initials: ReadonlyMap<string, number>;
	/** Natural log-probability by toneless final, summed over the tones. */
	readonly finals: ReadonlyMap<string, number>;
	/** Natural log-probability by final and tone: "ong4". */
	readonly tonedFinals: ReadonlyMap<string, number>;
}

/** A syllable of a text to be scored: its base and, where it is known, its tone. */
export interface WantedSyllable {
	readonly base: string;
	readonly tone?: number;
}

/** What the syllable recognizer heard in one segment. */
export interface SyllableEvidence {
	readonly syllables: readonly RecognizedSyllable[];
	/**
	 * The log-probability of each sequence, summed over all its alignments with the audio.
	 * Undefined for a sequence with a syllable that the recognizer has no symbols for.
	 */
	score(
		sequences: readonly (readonly WantedSyllable[])[],
	): Promise<readonly (number | undefined)[]>;
}
