/**
 * Bytes of one recognition between the IPC channel and audio decoding. Bounded by the sender's credit.
 */
/** A mark between bytes: a sentence ends here. */
export const sentenceEnd = Symbol("sentence end");

export interface ByteQueueListener {
	/** This many bytes were used: the sender may send as many more. */
	onUsed(bytes: number): void;
	/** The reader has consumed everything and is waiting for more. */
	onStarved(): void;
}

export class ByteQueue {
	readonly #chunks: (Uint8Array | typeof sentenceEnd)[] = [];
	readonly #listener: ByteQueueListener;
	#taken = 0;
	#closed = false;
	#wakeReader: (() => void) | undefined;

	constructor(listener: ByteQueueListener) {
		this.#listener = listener;
	}

	get starved(): boolean {
		return this.#wakeReader !== undefined;
	}

	push(bytes: Uint8Array): void {
		if (this.#closed) {
			this.#listener.onUsed(bytes.length); // discarded; the sender must not wait
			return;
		}
		this.#chunks.push(bytes);
		this.#wake();
	}

	/** Marks the end of a sentence after the bytes pushed so far. */
	mark(): void {
		if (this.#closed || this.#chunks.at(-1) === sentenceEnd) return;
		this.#chunks.push(sentenceEnd);
		this.#wake();
	}

	end(): void {
		this.#closed = true;
		this.#wake();
	}

	/** Discards what is queued, and all that is pushed from now on. */
	discard(): void {
		const chunks = this.#chunks.splice(0);
		const waiting = chunks.reduce((sum, chunk) => sum + bytesOf(chunk), 0);
		this.#giveBack(waiting + this.#taken);
		this.end();
	}

	/** The next bytes, or the mark; undefined at the end. Each call reports the bytes taken before as used. */
	async take(): Promise<Uint8Array | typeof sentenceEnd | undefined> {
		this.#giveBack(this.#taken);
		while (this.#chunks.length === 0 && !this.#closed)
			await new Promise<void>((resolve) => {
				this.#wakeReader = resolve;
				this.#listener.onStarved();
			});
		const chunk = this.#chunks.shift();
		this.#taken = chunk ? bytesOf(chunk) : 0;
		return chunk;
	}

	#giveBack(bytes: number): void {
		this.#taken = 0;
		if (bytes > 0) this.#listener.onUsed(bytes);
	}

	#wake(): void {
		const wake = this.#wakeReader;
		this.#wakeReader = undefined;
		wake?.();
	}
}

function bytesOf(chunk: Uint8Array | typeof sentenceEnd): number {
	return chunk === sentenceEnd ? 0 : chunk.length;
}
