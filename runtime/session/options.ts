/**
 * What a recognition is told: the options of the outside, checked and with every default filled in.
 */
import type { HotwordOptions, Language } from "../models/recognizer.js";
import type { Owner } from "../owner.js";
import type { WordList } from "../words/word-list.js";

/** `format` values (decisions.md section 3). `pcm` is signed 16-bit little-endian mono; the rest carry their own header. */
export const audioFormats = [
	"pcm",
	"wav",
	"opus",
	"mp3",
	"aac",
	"amr",
	"m4a",
	"mp4",
	"3gp",
	"flac",
] as const;

export type AudioFormat = (typeof audioFormats)[number];

/** What becomes of stored audio, and whose it is. */
export interface RecordingWish {
	readonly format: "mp3" | "pcm" | "wav";
	readonly owner: Owner;
	/** Of links to this server, as its caller knows it: `http://kiosk:7100`; empty where that is not known. */
	readonly baseUrl: string;
}

export interface RecognitionOptions {
	readonly language: Language;
	readonly format: AudioFormat;
	/** Of raw PCM; containers carry their own. */
	readonly sampleRateHz: 8000 | 16000;
	/** Amplitude factor, 1 to 20. */
	readonly gain: number;
	/** Audio past it is not heard: the recognition completes with why "duration", and each door says so in its way. */
	readonly durationSecondsMax: number;
	/** unless this says that what was heard until then is completed (`why` is "duration"). */
	readonly completeAtDuration?: boolean;
	/** Containers are decoded while they arrive, for a caller who speaks at this moment; otherwise when they are here whole. */
	readonly streamed?: boolean;
	/** Sentences are not told apart, so speech is heard in passages: `maxSentenceSilenceMs` and `dynamicBreak` mean nothing then. */
	readonly oneText?: boolean;
	/** Silence that ends a segment. */
	readonly maxSentenceSilenceMs: number;
	/** That silence follows the speaker's own pauses, between half and one and a half of it. */
	readonly dynamicBreak?: boolean;
	/** After speech, so much silence completes the recognition (`why` is "suffix-silence"); 0: the end of the speech does. Absent: nothing does. */
	readonly suffixSilenceMs?: number;
	readonly punctuation: boolean;
	readonly inverseTextNormalization: boolean;
	readonly modalParticleFilter: boolean;
	readonly hotwords?: HotwordOptions;
	/** Correction vocabularies, applied in this order. */
	readonly corrections?: readonly WordList[];
	readonly forbidden?: readonly WordList[];
	/** How the text is read aloud is wanted, too (`enable_spoken`); Japanese only. */
	readonly spoken?: boolean;
	/** False: what was said is told sentence by sentence and then forgotten, `completed` brings no text. For hours of speech. Default true. */
	readonly keepsWhole?: boolean;
	/** Word times are wanted. */
	readonly words: boolean;
	/** Partials are wanted, */
	readonly partials: boolean;
	/** and their words, too. */
	readonly partialWords?: boolean;
	/** Speech between two of them at least; absent: as fast as words come. */
	readonly partialMs?: number;
	/** What is heard is stored as well, for its caller to fetch (`audio_url`). */
	readonly recording?: RecordingWish;
	/** Hypotheses kept while searching; absent: the model's default. */
	readonly beam?: number;
}
