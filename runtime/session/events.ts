/**
 * Events of a recognition: the output of the pipeline. Times are milliseconds of audio from the start of the session.
 */

import type { UnrecognizedSpeech } from "../models/recognizer.js";
import type { Language } from "../text/languages.js";

export interface Word {
	readonly text: string;
	readonly startMs: number;
	readonly endMs: number;
	readonly kind: "normal" | "modal" | "punc";
	/** Mean token probability, 0 to 1. */
	readonly confidence: number;
}

/** A segment and its text. */
export interface Utterance {
	/** Counts from 1 within the session. */
	readonly index: number;
	readonly beginMs: number;
	readonly endMs: number;
	readonly text: string;
	/** The text's reading in katakana, where requested. */
	readonly spoken?: string;
	/** Calibrated, 0 to 1. */
	readonly confidence: number;
	/** The language that the model identified: in mixed speech, and in a call whose language is not given. */
	readonly spokenIn?: Language;
	/** Empty unless words were requested. */
	readonly words: readonly Word[];
}

/** Audio that was stored, or why it was not. */
export type StoredRecording =
	| { readonly is: "kept"; readonly url: string }
	| { readonly is: "lost"; readonly why: string };

export type SessionEvent =
	/** A wake word was said: what follows is recognized, until a pause. */
	| {
			readonly is: "wake";
			readonly phrase: string;
			/** Mean probability of its sounds, 0 to 1. */
			readonly confidence: number;
			readonly beginMs: number;
			readonly endMs: number;
			readonly audioMs: number;
	  }
	/** After a wake word: what followed has ended, or nothing followed. Speech is not recognized until the next one. */
	| { readonly is: "sleep"; readonly audioMs: number }
	/** Speech began: a segment is open. */
	| {
			readonly is: "speech-begin";
			readonly index: number;
			readonly atMs: number;
	  }
	/** The text of the open segment so far; may change. */
	| {
			readonly is: "partial";
			readonly utterance: Utterance;
			/** How many UTF-16 units at the beginning of the text two hypotheses agree on; they rarely change. Absent: none. */
			readonly stable?: number;
			readonly audioMs: number;
			/** As in `completed`. */
			readonly language?: Language;
	  }
	/** The text of a segment; never changes. */
	| {
			readonly is: "final";
			readonly utterance: Utterance;
			readonly audioMs: number;
			/** Speech without text; absent where there was none. */
			readonly unrecognized?: readonly UnrecognizedSpeech[];
			/** As in `completed`. */
			readonly language?: Language;
	  }
	/** The last event: all finals, joined by the language's rule. */
	| {
			readonly is: "completed";
			readonly text: string;
			readonly spoken?: string;
			readonly confidence: number;
			readonly words: readonly Word[];
			readonly audioMs: number;
			/** The language that was identified, where that was requested. */
			readonly language?: Language;
			readonly why: "finished" | "duration" | "suffix-silence";
			/** There was speech, but none of it could be recognized. */
			readonly notUnderstood?: true;
			/** Present where storing was requested and there was audio. */
			readonly recording?: StoredRecording;
	  };
