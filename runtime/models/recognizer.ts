/**
 * The interface of every speech model to a session: one segment of speech in, its text out.
 * A recognizer is shared and holds no state of a session; one call at a time.
 */
import type { SampleRange, VoiceActivity } from "../segmentation/events.js";
import type { Language } from "../text/languages.js";
import type { WordList } from "../words/word-list.js";
import type { ProcessorChoice } from "./inference-port.js";

export interface SegmentRequest {
	/** Mono, 16 kHz, [-1, 1], finite; at most 30 s. */
	readonly samples: Float32Array;
	readonly language: Language;
	/** The text is to be a translation from this language, see RecognitionOptions; a recognizer must be able to. */
	readonly translatedFrom?: Language;
	/** Mixed speech: which of its two languages these samples are in, where that is known. Default: the recognizer identifies it. */
	readonly spokenIn?: Language;
	/** Mixed speech: the language to use where the audio does not decide, so that a sentence's first syllables are not guessed. `prefixTokens` are in it. */
	readonly presumedIn?: Language;
	/** Mixed speech: spans whose languages are to be identified, in samples from the segment's first one, see `languageLogOdds`. Ignored where `spokenIn` is given. */
	readonly languageSpans?: readonly SampleRange[];
	/** Mixed speech: only identify the language, without recognition. */
	readonly languageOnly?: boolean;
	/** Hypotheses kept while searching. */
	readonly beam: number;
	/** true: insert punctuation where the model omitted it; false: remove all punctuation. */
	readonly punctuation: boolean;
	/** Return words with times. */
	readonly words: boolean;
	/** Committed text of an earlier hypothesis of the same segment: its tokens are forced. */
	readonly prefixTokens?: readonly number[];
	/** Words to favour in the search. */
	readonly hotwords?: HotwordOptions;
	/** The segment may still grow: a truncated word at its end makes any text doubtful. */
	readonly open?: boolean;
	/**
	 * Identifies the segment: requests with the same key begin at the same sample, and a streaming recognizer continues from its previous state. That state
	 * is released with the object. The result is the same without it.
	 */
	readonly segmentKey?: object;
	/** Voice activity in the samples; absent where it was not computed. */
	readonly voiceActivity?: VoiceActivity;
	/** Polled between decoder steps; true ends the work with `cancelled`. */
	readonly cancelled?: () => boolean;
}

export interface HotwordOptions {
	readonly list: WordList;
	/** 0.1 to 1: strength of the bias; 0.4 unless the user sets `hotwords_weight`. */
	readonly weight: number;
}

export interface RecognizedWord {
	/** Text as in the hypothesis, without the space before it. */
	readonly text: string;
	/** Seconds from the segment's start. */
	readonly startSeconds: number;
	readonly endSeconds: number;
	readonly kind: "normal" | "punc";
	readonly confidence: number;
}

export interface Hypothesis {
	/** Simplified characters for Chinese; empty when there was no speech, or a guard rejected the text. */
	readonly text: string;
	readonly tokens: readonly number[];
	/** Calibrated, 0 to 1. */
	readonly confidence: number;
	/** Mixed speech: the language that it was recognized in, or that the model reports; absent where it reports none. */
	readonly spokenIn?: Language;
	/** For each of the request's `languageSpans`, or for the whole segment where there are none: see `sureLogOdds`. Absent where the model does not provide it. */
	readonly languageLogOdds?: readonly number[];
	/** Empty unless requested. */
	readonly words: readonly RecognizedWord[];
	/** Speech in it that was not recognized; set where a segment's parts are joined. */
	readonly unrecognized?: readonly UnrecognizedSpeech[];
	/** Guards that rejected text or caused a second attempt, for the debug log. */
	readonly guards: readonly string[];
}

/** @param guards that rejected its text, if there was one. */
export function emptyHypothesis(...guards: readonly string[]): Hypothesis {
	return { text: "", tokens: [], confidence: 0, words: [], guards };
}

/** Speech without a text. */
export interface UnrecognizedSpeech {
	/** The guard that rejected its text; `no words` where none was found, `skipped` where it was not decoded. */
	readonly why: string;
	/** Seconds with certain voice activity. */
	readonly seconds: number;
}

/** The features of a kind of model; requests for others are refused with a message, never ignored silently (docs/models.md). */
export interface Capabilities {
	/** Name of the search algorithm. */
	readonly search: string;
	/** Supports hotwords. */
	readonly hotwords: boolean;
	readonly wordTimes: boolean;
	/** Writes punctuation marks. */
	readonly punctuation: boolean;
	/** Continues decoding an open segment; otherwise each partial decodes it from its start. */
	readonly streaming: boolean;
	/** Checks that suppress text where there is no speech. */
	readonly guards: readonly string[];
}

/** What requests may ask of a recognizer. */
export interface RecognizerAbilities {
	readonly name: string;
	readonly languages: readonly Language[];
	readonly capabilities: Capabilities;
	/** Writes English for speech in the other languages. */
	readonly translates?: boolean;
}

export interface LikeliestLanguage {
	readonly language: Language;
	/** False: more speech may show another one. */
	readonly isSure: boolean;
}

export interface SpeechRecognizer extends RecognizerAbilities {
	/** The processors of its graphs, where there was a choice. */
	readonly processors?: readonly ProcessorChoice[];
	/** Several models in one: the abilities of the one that serves a language. Absent: they are the same for all. */
	servedBy?(language: Language): RecognizerAbilities;
	/** A recognition in this language begins: its model stays loaded until the result is called. Absent: it always is. */
	hold?(language: Language): () => void;
	/** Prepares a list before its first use, in pieces (one per `next`): without it the first segment does all the work at once. */
	preparing?(hotwords: HotwordOptions, language: Language): Iterable<void>;
	recognize(request: SegmentRequest): Promise<Hypothesis | "cancelled">;
	/**
	 * Identifies which of several languages is spoken, none of them mixed. Absent where the model can't.
	 * @param samples as of a request. @param options as of the request for their text. @returns undefined where they are not speech.
	 */
	readonly identifyLanguage?:
		| ((
				samples: Float32Array,
				choices: readonly Language[],
				options?: Pick<SegmentRequest, "open">,
		  ) => Promise<LikeliestLanguage | undefined>)
		| undefined;
	/**
	 * Selects the requests for the next `recognizeAll`; the first waiting request is always included.
	 * @param concurrentBatches how many batches are recognized at the same time: all should end at about the same time.
	 */
	nextBatch?(
		waiting: readonly SegmentRequest[],
		concurrentBatches: number,
	): readonly SegmentRequest[];
	/** Recognizes several segments of one caller at once, at a lower cost for each. */
	recognizeAll?(
		requests: readonly SegmentRequest[],
	): Promise<readonly (Hypothesis | "cancelled")[]>;
	close(): Promise<void>;
}
