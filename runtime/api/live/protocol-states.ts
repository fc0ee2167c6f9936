/** The vocabulary of the protocol (protocol.ts): where a session may stand, what may happen to it, and what may have to be done. */
import type { CodedError } from "../../errors.js";
import type { SessionEvent } from "../../session/events.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { ClientMessage } from "./client-message.js";
import type { OptionSources } from "./live-options.js";
import type { Progress } from "./progress.js";
import type { Namespace, ServerMessage } from "./server-message.js";

/** What does not change while a socket is open. */
export interface ProtocolContext extends OptionSources {
	/** That this path serves; the first is the one that errors before a start speak for. */
	readonly namespaces: readonly [Namespace, ...Namespace[]];
	/** How long a client may take to start. */
	readonly startSeconds: number;
}

export type State =
	/** Connected, nothing said. */
	| { readonly is: "waiting" }
	/** A slot is asked for. Audio is taken; the client may even have stopped. */
	| {
			readonly is: "starting";
			readonly session: Session;
			readonly stopped: boolean;
	  }
	| { readonly is: "streaming"; readonly session: Session }
	/** The client stopped; the last results are owed. */
	| { readonly is: "stopping"; readonly session: Session }
	/** Told its end. */
	| { readonly is: "over" };

export interface Session {
	readonly connectTimeoutSeconds: number;
	/** That count as a second of its audio (pace.ts). */
	readonly bytesPerSecond: number;
	/** Some audio has come. */
	readonly hasAudio: boolean;
	readonly progress: Progress;
}

export type Event =
	| { readonly is: "message"; readonly message: ClientMessage }
	/** A message that could not be read. */
	| { readonly is: "bad-message"; readonly error: CodedError }
	| { readonly is: "audio"; readonly bytes: Uint8Array }
	/** The slot is held. */
	| { readonly is: "opened" }
	/** There is none, or this caller gets none. */
	| { readonly is: "refused"; readonly error: CodedError }
	| { readonly is: "recognised"; readonly event: SessionEvent }
	| { readonly is: "failed"; readonly error: CodedError }
	/** The client kept us waiting for as long as was allowed. */
	| {
			readonly is: "late";
			/** Some audio came meanwhile, but too little. */
			readonly slow: boolean;
	  }
	/** The client does not read its results. */
	| { readonly is: "unread"; readonly bytes: number }
	/** The server stops. */
	| { readonly is: "shutdown" }
	/** The socket is closed. */
	| { readonly is: "gone" };

export type Effect =
	| { readonly do: "open"; readonly options: RecognitionOptions }
	| { readonly do: "write"; readonly bytes: Uint8Array }
	| { readonly do: "end-sentence" }
	| { readonly do: "finish" }
	| { readonly do: "cancel" }
	| { readonly do: "send"; readonly message: ServerMessage }
	/** From now on the client has so long to bring more. */
	| { readonly do: "await-client"; readonly seconds: number }
	/** The client has so much longer, but not longer from now than it had at first. */
	| { readonly do: "await-longer"; readonly seconds: number }
	| { readonly do: "await-nothing" }
	/** Options that nobody knows. */
	| { readonly do: "note-unknown"; readonly names: readonly string[] }
	| {
			readonly do: "close";
			readonly code: number;
			/** The client may close first. */
			readonly afterMs: number;
	  };

export interface Step {
	readonly state: State;
	readonly effects: readonly Effect[];
}

/** Not over yet. */
export type Live = Exclude<State, { is: "over" }>;
