/**
 * The lane port: what an entry point (HTTP body, WebSocket, uploaded file) needs of the part that runs recognitions. `engine/` implements it; tests of the entry points fake it.
 */
import type { Owner } from "../owner.js";
import type { SessionEvent } from "./events.js";
import type { RecognitionOptions } from "./options.js";

/** The device of its own accord: at its microphones, at its command line. */
export const localDevice = Symbol("the device itself");

/** Who a recognition is for. External callers share the slots; the device's own recognitions count against no caller's share. */
export type RecognitionCaller = Owner | typeof localDevice;

/** One running recognition, held by its entry point. */
export interface Recognition {
	/** Bytes as they came, cut anywhere; copied. @returns false: wait for `onDrain` before more. */
	write(bytes: Uint8Array): boolean;
	onDrain(listener: () => void): void;
	/** The sentence ends here, whether or not speech goes on: an open segment is answered as it is, speech after it begins the next one. */
	endSentence(): void;
	/** No more audio comes. */
	finish(): void;
	/** The client went away; idempotent. */
	cancel(): void;
	/** Bytes that were written and not used yet: a busy engine is behind. Absent: unknown. */
	readonly unusedBytes?: number;
	/** Ends after `completed`; throws CodedError. */
	readonly events: AsyncIterable<SessionEvent>;
}

export interface Lane {
	/** Waits in a short bounded queue for a slot. @throws CodedError 100004 (retryAfterSeconds set) when there is none. */
	open(
		options: RecognitionOptions,
		caller: RecognitionCaller,
		signal?: AbortSignal,
	): Promise<Recognition>;
}
