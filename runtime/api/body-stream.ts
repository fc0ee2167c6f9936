/**
 * A request body between the socket that pushes and the route that pulls: bounded, because the socket is paused while the route is behind.
 */
import { CodedError } from "../errors.js";

/** How the stream holds the socket back. */
export interface Valve {
	pause(): void;
	resume(): void;
}

/** Chunks kept before the socket is paused, in bytes. */
const bufferedBytesMax = 256 * 1024;

type Phase =
	| { readonly is: "open" }
	| { readonly is: "ended" }
	| { readonly is: "failed"; readonly error: Error }
	/** Nobody wants it (any more): what still comes is thrown away. */
	| { readonly is: "discarded" };

export class BodyStream {
	readonly #valve: Valve;
	readonly #chunks: Uint8Array[] = [];
	#phase: Phase = { is: "open" };
	#bufferedBytes = 0;
	#totalBytes = 0;
	#bytesMax = Number.POSITIVE_INFINITY;
	#paused = false;
	#taken = false;
	#wake: (() => void) | undefined;

	constructor(valve: Valve) {
		this.#valve = valve;
	}

	/** @param chunk the stream's own copy. */
	push(chunk: Uint8Array): void {
		if (this.#phase.is !== "open") return;
		this.#totalBytes += chunk.byteLength;
		if (this.#totalBytes > this.#bytesMax) {
			this.fail(tooLarge(this.#bytesMax));
			return;
		}
		if (chunk.byteLength > 0) this.#chunks.push(chunk);
		this.#bufferedBytes += chunk.byteLength;
		if (this.#bufferedBytes > bufferedBytesMax && !this.#paused) {
			this.#paused = true;
			this.#valve.pause();
		}
		this.#signal();
	}

	end(): void {
		if (this.#phase.is === "open") this.#phase = { is: "ended" };
		this.#signal();
	}

	fail(error: Error): void {
		if (this.#phase.is === "open") this.#phase = { is: "failed", error };
		this.#drop();
		this.#signal();
	}

	/** The answer is on its way: what still comes is read and thrown away, so that the client gets to read it. */
	discard(): void {
		this.#phase = { is: "discarded" };
		this.#drop();
		this.#signal();
	}

	/** @param declaredBytes of Content-Length, if there was one. */
	async *take(
		bytesMax: number,
		declaredBytes: number | undefined,
	): AsyncGenerator<Uint8Array> {
		if (this.#taken) throw new Error("a body is read once");
		this.#taken = true;
		this.#bytesMax = bytesMax;
		if (Math.max(declaredBytes ?? 0, this.#totalBytes) > bytesMax) {
			this.fail(tooLarge(bytesMax));
			throw tooLarge(bytesMax);
		}
		for (;;) {
			const chunk = this.#chunks.shift();
			if (chunk) {
				this.#bufferedBytes -= chunk.byteLength;
				yield chunk;
			} else if (this.#phase.is === "failed") throw this.#phase.error;
			else if (this.#phase.is !== "open") return;
			else await this.#more();
		}
	}

	#more(): Promise<void> {
		return new Promise((resolve) => {
			this.#wake = resolve;
			this.#resume();
		});
	}

	#signal(): void {
		this.#wake?.();
		this.#wake = undefined;
	}

	#resume(): void {
		if (!this.#paused) return;
		this.#paused = false;
		this.#valve.resume();
	}

	#drop(): void {
		this.#chunks.length = 0;
		this.#bufferedBytes = 0;
		this.#resume();
	}
}

function tooLarge(bytesMax: number): CodedError {
	return new CodedError(
		"200004",
		`the body is larger than its limit of ${bytesMax} bytes`,
	);
}
