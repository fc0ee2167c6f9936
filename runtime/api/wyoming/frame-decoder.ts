/**
 * Frames from bytes that are cut anywhere. Every length is checked before anything of that length is kept; what is kept of a frame that is not whole yet is at
 * most the three limits together.
 */
import { jsonOf } from "../../json/json-parser.js";

/** Frames that no peer writes. The connection ends: where the next frame would begin is not known. */
export class FrameError extends Error {
	override readonly name = "FrameError";
	/** The peer speaks the protocol and is told why; whoever sends what is no frame at all is not answered. */
	readonly isTold: boolean;

	constructor(message: string, isTold: boolean) {
		super(message);
		this.isTold = isTold;
	}
}

export interface WholeFrame {
	readonly type: string;
	/** Data of the line. */
	readonly inline: Readonly<Record<string, unknown>>;
	/** The data that follows the line, not parsed yet: a long one takes time. */
	readonly block: string | undefined;
	readonly payload: Uint8Array;
}

interface Line {
	readonly type: string;
	readonly inline: Readonly<Record<string, unknown>>;
	readonly dataBytes: number;
	readonly payloadBytes: number;
}

const lineBytesMax = 64 * 1024;
const dataBytesMax = 1024 * 1024;
const payloadBytesMax = 1024 * 1024;
const lineFeed = 0x0a;
const nothing = Buffer.alloc(0);

export class FrameDecoder {
	/** What came and is not decoded: `#bytes` from `#from` to `#to`. Bytes of a frame that was returned are never overwritten. */
	#bytes: Buffer = nothing;
	#from = 0;
	#to = 0;
	/** No line feed is before this. */
	#scanned = 0;
	/** Of the frame whose data and payload are awaited. */
	#line: Line | undefined;

	/** Bytes that came and are not decoded. */
	get heldBytes(): number {
		return this.#to - this.#from;
	}

	/** @param bytes kept until they are decoded, not copied if they make whole frames. */
	accept(bytes: Uint8Array): void {
		if (this.heldBytes === 0) {
			this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
			this.#from = 0;
			this.#to = bytes.length;
			this.#scanned = 0;
			return;
		}
		if (this.#to + bytes.length > this.#bytes.length) this.#grow(bytes.length);
		this.#bytes.set(bytes, this.#to);
		this.#to += bytes.length;
	}

	/** @returns the next whole frame, valid until its bytes are let go of; undefined: more bytes are needed. @throws FrameError */
	next(): WholeFrame | undefined {
		this.#line ??= this.#readLine();
		const line = this.#line;
		if (!line || this.heldBytes < line.dataBytes + line.payloadBytes) {
			this.#own();
			return undefined;
		}
		this.#line = undefined;
		const { type, inline, dataBytes, payloadBytes } = line;
		const block = this.#take(dataBytes);
		return {
			...{ type, inline },
			block: dataBytes > 0 ? block.toString() : undefined,
			payload: this.#take(payloadBytes),
		};
	}

	#readLine(): Line | undefined {
		const end = this.#bytes
			.subarray(0, this.#to)
			.indexOf(lineFeed, Math.max(this.#from, this.#scanned));
		this.#scanned = end < 0 ? this.#to : end + 1;
		const lineBytes = (end < 0 ? this.#to : end) - this.#from;
		if (lineBytes > lineBytesMax)
			throw new FrameError(`a line may have ${lineBytesMax} bytes`, true);
		if (end < 0) return undefined;
		const line = this.#take(lineBytes).toString();
		this.#from++; // the line feed
		return lineOf(line);
	}

	#take(bytes: number): Buffer {
		const taken = this.#bytes.subarray(this.#from, this.#from + bytes);
		this.#from += bytes;
		return taken;
	}

	/** Moves what is held to memory of its own: what came is a part of a larger block of the socket's. */
	#own(): void {
		if (this.heldBytes === 0) {
			this.#bytes = nothing;
			this.#from = 0;
			this.#to = 0;
			this.#scanned = 0;
		} else if (this.#from > 0) this.#grow(0);
	}

	/** Room for this many more bytes; doubled, since a frame may come a byte at a time. */
	#grow(moreBytes: number): void {
		const { heldBytes } = this;
		const wanted = heldBytes + moreBytes;
		const grown = Buffer.allocUnsafeSlow(
			moreBytes === 0 ? wanted : Math.max(wanted, 2 * heldBytes),
		);
		this.#bytes.copy(grown, 0, this.#from, this.#to);
		this.#scanned = Math.max(0, this.#scanned - this.#from);
		this.#bytes = grown;
		this.#from = 0;
		this.#to = heldBytes;
	}
}

/** @throws FrameError */
function lineOf(text: string): Line {
	const { type, data, data_length, payload_length } = objectOf(text, "a line");
	if (typeof type !== "string")
		throw new FrameError("a line has no type", true);
	return {
		type,
		inline: data === undefined || data === null ? {} : checkedObject(data),
		dataBytes: lengthOf("data_length", data_length, dataBytesMax),
		payloadBytes: lengthOf("payload_length", payload_length, payloadBytesMax),
	};
}

/** @throws FrameError */
export function objectOf(
	text: string,
	what: string,
): Readonly<Record<string, unknown>> {
	let value: unknown;
	try {
		value = jsonOf(text);
	} catch {
		throw new FrameError(`${what} is not JSON`, false);
	}
	return checkedObject(value);
}

/** @throws FrameError */
export function checkedObject(
	value: unknown,
): Readonly<Record<string, unknown>> {
	if (typeof value === "object" && value !== null && !Array.isArray(value))
		return value as Record<string, unknown>;
	throw new FrameError("not a JSON object", false);
}

/** @throws FrameError */
function lengthOf(name: string, value: unknown, max: number): number {
	if (value === undefined || value === null) return 0;
	if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
		throw new FrameError(`${name} must be an integer of at least 0`, true);
	if (value > max) throw new FrameError(`${name} may be ${max}`, true);
	return value;
}
