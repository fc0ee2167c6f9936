/**
 * WebSocket messages from bytes that are cut anywhere (RFC 6455, section 5), without extensions. Lengths are checked before anything of that length is kept:
 * an incomplete message is at most one of the longest.
 */
import { isUtf8 } from "node:buffer";
import { ByteQueue } from "./byte-queue.js";

export type Message =
	| { readonly is: "text"; readonly text: string }
	| { readonly is: "binary"; readonly bytes: Buffer }
	| { readonly is: "ping"; readonly bytes: Buffer }
	| { readonly is: "pong" }
	/** Of a message that is not whole yet. */
	| { readonly is: "fragment" }
	/** The peer closes the connection. */
	| { readonly is: "close" };

/** What breaks the protocol: the connection is closed with this code (RFC 6455, section 7.4.1). */
export class WebSocketError extends Error {
	override readonly name = "WebSocketError";
	readonly code: number;

	constructor(code: 1002 | 1007 | 1009, message: string) {
		super(message);
		this.code = code;
	}
}

interface Header {
	readonly isLast: boolean;
	readonly opcode: number;
	readonly headerBytes: number;
	readonly payloadBytes: number;
}

const opcodes = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 };
const textBytesMax = 64 * 1024;
const binaryBytesMax = 1024 * 1024;
const controlBytesMax = 125;
const maskBytes = 4;

export class WebSocketDecoder {
	readonly #queue = new ByteQueue();
	/** Opcode of the message whose first fragments have come; 0: none. */
	#opcode = 0;
	/** Those fragments, one behind the other, and room for more. */
	#fragments = Buffer.alloc(0);
	#fragmentBytes = 0;

	/** Bytes of what is incomplete. */
	get heldBytes(): number {
		return this.#queue.length + this.#fragmentBytes;
	}

	/** @param bytes kept until they are decoded. */
	accept(bytes: Uint8Array): void {
		this.#queue.accept(bytes);
	}

	/** @returns the next message, its bytes owned by the caller; undefined: more bytes are needed. @throws WebSocketError */
	next(): Message | undefined {
		const header = this.#readHeader();
		const bytes = header && header.headerBytes + header.payloadBytes;
		if (bytes === undefined || this.#queue.length < bytes) {
			this.#queue.keep();
			return undefined;
		}
		return this.#accept(header as Header);
	}

	/** Checks it, too. @returns undefined where it is incomplete. */
	#readHeader(): Header | undefined {
		const bytes = this.#queue.first(10);
		if (bytes.length < 2) return undefined;
		const first = bytes[0] as number;
		const second = bytes[1] as number;
		const opcode = first & 0x0f;
		const isLast = (first & 0x80) !== 0;
		if ((first & 0x70) !== 0)
			throw new WebSocketError(1002, "no extension was agreed on");
		if ((second & 0x80) === 0)
			throw new WebSocketError(1002, "frames of a client must be masked");
		this.#checkOrder(opcode, isLast, second & 0x7f);
		const length = second & 0x7f;
		const lengthBytes = length === 127 ? 8 : length === 126 ? 2 : 0;
		if (bytes.length < 2 + lengthBytes) return undefined;
		const payloadBytes =
			lengthBytes === 0
				? length
				: lengthBytes === 2
					? bytes.readUInt16BE(2)
					: Number(bytes.readBigUInt64BE(2));
		this.#checkLength(opcode, payloadBytes);
		const headerBytes = 2 + lengthBytes + maskBytes;
		return { isLast, opcode, headerBytes, payloadBytes };
	}

	#checkOrder(opcode: number, isLast: boolean, length: number): void {
		const isControl = opcode >= opcodes.close;
		if (!Object.values(opcodes).includes(opcode))
			throw new WebSocketError(1002, "unknown opcode");
		if (isControl && (!isLast || length > controlBytesMax))
			throw new WebSocketError(1002, "a control frame is too long");
		if (isControl) return;
		if ((opcode === opcodes.more) !== (this.#opcode !== 0))
			throw new WebSocketError(1002, "fragments are out of order");
	}

	#checkLength(opcode: number, payloadBytes: number): void {
		if (opcode >= opcodes.close) return;
		const kind = opcode === opcodes.more ? this.#opcode : opcode;
		const max = kind === opcodes.text ? textBytesMax : binaryBytesMax;
		const bytes = payloadBytes + (opcode === 0 ? this.#fragmentBytes : 0);
		if (bytes > max)
			throw new WebSocketError(1009, `a message may have ${max} bytes`);
	}

	/** Takes the frame. */
	#accept(header: Header): Message {
		const { isLast, opcode, headerBytes, payloadBytes } = header;
		const mask = this.#queue.take(headerBytes).subarray(-maskBytes);
		const payload = unmasked(this.#queue.take(payloadBytes), mask);
		if (opcode === opcodes.close) return { is: "close" };
		if (opcode === opcodes.ping) return { is: "ping", bytes: payload };
		if (opcode === opcodes.pong) return { is: "pong" };
		if (opcode !== opcodes.more && isLast) return messageOf(opcode, payload);
		if (opcode !== opcodes.more) this.#opcode = opcode;
		this.#append(payload);
		if (!isLast) return { is: "fragment" };
		const kind = this.#opcode;
		const whole = this.#fragments.subarray(0, this.#fragmentBytes);
		this.#opcode = 0;
		this.#fragments = Buffer.alloc(0);
		this.#fragmentBytes = 0;
		return messageOf(kind, whole);
	}

	/** Doubles what is reserved: fragments may have a byte each. */
	#append(payload: Buffer): void {
		const bytes = this.#fragmentBytes + payload.length;
		if (bytes > this.#fragments.length) {
			const grown = Buffer.allocUnsafeSlow(
				Math.max(bytes, 2 * this.#fragmentBytes),
			);
			this.#fragments.copy(grown, 0, 0, this.#fragmentBytes);
			this.#fragments = grown;
		}
		this.#fragments.set(payload, this.#fragmentBytes);
		this.#fragmentBytes = bytes;
	}
}

function unmasked(masked: Buffer, mask: Buffer): Buffer {
	const bytes = Buffer.allocUnsafeSlow(masked.length);
	for (let i = 0; i < masked.length; i++)
		bytes[i] = (masked[i] as number) ^ (mask[i & 3] as number);
	return bytes;
}

/** @throws WebSocketError */
function messageOf(opcode: number, bytes: Buffer): Message {
	if (opcode === opcodes.binary) return { is: "binary", bytes };
	if (!isUtf8(bytes)) throw new WebSocketError(1007, "text must be UTF-8");
	return { is: "text", text: bytes.toString() };
}
