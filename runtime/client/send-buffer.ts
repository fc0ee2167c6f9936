/**
 * How much of what was sent has not left this machine yet. A service that is busy reads slower, and TCP tells: `room` waits until the rest is small
 * again, so that a file sent as fast as it goes does not pile up in memory.
 */
export class SendBuffer {
	readonly #bytesMax: number;
	#bytes = 0;
	#waiting: (() => void)[] = [];
	#open = true;

	constructor(bytesMax: number) {
		this.#bytesMax = bytesMax;
	}

	/** @returns to be called when these bytes have left. */
	add(bytes: number): () => void {
		this.#bytes += bytes;
		return () => {
			this.#bytes -= bytes;
			if (this.#bytes <= this.#bytesMax) this.#wakeAll();
		};
	}

	async drained(): Promise<void> {
		if (!this.#open || this.#bytes <= this.#bytesMax) return;
		await new Promise<void>((wake) => this.#waiting.push(wake));
	}

	/** Nobody waits any more: the session is over. */
	close(): void {
		this.#open = false;
		this.#wakeAll();
	}

	#wakeAll(): void {
		const woken = this.#waiting;
		this.#waiting = [];
		for (const wake of woken) wake();
	}
}
