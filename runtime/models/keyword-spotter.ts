/** The interface of a recognizer that only listens for phrases: a fraction of the work of recognizing everything that is said. */

/** A phrase as it is to be spoken. */
export interface SpottedPhrase {
	readonly phrase: string;
	/** Mean probability of its sounds from which it counts as spoken, 0 to 1. */
	readonly threshold: number;
	/** Toneless pinyin and tone, 1 to 5, of each syllable. */
	readonly syllables: readonly {
		readonly base: string;
		readonly tone: number;
	}[];
}

export interface Spotted {
	/** As it was given. */
	readonly phrase: string;
	/** Mean probability of its sounds, 0 to 1. */
	readonly confidence: number;
	/** Samples from the begin of the stretch of audio: of its first sound, */
	readonly startSample: number;
	/** and of the begin of its last vowel. */
	readonly lastVowelSample: number;
}

/** Follows one stream, stretch by stretch. Calls must not overlap. */
export interface KeywordSpotter {
	/** A new stretch of audio begins; the one before is forgotten. */
	begin(): void;
	/** @param samples mono, 16 kHz, of any length; copied. @returns the first phrase found in them; more may follow. */
	accept(samples: Float32Array): Promise<Spotted | undefined>;
	/** The stretch ends, in silence. */
	end(): Promise<Spotted | undefined>;
}
