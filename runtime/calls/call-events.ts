/** Events of calls: the one stream that agents' screens and MQTT read. Times are milliseconds from the beginning of the call. */

import type { Owner } from "../owner.js";
import type { Utterance } from "../session/events.js";

export type Speaker = 1 | 2;

export interface CallPlace {
	/** As its legs named it. */
	readonly call: string;
	readonly owner: Owner;
	/** Of the transcript. */
	readonly taskId: string;
	/** As lang_type. */
	readonly language: string;
	/** When the call began, milliseconds since 1970. */
	readonly beganAtMs: number;
}

export interface LegPlace {
	/** As it named itself; else its speaker's number. */
	readonly leg: string;
	readonly speaker: Speaker;
}

export type CallUpdate =
	| (LegPlace & { readonly is: "joined" | "left" })
	/** An utterance: its index counts from 1 within its leg. */
	| (LegPlace & {
			readonly is: "partial" | "final";
			readonly utterance: Utterance;
	  })
	/** Every leg has left. The transcript follows in a moment. */
	| { readonly is: "ended" };

export type CallEvent = CallPlace & CallUpdate;

/** A source of events. `onEvent` returns a function that unsubscribes. */
export interface CallEvents {
	onEvent(listener: (event: CallEvent) => void): () => void;
}
