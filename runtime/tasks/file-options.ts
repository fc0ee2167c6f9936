/**
 * What the transcription of a file is told: the form of the upload, checked and with every default filled in (specification 4.4). It is kept with the
 * task as JSON, so it names lists of words instead of holding them.
 */
import type { Language } from "../models/recognizer.js";
import type { AudioFormat } from "../session/options.js";

export type Variant = "standard" | "vip";

export interface FileOptions {
	readonly variant: Variant;
	readonly language: Language;
	/** What the bytes are, whatever the client called them: they were looked at when they came. */
	readonly format: AudioFormat;
	/** Of raw PCM. */
	readonly sampleRateHz: 8000 | 16000;
	/** 2: each channel is heard on its own, and there are two. */
	readonly channels: 1 | 2;
	readonly gain: number;
	readonly output: "text" | "subtitle";
	/** Silence that ends a sentence. */
	readonly maxSentenceSilenceMs: number;
	readonly punctuation: boolean;
	readonly inverseTextNormalization: boolean;
	readonly modalParticleFilter: boolean;
	/** Words are part of the result, */
	readonly words: boolean;
	/** as words (0, with fillers and keyword numbers) or characters (1); Chinese only. */
	readonly wordsType: 0 | 1;
	/** Voices to tell apart; 0: as many as there are. Absent: nobody asked. */
	readonly clusters?: number;
	readonly keywordsQuantity: number;
	readonly langLabel: boolean;
	/** Characters after which the same speaker's next sentence begins a paragraph; absent: none does. */
	readonly paragraphCondition?: number;
	/** Words sent with the request; they win over `hotwordsId`. */
	readonly hotwordsList?: readonly string[];
	readonly hotwordsId?: string;
	readonly hotwordsWeight: number;
	/** Ids separated by bars, or `all`. */
	readonly correctionWordsId?: string;
	readonly forbiddenWordsId?: string;
	readonly callbackUrl?: string;
}
