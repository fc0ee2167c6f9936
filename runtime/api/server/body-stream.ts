/**
 * A request's body between the socket and its reader: bounded in bytes altogether and in memory at any moment. What nobody wants any more is dropped, not kept.
 */
import { CodedError } from "../../errors.js";
import { ClientGone } from "../exchange.js";

/** Buffered bytes at which the socket is told to wait. */
const highWaterBytes = 256 * 1024;
/** uWebSockets cuts a connection that delivers nothing for about 12 s, also one that it was told to pause: let one read through before that. */
const trickleMs = 4_000;

export interface BodySource {
	pause(): void;
	resume(): void;
}

type Phase =
	/** Nobody has asked yet; bytes wait. */
	| { readonly is: "unread" }
	| { readonly is: "reading"; readonly limitBytes: number }
	/** The reader has left; bytes are counted and dropped. */
	| { readonly is: "dropping" };

export class BodyStream {
	readonly #source: BodySource;
	readonly #declaredBytes: number | undefined;
	#phase: Phase = { is: "unread" };
	#chunks: Uint8Array[] = [];
	#bufferedBytes = 0;
	#receivedBytes = 0;
	#complete = false;
	#failure: Error | undefined;
	#wake: (() => void) | undefined;
	#trickle: NodeJS.Timeout | undefined;

	/** @param declaredBytes of Content-Length. */
	constructor(source: BodySource, declaredBytes: number | undefined) {
		this.#source = source;
		this.#declaredBytes = declaredBytes;
	}

	/** Everything has come. */
	get complete(): boolean {
		return this.#complete;
	}

	/** Bytes that are still to come; undefined where only the client knows. */
	get bytesToCome(): number | undefined {
		if (this.#complete) return 0;
		return this.#declaredBytes === undefined
			? undefined
			: Math.max(0, this.#declaredBytes - this.#receivedBytes);
	}

	/** @param chunk may be reused by its owner afterwards: copied. */
	accept(chunk: Uint8Array, isLast: boolean): void {
		this.#receivedBytes += chunk.byteLength;
		if (isLast) this.#complete = true;
		if (this.#phase.is !== "dropping") this.#keep(chunk);
		this.#wakeReader();
	}

	/** The client is gone: the reader is told so. */
	abort(): void {
		this.#failure ??= new ClientGone("the client went away");
		this.drop();
	}

	/** Whatever comes from here on is thrown away. */
	drop(): void {
		this.#phase = { is: "dropping" };
		this.#chunks = [];
		this.#bufferedBytes = 0;
		this.#flow();
		this.#wakeReader();
	}

	async *read(limitBytes: number): AsyncGenerator<Uint8Array> {
		this.#begin(limitBytes);
		try {
			for (;;) {
				if (this.#failure) throw this.#failure;
				const chunk = this.#chunks.shift();
				if (chunk) {
					this.#bufferedBytes -= chunk.byteLength;
					this.#flow();
					yield chunk;
				} else if (this.#complete) {
					return;
				} else {
					await new Promise<void>((wake) => {
						this.#wake = wake;
					});
				}
			}
		} finally {
			this.drop();
		}
	}

	#begin(limitBytes: number): void {
		if (this.#failure) throw this.#failure;
		if (this.#phase.is !== "unread") throw new Error("a body is read once");
		if ((this.#declaredBytes ?? this.#receivedBytes) > limitBytes) {
			this.drop();
			throw tooLarge(limitBytes, this.#declaredBytes);
		}
		this.#phase = { is: "reading", limitBytes };
	}

	#keep(chunk: Uint8Array): void {
		if (
			this.#phase.is === "reading" &&
			this.#receivedBytes > this.#phase.limitBytes
		) {
			this.#failure = tooLarge(this.#phase.limitBytes, undefined);
			this.drop();
			return;
		}
		if (chunk.byteLength === 0) return;
		this.#chunks.push(chunk.slice());
		this.#bufferedBytes += chunk.byteLength;
		this.#flow();
	}

	/** Holds the socket back while too much is waiting here, and lets it go on otherwise. */
	#flow(): void {
		const mustWait = this.#bufferedBytes >= highWaterBytes && !this.#complete;
		if (mustWait === (this.#trickle !== undefined)) {
			if (mustWait) this.#source.pause(); // a trickle has come: hold again
			return;
		}
		if (mustWait) {
			this.#source.pause();
			this.#trickle = setInterval(() => this.#source.resume(), trickleMs);
			return;
		}
		clearInterval(this.#trickle);
		this.#trickle = undefined;
		if (!(this.#failure instanceof ClientGone)) this.#source.resume();
	}

	#wakeReader(): void {
		const wake = this.#wake;
		this.#wake = undefined;
		wake?.();
	}
}

function tooLarge(limitBytes: number, declaredBytes: number | undefined) {
	const got = declaredBytes === undefined ? "more" : `${declaredBytes}`;
	return new CodedError(
		"200004",
		`body must be at most ${limitBytes} bytes, got ${got}`,
	);
}
