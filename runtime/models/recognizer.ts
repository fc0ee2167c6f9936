/**
 * What every kind of speech model offers a session: one segment of speech in, its text out.
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
	/** Of mixed speech: which of its two languages these samples are in, where that is known. Left out: the recognizer finds out. */
	readonly spokenIn?: Language;
	/** Of mixed speech: which of the two it is where the sound does not say, so that a sentence's first syllables are no guess. `prefixTokens` are in it. */
	readonly presumedIn?: Language;
	/** Of mixed speech: stretches whose languages are asked, in samples from the segment's first one, see `languageLogOdds`. Asked only where `spokenIn` is not told. */
	readonly languageSpans?: readonly SampleRange[];
	/** Of mixed speech: only the language is asked, nothing is recognised. */
	readonly languageOnly?: boolean;
	/** Hypotheses kept while searching. */
	readonly beam: number;
	/** Put punctuation in where the model left it out, or take all of it out. */
	readonly punctuation: boolean;
	/** Word times are wanted. */
	readonly words: boolean;
	/** Committed text of an earlier hypothesis of the same segment: its tokens are forced. */
	readonly prefixTokens?: readonly number[];
	/** Words that are likelier here than anywhere else. */
	readonly hotwords?: HotwordOptions;
	/** More of the segment may come: a word cut off at its end makes any text doubtful. */
	readonly open?: boolean;
	/**
	 * Stands for the segment: requests of one `hearing` begin at the same sample, and a recognizer that streams goes on from where it had come to. What
	 * it remembers goes when the object does. The answer is the same without it.
	 */
	readonly segmentKey?: object;
	/** What voice activity says of the samples; absent where nobody asked it. */
	readonly voiceActivity?: VoiceActivity;
	/** Polled between decoder steps; true ends the work with `cancelled`. */
	readonly cancelled?: () => boolean;
}

export interface HotwordOptions {
	readonly list: WordList;
	/** 0.1 to 1: how much likelier; 0.4 unless the user says otherwise (`hotwords_weight`). */
	readonly weight: number;
}

export interface RecognizedWord {
	/** Text as it stands in the hypothesis, without the space before it. */
	readonly text: string;
	/** Seconds from the segment's start. */
	readonly startSeconds: number;
	readonly endSeconds: number;
	readonly kind: "normal" | "punc";
	readonly confidence: number;
}

export interface Hypothesis {
	/** Simplified characters for Chinese; empty when nothing was said (or a guard says so). */
	readonly text: string;
	readonly tokens: readonly number[];
	/** Calibrated, 0 to 1. */
	readonly confidence: number;
	/** Of mixed speech, the one of the two that it was recognised in, or that the model says it heard; absent where it says none. */
	readonly spokenIn?: Language;
	/** Of each of the request's `languageSpans`, or of the whole where there were none: see `sureLogOdds`. Absent where the model can't say. */
	readonly languageLogOdds?: readonly number[];
	/** Empty unless asked for. */
	readonly words: readonly RecognizedWord[];
	/** Speech in it that was given up; filled in where a segment's parts are put together. */
	readonly unheard?: readonly UnrecognizedSpeech[];
	/** Which guard turned words into silence or made a second try necessary, for the debug log. */
	readonly guards: readonly string[];
}

/** Speech without a text. */
export interface UnrecognizedSpeech {
	/** The guard that took its text away; `no words` where none was found, `skipped` where nobody tried. */
	readonly why: string;
	/** In which voice activity is sure. */
	readonly seconds: number;
}

/** What a kind of model can do; the rest is refused in words, never left out in silence (docs/models.md). */
export interface Capabilities {
	/** How a text is found, in the field's words. */
	readonly search: string;
	/** Words of a list are likelier than others. */
	readonly hotwords: boolean;
	readonly wordTimes: boolean;
	/** Marks come with the text, or not at all. */
	readonly punctuation: boolean;
	/** An open segment is gone on with; otherwise each partial hears it again. */
	readonly streaming: boolean;
	/** What turns sound that is no speech into silence instead of words. */
	readonly guards: readonly string[];
}

export interface SpeechRecognizer {
	readonly name: string;
	readonly languages: readonly Language[];
	readonly capabilities: Capabilities;
	/** What computes its graphs, where there was a choice. */
	readonly processors?: readonly ProcessorChoice[];
	/** Work to be done before a list is first used, in pieces (each `next` is one): without it the first segment does it all at once. */
	preparing?(hotwords: HotwordOptions, language: Language): Iterable<void>;
	recognize(request: SegmentRequest): Promise<Hypothesis | "cancelled">;
	/**
	 * Which of these to ask for together next (in one `recognizeAll`): the first of them is among these.
	 * @param concurrentBatches how many batches are heard at the same time: all should end at about the same time.
	 */
	nextBatch?(
		waiting: readonly SegmentRequest[],
		concurrentBatches: number,
	): readonly SegmentRequest[];
	/** Several segments at once, of one caller: each costs less than alone. */
	recognizeAll?(
		requests: readonly SegmentRequest[],
	): Promise<readonly (Hypothesis | "cancelled")[]>;
	close(): Promise<void>;
}
