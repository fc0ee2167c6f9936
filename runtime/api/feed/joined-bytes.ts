/** Bytes of messages that follow each other, in one piece: a copy of each short one would cost more than all that is done with it. */

/** Longer pieces would change what is kept of silence: it is dropped in whole pieces. */
const roomBytesMax = 1024;
/** A call of `set` takes as long as this many bytes by themselves. */
const loopBytesMax = 16;

export class JoinedBytes {
	/** Grows with what is in it: a message that stays alone takes no more than its bytes. */
	#room: Uint8Array;
	#length: number;
	#messages = 1;

	/** @param first is copied. */
	constructor(first: Uint8Array) {
		this.#room = new Uint8Array(first);
		this.#length = first.length;
	}

	/** @param next is copied. @returns whether there is room for it. */
	add(next: Uint8Array): boolean {
		const length = this.#length + next.length;
		if (length > roomBytesMax) return false;
		if (length > this.#room.length) this.#grow(length);
		if (next.length > loopBytesMax) this.#room.set(next, this.#length);
		else
			for (let i = 0; i < next.length; i++)
				this.#room[this.#length + i] = next[i] as number;
		this.#length = length;
		this.#messages++;
		return true;
	}

	/** That were joined. */
	get messages(): number {
		return this.#messages;
	}

	get bytes(): Uint8Array {
		return this.#room.subarray(0, this.#length);
	}

	#grow(length: number): void {
		const room = new Uint8Array(Math.min(roomBytesMax, 2 * length));
		room.set(this.bytes);
		this.#room = room;
	}
}
