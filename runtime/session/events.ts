/**
 * What a recognition tells the outside: the right-hand end of the pipeline. Times are milliseconds of audio from the start of the session.
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
	/** The text's reading in katakana, where it was asked for. */
	readonly spoken?: string;
	/** Calibrated, 0 to 1. */
	readonly confidence: number;
	/** Of mixed speech, the language that the model says it heard. */
	readonly spokenIn?: Language;
	/** Empty unless words were asked for. */
	readonly words: readonly Word[];
}

/** Audio that was stored, or why it was not. */
export type StoredRecording =
	| { readonly is: "kept"; readonly url: string }
	| { readonly is: "lost"; readonly why: string };

export type SessionEvent =
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
			readonly audioMs: number;
	  }
	/** The text of a segment; never changes. */
	| {
			readonly is: "final";
			readonly utterance: Utterance;
			readonly audioMs: number;
			/** Speech that the text leaves out; absent where there is none. */
			readonly unheard?: readonly UnrecognizedSpeech[];
	  }
	/** The last event: everything that was heard, joined by the language's rule. */
	| {
			readonly is: "completed";
			readonly text: string;
			readonly spoken?: string;
			readonly confidence: number;
			readonly words: readonly Word[];
			readonly audioMs: number;
			readonly why: "finished" | "duration" | "suffix-silence";
			/** Speech was heard, and nothing of it understood. */
			readonly notUnderstood?: true;
			/** Where storing it was asked for, and there was any. */
			readonly recording?: StoredRecording;
	  };
