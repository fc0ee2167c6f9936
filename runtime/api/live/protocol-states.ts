/** The types of the protocol (protocol.ts): states, events and effects. */
import type { CodedError } from "../../errors.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { FeedEvent } from "../feed/audio-feed.js";
import type { ClientMessage } from "./client-message.js";
import type { OptionSources } from "./live-options.js";
import type { Progress } from "./progress.js";
import type { Namespace, ServerMessage } from "./server-message.js";

/** Does not change while a socket is open. */
export interface ProtocolContext extends OptionSources {
	/** Namespaces that this path serves; errors before a start carry the first. */
	readonly namespaces: readonly [Namespace, ...Namespace[]];
	/** How long a client may take to start. */
	readonly startSeconds: number;
}

export type State =
	/** Connected, no message yet. */
	| { readonly is: "waiting" }
	/** A slot is requested. Audio is accepted; the client may already have stopped. */
	| {
			readonly is: "starting";
			readonly session: Session;
			readonly stopped: boolean;
	  }
	| { readonly is: "streaming"; readonly session: Session }
	/** The client has stopped; the last results are still to be sent. */
	| { readonly is: "stopping"; readonly session: Session }
	/** The final message has been sent. */
	| { readonly is: "over" };

export interface Session {
	readonly connectTimeoutSeconds: number;
	/** Bytes that count as a second of its audio (pace.ts). */
	readonly bytesPerSecond: number;
	/** Some audio has arrived. */
	readonly hasAudio: boolean;
	/** How much has arrived, if its bytes are samples: of a container that is unknown. */
	readonly audioBytes: number | undefined;
	readonly progress: Progress;
}

export type Event =
	| { readonly is: "message"; readonly message: ClientMessage }
	/** A message that could not be read. */
	| { readonly is: "bad-message"; readonly error: CodedError }
	| { readonly is: "audio"; readonly bytes: Uint8Array }
	| FeedEvent
	/** The caller may not open a session. */
	| { readonly is: "refused"; readonly error: CodedError }
	/** The client was silent for the whole timeout. */
	| {
			readonly is: "late";
			/** Some audio arrived in that time, but too little. */
			readonly slow: boolean;
	  }
	/** The client does not read its results. */
	| { readonly is: "unread"; readonly bytes: number }
	/** The server is stopping. */
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
	/** Starts the timeout for the client's next audio. */
	| { readonly do: "await-client"; readonly seconds: number }
	/** Extends that timeout, at most to its initial length from now. */
	| { readonly do: "await-longer"; readonly seconds: number }
	| { readonly do: "await-nothing" }
	/** Unknown options. */
	| { readonly do: "note-unknown"; readonly names: readonly string[] }
	| {
			readonly do: "close";
			readonly code: number;
			/** Time for the client to close first. */
			readonly afterMs: number;
	  };

export interface Step {
	readonly state: State;
	readonly effects: readonly Effect[];
}

/** Any state before the end. */
export type Live = Exclude<State, { is: "over" }>;
