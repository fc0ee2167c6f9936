/**
 * The socket below a body: open, held back because too much waits for its reader, or shut for a moment.
 *
 * uWebSockets cuts a connection that does not bring 160 KiB in 10 s, without a word. A pause puts its timer off, the end of a pause starts it anew: so a body
 * that is still coming gets a short one every few seconds. Once all of it is here nothing would put the timer off any more, while the answer may take its time:
 * who is paused then stays so until the answer.
 */

export interface BodySource {
	pause(): void;
	/** Nothing happens where the client is gone. */
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

	/** The socket waits for the reader. */
	get held(): boolean {
		return this.#held;
	}

	/** Also after a peek. */
	hold(): void {
		if (this.#complete) return;
		this.#held = true;
		this.#pause();
	}

	letOn(): void {
		this.#held = false;
		if (!this.#complete) this.#resume();
	}

	/** All of the body is here. */
	complete(): void {
		this.#complete = true;
		this.#held = false;
	}

	/** One read of a held socket: a client that is gone is not noticed without. */
	peek(): void {
		this.#resume();
	}

	/** The library's timer starts anew. */
	refresh(): void {
		if (this.#complete || this.#held) return;
		this.#pause();
		setImmediate(() => {
			if (!this.#held) this.letOn();
		});
	}

	/** The answer goes out now: the library has a timer of its own for that, and another request may come behind it. */
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
