/**
 * The socket below a body: open, held because too much is buffered for its reader, or paused for a moment.
 *
 * uWebSockets drops a connection that does not bring 160 KiB in 10 s, without an answer. A pause stops its timer, and the end of a pause restarts it: a body
 * that is still arriving is therefore paused briefly every few seconds. A socket that was paused when the last of its body came stays paused until the answer,
 * since nothing would restart the timer meanwhile. A paused socket does not report that the client has disconnected: every few seconds one read is let through.
 */

export interface BodySource {
	pause(): void;
	/** Does nothing once the client has disconnected. */
	resume(): void;
}

type Phase =
	| "arriving"
	/** Paused for the reader. */
	| "held"
	/** The whole body has arrived. In chunks, one read may bring both what the socket is paused for and the end. */
	| "complete"
	| "answered";

export class BodyValve {
	readonly #source: BodySource;
	#phase: Phase = "arriving";
	#paused = false;

	constructor(source: BodySource) {
		this.#source = source;
	}

	/** The socket is paused for the reader. */
	get held(): boolean {
		return this.#phase === "held";
	}

	/** May also be called during a peek. */
	hold(): void {
		if (this.#phase === "complete" || this.#phase === "answered") return;
		this.#phase = "held";
		this.#pause();
	}

	release(): void {
		if (this.#phase !== "held") return;
		this.#phase = "arriving";
		this.#resume();
	}

	/** The whole body has arrived. */
	complete(): void {
		if (this.#phase !== "answered") this.#phase = "complete";
	}

	/** Lets one read of a paused socket through. The pause after it stops the library's timer again, however little came. */
	peek(): void {
		if (!this.#paused) return;
		this.#resume();
		setImmediate(() => {
			if (this.#phase === "held" || this.#phase === "complete") this.#pause();
		});
	}

	/** Restarts the library's timer. */
	refresh(): void {
		if (this.#phase === "complete" || this.#phase === "held") return;
		this.#pause();
		setImmediate(() => {
			if (this.#phase !== "held") this.#resume();
		});
	}

	/** The answer is being sent: the library has another timer for that, and another request may follow. */
	answered(): void {
		this.#phase = "answered";
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
