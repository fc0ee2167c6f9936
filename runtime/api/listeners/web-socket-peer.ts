/**
 * A WebSocket on a listener of its own: the handshake, messages in order, pings and the close. Nothing is read while the protocol behind it is busy, so a client
 * that sends faster waits; incomplete messages of all connections share one memory limit.
 */
import type { Logger } from "../../log/log.js";
import { normalClosure, policyViolation } from "../close-reason.js";
import type { HeldMemory } from "./held-memory.js";
import type { Peer, PeerHandler } from "./peer.js";
import { SlicedLoop } from "./sliced-loop.js";
import { WebSocketDecoder, WebSocketError } from "./web-socket-decoder.js";
import { closeFrame, pongFrame, textFrame } from "./web-socket-frame.js";
import {
	acceptance,
	type Handshake,
	HandshakeError,
	readHandshake,
	refusal,
} from "./web-socket-handshake.js";

/** A close code of the registry that RFC 6455 founded (section 7.4.2). */
const tryAgainLater = 1013;
const headBytesMax = 8192;
/** For the handshake, and for a message that was begun. */
const incompleteMsMax = 30_000;

/** The connection as the protocol behind it sees it. */
export interface MessageSocket {
	readonly address: string;
	/** Does nothing on a closed socket. */
	send(text: string): void;
	/** Nothing more is read. `onClosed` follows. */
	close(code: number, reason?: string): void;
	/** The handler is no longer busy. */
	readOn(): void;
}

export interface MessageHandler {
	/** Messages wait. */
	readonly isBusy: boolean;
	onText(text: string): void;
	/** @param bytes may be kept. */
	onBinary(bytes: Uint8Array): void;
	/** The peer closes the connection or sends nothing more; comes after its last message. */
	onEnd(): void;
	onClosed(): void;
	/** The appliance stops. */
	leave(): void;
}

export interface WebSocketParts {
	/** @throws HandshakeError where it is refused. */
	readonly admit: (handshake: Handshake) => void;
	readonly open: (socket: MessageSocket) => MessageHandler;
	/** Shared by all connections. */
	readonly memory: HeldMemory;
	readonly log: Logger;
}

type Phase = "handshake" | "open" | "closed";

export class WebSocketPeer implements PeerHandler {
	readonly #parts: WebSocketParts;
	readonly #peer: Peer;
	readonly #decoder = new WebSocketDecoder();
	readonly #handler: MessageHandler;
	readonly #reading = new SlicedLoop(
		() => this.#step(),
		() => this.#settle(),
	);
	#phase: Phase = "handshake";
	#head = Buffer.alloc(0);
	#hasEnded = false;
	#isHeld = false;
	#timer: NodeJS.Timeout | undefined;

	constructor(parts: WebSocketParts, peer: Peer) {
		this.#parts = parts;
		this.#peer = peer;
		this.#handler = parts.open({
			address: peer.address,
			send: (text) => {
				if (this.#phase === "open") peer.send(textFrame(text));
			},
			close: (code, reason) => this.#close(code, reason),
			// later: it may be in the middle of a message
			readOn: () => queueMicrotask(() => this.#reading.run()),
		});
		this.#limitTime();
	}

	onBytes(bytes: Uint8Array): void {
		if (this.#phase === "closed") return;
		if (this.#phase === "handshake") this.#readHead(bytes);
		else this.#decoder.accept(bytes);
		this.#reading.run();
	}

	onEnd(): void {
		this.#hasEnded = true;
		this.#reading.run();
	}

	onClosed(): void {
		this.#end();
		this.#handler.onClosed();
		this.#parts.memory.settle(this, this.#peer.address, 0);
	}

	leave(): void {
		if (this.#phase === "handshake") this.#peer.close();
		else this.#handler.leave();
	}

	#readHead(bytes: Uint8Array): void {
		this.#head = Buffer.concat([this.#head, bytes]);
		const end = this.#head.indexOf("\r\n\r\n") + 4;
		const headBytes = end < 4 ? this.#head.length : end;
		try {
			if (headBytes > headBytesMax)
				throw new HandshakeError(400, "the request is too long");
			if (end < 4) return;
			const handshake = readHandshake(this.#head.toString("latin1", 0, end));
			this.#parts.admit(handshake);
			this.#peer.send(Buffer.from(acceptance(handshake)));
			this.#phase = "open";
			this.#limitNothing();
			this.#decoder.accept(this.#head.subarray(end));
			this.#head = Buffer.alloc(0);
		} catch (thrown) {
			if (!(thrown instanceof HandshakeError)) throw thrown;
			this.#parts.log.debug({ why: thrown.message }, "handshake refused");
			this.#peer.send(Buffer.from(refusal(thrown)));
			this.#end();
			this.#peer.close();
		}
	}

	/** @returns whether there may be another message. */
	#step(): boolean {
		if (this.#phase === "closed" || this.#handler.isBusy) return false;
		if (this.#phase === "open" && this.#readMessage()) return true;
		if (this.#hasEnded && !this.#handler.isBusy) this.#onEnd();
		return false;
	}

	#readMessage(): boolean {
		try {
			const message = this.#decoder.next();
			if (message && message.is !== "fragment") this.#limitNothing();
			if (message?.is === "text") this.#handler.onText(message.text);
			if (message?.is === "binary") this.#handler.onBinary(message.bytes);
			if (message?.is === "ping") this.#peer.send(pongFrame(message.bytes));
			if (message?.is === "close") this.#onEnd();
			return message !== undefined;
		} catch (thrown) {
			if (!(thrown instanceof WebSocketError)) throw thrown;
			this.#parts.log.debug({ why: thrown.message }, "not WebSocket");
			this.#fail(thrown.code, thrown.message);
			return false;
		}
	}

	#onEnd(): void {
		this.#handler.onEnd();
		this.#close(normalClosure);
	}

	/** Holds the peer while its messages wait, and bounds what is kept of an incomplete one, and for how long. */
	#settle(): void {
		if (this.#phase === "closed") return;
		const { heldBytes } = this.#decoder;
		const { memory } = this.#parts;
		if (!memory.settle(this, this.#peer.address, heldBytes)) {
			this.#fail(tryAgainLater, "too many incomplete messages");
			return;
		}
		const mustHold = this.#reading.isPending || this.#handler.isBusy;
		if (mustHold !== this.#isHeld) {
			this.#isHeld = mustHold;
			if (mustHold) this.#peer.hold();
			else this.#peer.release();
		}
		this.#limitTime();
	}

	/** A message that comes a byte at a time has no longer than another. */
	#limitTime(): void {
		const isWhole = this.#phase === "open" && this.#decoder.heldBytes === 0;
		const waitsForSlice = this.#reading.isPending;
		if (isWhole || (this.#isHeld && !waitsForSlice)) this.#limitNothing();
		else if (!waitsForSlice)
			this.#timer ??= setTimeout(() => this.#onLate(), incompleteMsMax);
	}

	#limitNothing(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#onLate(): void {
		if (this.#phase === "open")
			this.#fail(policyViolation, "a message must come within 30 seconds");
		else this.#peer.close();
	}

	#fail(code: number, reason: string): void {
		this.#close(code, reason);
		this.#handler.onEnd();
	}

	#close(code: number, reason?: string): void {
		if (this.#phase === "closed") return;
		if (this.#phase === "open") this.#peer.send(closeFrame(code, reason));
		this.#end();
		this.#peer.close();
	}

	#end(): void {
		this.#phase = "closed";
		this.#reading.end();
		this.#limitNothing();
	}
}
