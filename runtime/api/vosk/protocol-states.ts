/** States, events and effects of a Vosk connection (protocol.ts). */
import type { CodedError } from "../../errors.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { LanguageOptions } from "../../session/wanted-language.js";
import type { Language } from "../../text/languages.js";
import type { WordSource } from "../../word-lists/references.js";
import type { FeedEvent } from "../feed/audio-feed.js";
import type { Sentence } from "./answer.js";
import type { ClientMessage, VoskConfig } from "./client-message.js";

export interface ProtocolContext {
	/** Of all connections: the protocol can't name one. */
	readonly language: () => LanguageOptions;
	readonly wordLists: WordSource;
}

/** What a connection keeps from one recognition to the next. */
export interface Progress {
	/** Of the next recognition, and of the answers. */
	readonly config: VoskConfig;
	/** Sentences that have ended and were not sent yet. */
	readonly sentences: readonly Sentence[];
	/** Text of the open sentence so far. */
	readonly partial: string;
	/** The language that was identified last. */
	readonly identified?: Language;
	/** Audio of the recognitions before this one. */
	readonly offsetMs: number;
}

export type State =
	/** No recognition: the next audio opens one. */
	| ({ readonly is: "idle" } & Progress)
	/** It is open, or waits for a slot. */
	| ({ readonly is: "streaming"; readonly rateHz: number } & Progress)
	/** Its last sentences are awaited. "pause": no audio came for a while, and the slot is given back. */
	| ({
			readonly is: "finishing";
			readonly why: "eof" | "reset" | "pause";
	  } & Progress)
	| { readonly is: "over" };

export type Event =
	| { readonly is: "message"; readonly message: ClientMessage }
	| { readonly is: "bad-message"; readonly error: CodedError }
	| { readonly is: "audio"; readonly bytes: Uint8Array }
	| FeedEvent
	/** No audio, or too little of it, came for too long. */
	| { readonly is: "late" }
	/** The appliance stops. */
	| { readonly is: "shutdown" }
	/** The peer sends nothing more, or the connection is closed. */
	| { readonly is: "gone" };

export type Effect =
	| { readonly do: "open"; readonly options: RecognitionOptions }
	| { readonly do: "write"; readonly bytes: Uint8Array }
	| { readonly do: "finish" }
	| { readonly do: "cancel" }
	| {
			readonly do: "send";
			readonly text: string;
			/** It is not empty, however preliminary. */
			readonly hasText: boolean;
	  }
	/** Starts the timeout for the peer's next audio. */
	| { readonly do: "await-audio" }
	/** Extends it by what this much audio buys. */
	| { readonly do: "await-longer"; readonly audioSeconds: number }
	| { readonly do: "await-nothing" }
	/** A recognition has ended, with this status; "gone": nobody was told. */
	| {
			readonly do: "note";
			readonly status: string;
			readonly audioMs: number;
	  }
	| { readonly do: "close"; readonly code: number; readonly reason: string };

export interface Step {
	readonly state: State;
	readonly effects: readonly Effect[];
}

/** Any state before the end. */
export type Open = Exclude<State, { is: "over" }>;
