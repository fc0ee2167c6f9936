/**
 * Counts the bytes that were sent but have not left this machine yet. A busy service reads more slowly, and TCP passes that on: `drained` waits until few are
 * left, so that a file sent at full speed does not pile up in memory.
 */
export class SendBuffer {
	readonly #bytesMax: number;
	#bytes = 0;
	#waiting: (() => void)[] = [];
	#open = true;

	constructor(bytesMax: number) {
		this.#bytesMax = bytesMax;
	}

	/** @returns a function to call when these bytes have left. */
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

	/** Ends all waits: the session is over. */
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
