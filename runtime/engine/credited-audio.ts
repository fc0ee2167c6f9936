/** The audio of a recognition on its way to an engine, which gets no more than it has credit for; kept for a second engine, as long as the whole of it is here. */
import { audioBytesMax, creditBytes } from "./protocol.js";

/** Bytes, or a mark between them. */
type AudioOrMark = Uint8Array | "sentence-end";

export class CreditedAudio {
	readonly #keptBytesMax: number;
	/** All that was written; undefined once it can't be sent again. */
	#kept: AudioOrMark[] | undefined;
	#keptBytes = 0;
	/** Not sent to the engine yet. */
	#unsent: AudioOrMark[] = [];
	/** Sent to the engine, which has not used them. */
	#bytesUnused = 0;

	/** @param keptBytesMax undefined: nothing is kept. */
	constructor(keptBytesMax: number | undefined) {
		this.#keptBytesMax = keptBytesMax ?? 0;
		this.#kept = keptBytesMax === undefined ? undefined : [];
	}

	/** Everything was sent, and the engine has credit for more. */
	get hasRoom(): boolean {
		return this.isSent && this.#bytesUnused < creditBytes;
	}

	get isSent(): boolean {
		return this.#unsent.length === 0;
	}

	/** The engine has used all that it was sent. */
	get isUsed(): boolean {
		return this.#bytesUnused === 0;
	}

	/** Sent or not. */
	get unusedBytes(): number {
		let bytes = this.#bytesUnused;
		for (const piece of this.#unsent)
			if (piece !== "sentence-end") bytes += piece.length;
		return bytes;
	}

	/** @param bytes copied. */
	write(bytes: Uint8Array): void {
		const own = new Uint8Array(bytes); // a Buffer's slice would share its memory
		this.#keptBytes += own.length;
		if (this.#keptBytes > this.#keptBytesMax) this.#kept = undefined;
		this.#kept?.push(own);
		this.#unsent.push(own);
	}

	/** @returns false where one is waiting to be sent already, with nothing after it. */
	endSentence(): boolean {
		if (this.#unsent.at(-1) === "sentence-end") return false;
		this.#kept?.push("sentence-end");
		this.#unsent.push("sentence-end");
		return true;
	}

	/** The next piece to be sent; undefined where there is none, or no credit for it. */
	take(): AudioOrMark | undefined {
		if (this.#bytesUnused >= creditBytes) return undefined;
		const head = this.#unsent.shift();
		if (head === undefined || head === "sentence-end") return head;
		const bytes = head.subarray(0, audioBytesMax);
		if (head.length > bytes.length)
			this.#unsent.unshift(head.subarray(bytes.length));
		this.#bytesUnused += bytes.length;
		return bytes;
	}

	/** The engine has used so many bytes. */
	credit(bytes: number): void {
		this.#bytesUnused -= bytes;
	}

	/** It will not be sent again. */
	forget(): void {
		this.#kept = undefined;
	}

	/** Another engine is to get all of it; the one after that would not. @returns false where it is not here any more. */
	rewind(): boolean {
		if (!this.#kept) return false;
		this.#unsent = this.#kept;
		this.#kept = undefined;
		this.#bytesUnused = 0;
		return true;
	}

	/** Nothing more is sent: what is unused never will be used. */
	end(): void {
		this.#bytesUnused = this.unusedBytes;
		this.#unsent = [];
		this.#kept = undefined;
	}
}
