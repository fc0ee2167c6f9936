/**
 * A request's body between the socket and its reader: bounded in bytes altogether and in memory at any moment. What nobody wants any more is dropped, not kept.
 *
 * uWebSockets cuts a connection that does not bring 160 KiB in 10 s, without a word. A pause puts its timer off, the end of a pause starts it anew: so each body
 * that is still coming gets a short one every few seconds, and whether it comes too slowly is judged here (body-pace.ts).
 */
import { CodedError } from "../../errors.js";
import { ClientGone } from "../exchange.js";
import { BodyPace, paceSeconds } from "./body-pace.js";

/** Buffered bytes at which the socket is told to wait. */
const highWaterBytes = 256 * 1024;
/** The library's timer counts in steps of 4 s, and may be 8 s long. */
const pauseEverySeconds = 4;

export interface BodySource {
	pause(): void;
	/** Nothing happens where the client is gone. */
	resume(): void;
}

export interface BodyFacts {
	/** Of Content-Length. */
	readonly declaredBytes: number | undefined;
	/** A slower one is refused; 0: none is. */
	readonly bytesPerSecondMin: number;
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
	/** The socket waits for our reader. */
	#held = false;
	readonly #pace: BodyPace;
	readonly #bytesPerSecondMin: number;
	#seconds = 0;
	#tooSlow = false;

	constructor(source: BodySource, facts: BodyFacts) {
		this.#source = source;
		this.#declaredBytes = facts.declaredBytes;
		this.#bytesPerSecondMin = facts.bytesPerSecondMin;
		this.#pace = new BodyPace(facts.bytesPerSecondMin);
	}

	/** It was given up for its pace: the rest is not worth waiting for. */
	get tooSlow(): boolean {
		return this.#tooSlow;
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
		this.#pace.came(chunk.byteLength);
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

	/** To be called once a second, for as long as there is no answer. */
	onSecond(): void {
		if (this.#complete || this.#phase.is === "dropping") return;
		const isTime = ++this.#seconds % pauseEverySeconds === 0;
		if (this.#held) {
			// a client that is gone is only noticed by a read
			if (isTime && this.#bufferedBytes < 2 * highWaterBytes)
				this.#source.resume();
			return;
		}
		if (isTime) this.#pauseShortly();
		if (this.#pace.second()) this.#giveUp();
	}

	#pauseShortly(): void {
		this.#source.pause();
		setImmediate(() => {
			if (!this.#held) this.#source.resume();
		});
	}

	#giveUp(): void {
		this.#tooSlow = true;
		this.#failure ??= new CodedError(
			"230002",
			`a body must come at ${this.#bytesPerSecondMin} bytes a second or faster, this one was slower for ${paceSeconds} seconds`,
		);
		this.drop();
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
		if (mustWait) this.#source.pause();
		else if (this.#held) this.#source.resume();
		this.#held = mustWait;
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
