/**
 * The end of a connection whose client is still sending a body that was refused. Closing at once would reset the connection, and a client that meets the reset
 * while it writes never reads the answer (RFC 9112, section 9.6): what arrives is read and discarded for a while, then no longer read, then the connection ends.
 */
import type { BodySource } from "./body-valve.js";

/** More than that is left unread, and holds the client back. */
const discardBytesMax = 64 * 1024 * 1024;
const secondsMax = 10;
/** A client from which nothing comes for so long has read the answer, or never will. */
const silentSecondsMax = 2;

export class LingeringClose {
	readonly #source: BodySource;
	readonly #close: () => void;
	#discardedBytes = 0;
	#seconds = 0;
	#silentSeconds = 0;

	/** @param close ends the connection; called once or never, and never from within `discard`. */
	constructor(source: BodySource, close: () => void) {
		this.#source = source;
		this.#close = close;
	}

	/** More of the body has arrived. */
	discard(bytes: number, isLast: boolean): void {
		this.#silentSeconds = 0;
		this.#discardedBytes += bytes;
		if (isLast) setImmediate(this.#close);
		else if (this.#discardedBytes > discardBytesMax) this.#source.pause();
	}

	/** Called once a second. */
	onSecond(): void {
		this.#seconds++;
		this.#silentSeconds++;
		if (this.#seconds >= secondsMax || this.#silentSeconds >= silentSecondsMax)
			this.#close();
	}
}
