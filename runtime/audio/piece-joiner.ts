/** Joins pieces of audio that are too small: each array costs some 250 bytes and a look at it, also one with a single sample. */
export class PieceJoiner {
	/** What has come of a piece that is too small yet. */
	readonly #held: Uint8Array;
	#heldBytes = 0;

	/** @param bytesMin of a piece. */
	constructor(bytesMin: number) {
		this.#held = new Uint8Array(bytesMin);
	}

	/** @param bytes kept where they are enough by themselves, otherwise copied. @returns undefined: it is too small yet. */
	accept(bytes: Uint8Array): Uint8Array | undefined {
		const wholeBytes = this.#heldBytes + bytes.length;
		if (wholeBytes < this.#held.length) {
			this.#held.set(bytes, this.#heldBytes);
			this.#heldBytes = wholeBytes;
			return undefined;
		}
		if (this.#heldBytes === 0) return bytes;
		const whole = new Uint8Array(wholeBytes);
		whole.set(this.#held.subarray(0, this.#heldBytes));
		whole.set(bytes, this.#heldBytes);
		this.#heldBytes = 0;
		return whole;
	}

	/** The last piece, however small; it may be empty. */
	take(): Uint8Array {
		const rest = this.#held.slice(0, this.#heldBytes);
		this.#heldBytes = 0;
		return rest;
	}
}
