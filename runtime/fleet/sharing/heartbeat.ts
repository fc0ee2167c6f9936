/** A lease is kept as long as both sides send signs of life; a side that receives nothing for the length of the lease has lost it. Uses the monotonic clock. */
export class Heartbeat {
	readonly #leaseMs: number;
	readonly #onSilence: () => void;
	readonly #beat: NodeJS.Timeout;
	#silence: NodeJS.Timeout;

	/** @param send sends a sign of life. */
	constructor(leaseMs: number, send: () => void, onSilence: () => void) {
		this.#leaseMs = leaseMs;
		this.#onSilence = onSilence;
		this.#beat = setInterval(send, leaseMs / 3);
		this.#silence = setTimeout(onSilence, leaseMs);
	}

	/** The other side has sent something. */
	keepAlive(): void {
		clearTimeout(this.#silence);
		this.#silence = setTimeout(this.#onSilence, this.#leaseMs);
	}

	stop(): void {
		clearInterval(this.#beat);
		clearTimeout(this.#silence);
	}
}
