/**
 * A request's body between the socket and its reader: its total size and its size in memory are both bounded. Bytes that are no longer needed are dropped.
 * How the socket is held and kept alive: body-valve.ts; which pace is too slow: body-pace.ts.
 */
import { CodedError } from "../../errors.js";
import { ClientGone } from "../exchange.js";
import { BodyPace, paceSeconds } from "./body-pace.js";
import { type BodySource, BodyValve } from "./body-valve.js";

/** Buffered bytes at which the socket is held. */
const highWaterBytes = 256 * 1024;
/**
 * Size of the pieces for the reader. Less than that waits for more, a second at most: a client may send byte by byte, and keeping each piece costs more than a
 * byte.
 */
const pieceBytes = 16 * 1024;
/** The library's timer counts in steps of 4 s, and may run for 8 s. */
const refreshSeconds = 4;

export interface BodyFacts {
	/** Of Content-Length. */
	readonly declaredBytes: number | undefined;
	/** Slower bodies are refused; 0: no minimum. */
	readonly bytesPerSecondMin: number;
}

type Phase =
	/** No reader yet; bytes are buffered. */
	| { readonly is: "unread" }
	| { readonly is: "reading"; readonly limitBytes: number }
	/** The reader is gone; bytes are counted and dropped. */
	| { readonly is: "dropping" };

export class BodyStream {
	readonly #valve: BodyValve;
	readonly #declaredBytes: number | undefined;
	#phase: Phase = { is: "unread" };
	#pieces: Uint8Array[] = [];
	/** Bytes too few for a piece. */
	#tail = new Uint8Array(0);
	#tailBytes = 0;
	#bufferedBytes = 0;
	#receivedBytes = 0;
	#complete = false;
	#failure: Error | undefined;
	#wake: (() => void) | undefined;
	readonly #pace: BodyPace;
	readonly #bytesPerSecondMin: number;
	#seconds = 0;
	#tooSlow = false;

	constructor(source: BodySource, facts: BodyFacts) {
		this.#valve = new BodyValve(source);
		this.#declaredBytes = facts.declaredBytes;
		this.#bytesPerSecondMin = facts.bytesPerSecondMin;
		this.#pace = new BodyPace(facts.bytesPerSecondMin);
	}

	/** It was abandoned for its pace: the rest is not worth waiting for. */
	get tooSlow(): boolean {
		return this.#tooSlow;
	}

	/** The whole body has arrived. */
	get complete(): boolean {
		return this.#complete;
	}

	/** Bytes still to come; undefined where only the client knows. */
	get bytesToCome(): number | undefined {
		if (this.#complete) return 0;
		return this.#declaredBytes === undefined
			? undefined
			: Math.max(0, this.#declaredBytes - this.#receivedBytes);
	}

	/** @param chunk copied: its owner may reuse it. */
	accept(chunk: Uint8Array, isLast: boolean): void {
		this.#receivedBytes += chunk.byteLength;
		this.#pace.add(chunk.byteLength);
		if (isLast) {
			this.#complete = true;
			this.#valve.complete();
		}
		if (this.#phase.is !== "dropping") this.#keep(chunk);
		if (isLast) this.#end();
	}

	/** The client has disconnected: the reader gets ClientGone. */
	abort(): void {
		this.#failure ??= new ClientGone("the client disconnected");
		this.drop();
	}

	/** Discards whatever arrives from here on. */
	drop(): void {
		this.#phase = { is: "dropping" };
		this.#pieces = [];
		this.#tail = new Uint8Array(0);
		this.#tailBytes = 0;
		this.#bufferedBytes = 0;
		this.#flow();
		this.#wakeReader();
	}

	/** The answer is being sent; whatever still arrives is discarded. */
	answered(): void {
		this.drop();
		this.#valve.answered();
	}

	/** Called once a second until there is an answer. */
	onSecond(): void {
		const isTime = ++this.#seconds % refreshSeconds === 0;
		if (this.#complete || this.#valve.held) {
			// what a read of a complete body may bring is no part of it
			if (
				isTime &&
				(this.#complete || this.#bufferedBytes < 2 * highWaterBytes)
			)
				this.#valve.peek();
			return;
		}
		if (isTime) this.#valve.refresh();
		if (this.#phase.is === "dropping") return;
		this.#cutPiece();
		if (this.#pace.second()) this.#giveUp();
	}

	#giveUp(): void {
		this.#tooSlow = true;
		this.#failure ??= new CodedError(
			"230002",
			`a body must arrive at ${this.#bytesPerSecondMin} bytes per second or faster; this one was slower for ${paceSeconds} seconds`,
		);
		this.drop();
	}

	async *read(limitBytes: number): AsyncGenerator<Uint8Array> {
		this.#begin(limitBytes);
		try {
			for (;;) {
				if (this.#failure) throw this.#failure;
				const piece = this.#pieces.shift();
				if (piece) {
					this.#bufferedBytes -= piece.byteLength;
					this.#flow();
					yield piece;
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
		if (this.#phase.is !== "unread")
			throw new Error("a body can only be read once");
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
		if (this.#tailBytes + chunk.byteLength > pieceBytes) this.#cutPiece();
		if (chunk.byteLength >= pieceBytes) this.#hand(chunk.slice());
		else if (chunk.byteLength > 0) this.#append(chunk);
		this.#bufferedBytes += chunk.byteLength;
		this.#flow();
	}

	#append(chunk: Uint8Array): void {
		if (this.#tail.length === 0) this.#tail = new Uint8Array(pieceBytes);
		this.#tail.set(chunk, this.#tailBytes);
		this.#tailBytes += chunk.byteLength;
	}

	#cutPiece(): void {
		if (this.#tailBytes === 0) return;
		this.#hand(this.#tail.slice(0, this.#tailBytes));
		this.#tailBytes = 0;
	}

	#hand(piece: Uint8Array): void {
		this.#pieces.push(piece);
		this.#wakeReader();
	}

	#end(): void {
		this.#cutPiece();
		this.#tail = new Uint8Array(0);
		this.#wakeReader();
	}

	/** Holds the socket while too much is buffered, and releases it otherwise. */
	#flow(): void {
		if (this.#bufferedBytes >= highWaterBytes) this.#valve.hold();
		else if (this.#valve.held) this.#valve.release();
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
