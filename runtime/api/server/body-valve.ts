/**
 * The socket below a body: open, held because too much is buffered for its reader, or paused for a moment.
 *
 * uWebSockets drops a connection that does not bring 160 KiB in 10 s, without an answer. A pause stops its timer, and the end of a pause restarts it: a body
 * that is still arriving is therefore paused briefly every few seconds. Once the body is complete, nothing would restart the timer while the answer is
 * prepared: a socket that is paused then stays paused until the answer.
 */

export interface BodySource {
	pause(): void;
	/** Does nothing once the client has disconnected. */
	resume(): void;
}

export class BodyValve {
	readonly #source: BodySource;
	#held = false;
	#paused = false;
	#complete = false;

	constructor(source: BodySource) {
		this.#source = source;
	}

	/** The socket is paused for the reader. */
	get held(): boolean {
		return this.#held;
	}

	/** May also be called after a peek. */
	hold(): void {
		if (this.#complete) return;
		this.#held = true;
		this.#pause();
	}

	release(): void {
		this.#held = false;
		if (!this.#complete) this.#resume();
	}

	/** The whole body has arrived. */
	complete(): void {
		this.#complete = true;
		this.#held = false;
	}

	/** One read of a held socket: without it a disconnect would not be noticed. */
	peek(): void {
		this.#resume();
	}

	/** Restarts the library's timer. */
	refresh(): void {
		if (this.#complete || this.#held) return;
		this.#pause();
		setImmediate(() => {
			if (!this.#held) this.release();
		});
	}

	/** The answer is being sent: the library has another timer for that, and another request may follow. */
	answered(): void {
		this.#held = false;
		this.#resume();
	}

	#pause(): void {
		this.#paused = true;
		this.#source.pause();
	}

	#resume(): void {
		if (!this.#paused) return;
		this.#paused = false;
		this.#source.resume();
	}
}
