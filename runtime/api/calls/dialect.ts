/** What a program that sends a call's audio over a WebSocket says in text, as its own protocol has it: one file for each. */

import type { TextFrame } from "./text-object.js";

/** Options by their names in the query; undefined: not given. */
export type NamedOptions = Readonly<Record<string, string | undefined>>;

export interface CallStart {
	/** These take precedence over the query, */
	readonly first: NamedOptions;
	/** the query over these. */
	readonly last: NamedOptions;
	/** Partial results are wanted; undefined: not given. */
	readonly interim?: boolean;
	/** For a connection that could send no credentials of its own. */
	readonly token?: string;
}

export type CallMessage =
	| { readonly is: "start"; readonly start: CallStart }
	/** @param leg whose audio it is, where one connection has several. */
	| {
			readonly is: "audio";
			readonly bytes: Uint8Array;
			readonly leg?: Track;
	  }
	/** No more audio comes, and the last results are waited for. */
	| { readonly is: "stop" }
	| { readonly is: "nothing" };

/** Of a connection with both directions of a call. */
export type Track = "inbound" | "outbound";

export interface Dialect {
	readonly name: "jambonz" | "asterisk" | "fork" | "twilio";
	/** Results and errors are sent to it; else nothing ever is. */
	readonly listens: boolean;
	/** Any binary frame is audio. */
	readonly sendsBinary: boolean;
	/** What is sent to it stands in `data` a second time: `mod_audio_fork` forwards only that. */
	readonly repeatsInData?: boolean;
	/** An empty frame after audio ends it, and the last results are waited for. */
	readonly endsWithEmptyFrame?: boolean;
	/** It has begun, and no text means anything any more. */
	readonly ignoresTexts?: boolean;
	/** @throws CodedError 200003 */
	read(frame: TextFrame): CallMessage;
}
