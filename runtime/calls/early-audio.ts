/** Audio of a leg whose client has been told to wait: it had been sent before. What there is no room for is dropped and counted. */
import { DropQueue } from "../audio/drop-queue.js";
import {
	type AudioKeeper,
	type AudioRoom,
	memoryOf,
} from "../session/audio-room.js";

/** More than a socket reads at once. */
const bytesMax = 2 * 1024 * 1024;

export class EarlyAudio implements AudioKeeper {
	readonly #room: AudioRoom;
	readonly #pieces = new DropQueue<Uint8Array>();
	#bytes = 0;
	#keptBytes = 0;
	#droppedBytes = 0;

	constructor(room: AudioRoom) {
		this.#room = room;
	}

	get isEmpty(): boolean {
		return this.#pieces.length === 0;
	}

	get keptBytes(): number {
		return this.#keptBytes;
	}

	/** Of audio for which there was no room or no time. */
	get droppedBytes(): number {
		return this.#droppedBytes;
	}

	/** @param bytes kept. */
	push(bytes: Uint8Array): void {
		if (this.#bytes + bytes.length > bytesMax) {
			this.#droppedBytes += bytes.length;
			return;
		}
		this.#pieces.push(bytes);
		this.#bytes += bytes.length;
		this.#note(memoryOf(bytes));
	}

	/** The oldest piece, which is kept here no longer. */
	shift(): Uint8Array | undefined {
		const bytes = this.#pieces.shift();
		if (!bytes) return undefined;
		this.#bytes -= bytes.length;
		this.#note(-memoryOf(bytes));
		return bytes;
	}

	dropOldest(bytes: number): void {
		let freed = 0;
		while (freed < bytes && !this.isEmpty) {
			const piece = this.shift() as Uint8Array;
			this.#droppedBytes += piece.length;
			freed += memoryOf(piece);
		}
	}

	/** Nobody takes it any more. */
	clear(): void {
		this.#pieces.clear();
		this.#bytes = 0;
		this.#note(-this.#keptBytes);
	}

	/** As `clear`; it is counted. */
	dropAll(): void {
		this.#droppedBytes += this.#bytes;
		this.clear();
	}

	#note(bytes: number): void {
		this.#keptBytes += bytes;
		this.#room.note(this, bytes);
	}
}
