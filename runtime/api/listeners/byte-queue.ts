/** Bytes that came over a connection and are not decoded yet. Whole messages are read where they came; only the beginning of an incomplete one is copied. */

const nothing = Buffer.alloc(0);

export class ByteQueue {
	/** From `#from` to `#to`. Bytes that were taken are never overwritten. */
	#bytes: Buffer = nothing;
	#from = 0;
	#to = 0;
	/** `indexOf` found nothing before this. */
	#scanned = 0;

	get length(): number {
		return this.#to - this.#from;
	}

	/** @param bytes kept until they are taken, and not copied where the queue is empty. */
	accept(bytes: Uint8Array): void {
		if (this.length === 0) {
			this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
			this.#from = 0;
			this.#to = bytes.length;
			this.#scanned = 0;
			return;
		}
		if (this.#to + bytes.length > this.#bytes.length) this.#grow(bytes.length);
		this.#bytes.set(bytes, this.#to);
		this.#to += bytes.length;
	}

	/** Position of a byte from the start of the queue, -1 where it is not there. Always asked for the same byte: what was searched once is not searched again. */
	indexOf(byte: number): number {
		const found = this.#bytes
			.subarray(0, this.#to)
			.indexOf(byte, Math.max(this.#from, this.#scanned));
		this.#scanned = found < 0 ? this.#to : found;
		return found < 0 ? -1 : found - this.#from;
	}

	/** The first bytes, or as many as there are; they stay in the queue. */
	first(count: number): Buffer {
		const end = Math.min(this.#to, this.#from + count);
		return this.#bytes.subarray(this.#from, end);
	}

	/** @param count at most `length`. */
	take(count: number): Buffer {
		const taken = this.#bytes.subarray(this.#from, this.#from + count);
		this.#from += count;
		return taken;
	}

	/** To be called when what is left is incomplete: it is moved out of the larger block of the socket's that it came in. */
	keep(): void {
		if (this.length === 0) {
			this.#bytes = nothing;
			this.#from = 0;
			this.#to = 0;
			this.#scanned = 0;
		} else if (this.#from > 0) this.#grow(0);
	}

	/** Makes room for this many more bytes; doubled, since a message may come a byte at a time. */
	#grow(moreBytes: number): void {
		const { length } = this;
		const wanted = length + moreBytes;
		const grown = Buffer.allocUnsafeSlow(
			moreBytes === 0 ? wanted : Math.max(wanted, 2 * length),
		);
		this.#bytes.copy(grown, 0, this.#from, this.#to);
		this.#scanned = Math.max(0, this.#scanned - this.#from);
		this.#bytes = grown;
		this.#from = 0;
		this.#to = length;
	}
}
