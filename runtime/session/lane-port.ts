/**
 * The lane port: what a door (HTTP body, WebSocket, uploaded file) asks of whatever runs recognitions. `engine/` implements it; tests of the doors fake it.
 */
import type { Owner } from "../owner.js";
import type { SessionEvent } from "./events.js";
import type { RecognitionOptions } from "./options.js";

/** The device of its own accord: at its microphones, at its command line. */
export const theDevice = Symbol("the device itself");

/** Who asks for a recognition. Callers from outside share the slots that there are; the device's own recognitions are nobody's share. */
export type Asker = Owner | typeof theDevice;

/** One running recognition, held by a door. */
export interface Recognition {
	/** Bytes as they came, cut anywhere; copied. @returns false: wait for `onDrain` before more. */
	write(bytes: Uint8Array): boolean;
	onDrain(listener: () => void): void;
	/** The sentence ends here, whatever the voice does: an open segment is answered as it is, speech after it begins the next one. */
	endSentence(): void;
	/** No more audio comes. */
	finish(): void;
	/** The client went away; idempotent. */
	cancel(): void;
	/** Bytes that were written and not heard yet: an engine that is busy is behind. Absent: nobody knows. */
	readonly unusedBytes?: number;
	/** Ends after `completed`; throws CodedError. */
	readonly events: AsyncIterable<SessionEvent>;
}

export interface Lane {
	/** Waits in a short bounded queue for a slot. @throws CodedError 100004 (retryAfterSeconds set) when there is none. */
	open(
		options: RecognitionOptions,
		asker: Asker,
		signal?: AbortSignal,
	): Promise<Recognition>;
}
