/** States, events and effects of a Wyoming connection (protocol.ts). */
import type { CodedError } from "../../errors.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { Language } from "../../text/languages.js";
import type { FeedEvent } from "../feed/audio-feed.js";
import type { ChunkFormat } from "./chunk-format.js";
import type { Frame, SentFrame } from "./frame.js";
import type { RequestSources, TurnRequest } from "./turn-request.js";

export interface ProtocolContext extends RequestSources {
	/** The answer to `describe`. */
	readonly info: () => SentFrame;
}

/** A turn whose recognition was opened: one command, from its first audio to its transcript. */
export interface Turn {
	readonly request: TurnRequest;
	readonly rateHz: number;
	/** As far as it is known: the request's, until the recognizer identifies it. */
	readonly language: Language;
	/** Texts of its finals. */
	readonly texts: readonly string[];
	/** Sent in `transcript-chunk` events, which together are the transcript. */
	readonly chunked: string;
	/** `voice-started` was sent, `voice-stopped` was not. */
	readonly isSpeaking: boolean;
}

export type State =
	/** No turn: the next audio begins one. */
	| { readonly is: "idle"; readonly request: TurnRequest }
	/** The recognition is open, or waits for a slot. */
	| {
			readonly is: "recognizing";
			readonly turn: Turn;
			readonly next: TurnRequest;
	  }
	/** `audio-stop` came: its transcript is owed. */
	| {
			readonly is: "finishing";
			readonly turn: Turn;
			readonly next: TurnRequest;
	  }
	/** The turn was answered, with a transcript or an error, and its `audio-stop` has not come: its audio is dropped. */
	| { readonly is: "answered"; readonly next: TurnRequest }
	| { readonly is: "over" };

export type Event =
	| { readonly is: "frame"; readonly frame: Frame }
	/** What came is no frame. */
	| {
			readonly is: "bad-frame";
			readonly error: CodedError;
			readonly isReported: boolean;
	  }
	| FeedEvent
	/** No audio, or too little of it, came for too long. */
	| { readonly is: "late" }
	/** The peer sends nothing more. */
	| { readonly is: "ended" }
	/** The appliance stops and waits no longer. */
	| { readonly is: "shutdown" }
	/** The connection is closed. */
	| { readonly is: "gone" };

export type Effect =
	| { readonly do: "open"; readonly options: RecognitionOptions }
	| {
			readonly do: "write";
			readonly bytes: Uint8Array;
			readonly format: ChunkFormat;
	  }
	| { readonly do: "finish" }
	| { readonly do: "cancel" }
	| { readonly do: "send"; readonly frame: SentFrame }
	/** Starts the timeout for the peer's next audio. */
	| { readonly do: "await-audio" }
	/** Extends it by what this much audio buys. */
	| { readonly do: "await-longer"; readonly audioSeconds: number }
	| { readonly do: "await-nothing" }
	/** A turn has ended, with this status; "gone": nobody was told. */
	| {
			readonly do: "note";
			readonly status: string;
			readonly audioMs: number;
	  }
	| { readonly do: "close" };

export interface Step {
	readonly state: State;
	readonly effects: readonly Effect[];
}

/** Any state before the end. */
export type Open = Exclude<State, { is: "over" }>;

/** @param state the same one, or another. */
export function stay(state: State, ...effects: Effect[]): Step {
	return { state, effects };
}
