/** Bytes of messages that follow each other, in one piece: a copy of each short one would cost more than all that is done with it. */

const roomBytes = 16 * 1024;
/** A call of `set` takes as long as this many bytes by themselves. */
const loopBytesMax = 16;

export class JoinedBytes {
	readonly #room: Uint8Array;
	#length: number;
	#messages = 1;

	/** @param first is copied. */
	constructor(first: Uint8Array) {
		this.#room = new Uint8Array(Math.max(roomBytes, first.length));
		this.#room.set(first);
		this.#length = first.length;
	}

	/** @param next is copied. @returns whether there is room for it. */
	add(next: Uint8Array): boolean {
		if (this.#length + next.length > this.#room.length) return false;
		if (next.length > loopBytesMax) this.#room.set(next, this.#length);
		else
			for (let i = 0; i < next.length; i++)
				this.#room[this.#length + i] = next[i] as number;
		this.#length += next.length;
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
}
