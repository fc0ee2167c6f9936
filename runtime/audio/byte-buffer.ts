/**
 * Bytes that are buffered until their decoder is known. The caller of `add` enforces the limit.
 */
export class ByteBuffer {
	#pieces: Uint8Array[] = [];
	#bytes = 0;

	get bytes(): number {
		return this.#bytes;
	}

	/** @param bytes copied. */
	add(bytes: Uint8Array): void {
		if (bytes.length === 0) return;
		this.#pieces.push(bytes.slice());
		this.#bytes += bytes.length;
	}

	/** All bytes in one array; do not modify it. */
	joined(): Uint8Array {
		if (this.#pieces.length > 1) {
			const whole = new Uint8Array(this.#bytes);
			let offset = 0;
			for (const piece of this.#pieces) {
				whole.set(piece, offset);
				offset += piece.length;
			}
			this.#pieces = [whole];
		}
		return this.#pieces[0] ?? new Uint8Array(0);
	}

	/** Returns all bytes and empties the buffer. */
	take(): Uint8Array {
		const whole = this.joined();
		this.#pieces = [];
		this.#bytes = 0;
		return whole;
	}
}
