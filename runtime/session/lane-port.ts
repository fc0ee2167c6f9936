/**
 * The lane port: what an entry point (HTTP body, WebSocket, uploaded file) needs in order to run recognitions. `engine/` implements it; tests of the entry points fake it.
 */
import type { Owner } from "../owner.js";
import type { SessionEvent } from "./events.js";
import type { RecognitionOptions } from "./options.js";

/** The device itself as a caller: for its microphones and its command line. */
export const localDevice = Symbol("the device itself");

/** The caller of a recognition. External callers share the slots; the device's own recognitions count against no caller's share. */
export type RecognitionCaller = Owner | typeof localDevice;

/** @returns what moves a recognition to another engine; undefined where it can't be moved now. */
export type Mover = () => (() => void) | undefined;

/** A running recognition, owned by its entry point. */
export interface Recognition {
	/** Bytes as they came, cut anywhere; copied. @returns false: wait for `onDrain` before more. */
	write(bytes: Uint8Array): boolean;
	onDrain(listener: () => void): void;
	/**
	 * For a caller that keeps the audio after the last final. @param mover asked in a pause, after all events have been read, when the engine is to be replaced:
	 * cancels this recognition and opens another one with that audio. Without one the engine is kept until the recognition ends.
	 */
	onReplace?(mover: Mover): void;
	/** Ends the sentence here, whether or not speech continues: an open segment gets its final as it is, and speech after it begins the next segment. */
	endSentence(): void;
	/** No more audio comes. */
	finish(): void;
	/** The client has disconnected; idempotent. */
	cancel(): void;
	/** Bytes written but not used yet: the backlog of a busy engine. Absent: unknown. */
	readonly unusedBytes?: number;
	/** Ends after `completed`; throws CodedError. */
	readonly events: AsyncIterable<SessionEvent>;
}

export interface Lane {
	/**
	 * Waits in a short bounded queue for a slot. @param asksAgain until there is one: it waits, and does not count as refused.
	 * @throws CodedError 100004 (retryAfterSeconds set) when none is free in time.
	 */
	open(
		options: RecognitionOptions,
		caller: RecognitionCaller,
		signal?: AbortSignal,
		asksAgain?: boolean,
	): Promise<Recognition>;
}
