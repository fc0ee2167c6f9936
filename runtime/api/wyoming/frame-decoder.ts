/**
 * Frames from bytes that are cut anywhere. Every length is checked before anything of that length is kept; what is kept of a frame that is not whole yet is at
 * most the three limits together.
 */
import { isJsonObject, type JsonObject } from "../../json/json-object.js";
import { jsonOf } from "../../json/json-parser.js";
import { ByteQueue } from "../listeners/byte-queue.js";

/** Frames that no peer writes. The connection ends: where the next frame would begin is not known. */
export class FrameError extends Error {
	override readonly name = "FrameError";
	/** The peer speaks the protocol and is told why; whoever sends what is no frame at all is not answered. */
	readonly isReported: boolean;

	constructor(message: string, isReported: boolean) {
		super(message);
		this.isReported = isReported;
	}
}

export interface WholeFrame {
	readonly type: string;
	/** Data of the line. */
	readonly inline: Readonly<Record<string, unknown>>;
	/** The data that follows the line, not parsed yet: a long one takes time. */
	readonly block: string | undefined;
	readonly payload: Uint8Array;
	/** Of the block and the payload. */
	readonly bytes: number;
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

export class FrameDecoder {
	readonly #queue = new ByteQueue();
	/** Of the frame whose data and payload are awaited. */
	#line: Line | undefined;

	/** Bytes that came and are not decoded. */
	get heldBytes(): number {
		return this.#queue.length;
	}

	/** @param bytes kept until they are decoded, not copied if they make whole frames. */
	accept(bytes: Uint8Array): void {
		this.#queue.accept(bytes);
	}

	/** @returns the next whole frame; undefined: more bytes are needed. @throws FrameError */
	next(): WholeFrame | undefined {
		this.#line ??= this.#readLine();
		const line = this.#line;
		const bytes = line ? line.dataBytes + line.payloadBytes : 0;
		if (!line || this.heldBytes < bytes) {
			this.#queue.keep();
			return undefined;
		}
		this.#line = undefined;
		const { type, inline, dataBytes, payloadBytes } = line;
		const block = this.#queue.take(dataBytes);
		return {
			type,
			inline,
			block: dataBytes > 0 ? block.toString() : undefined,
			payload: this.#queue.take(payloadBytes),
			bytes,
		};
	}

	#readLine(): Line | undefined {
		const end = this.#queue.indexOf(lineFeed);
		const lineBytes = end < 0 ? this.#queue.length : end;
		if (lineBytes > lineBytesMax)
			throw new FrameError(`a line may have ${lineBytesMax} bytes`, true);
		if (end < 0) return undefined;
		const line = this.#queue.take(lineBytes).toString();
		this.#queue.take(1); // the line feed
		return lineOf(line);
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
		dataBytes: checkedByteCount("data_length", data_length, dataBytesMax),
		payloadBytes: checkedByteCount(
			"payload_length",
			payload_length,
			payloadBytesMax,
		),
	};
}

/** @throws FrameError */
export function objectOf(text: string, what: string): JsonObject {
	let value: unknown;
	try {
		value = jsonOf(text);
	} catch {
		throw new FrameError(`${what} is not JSON`, false);
	}
	return checkedObject(value);
}

/** @throws FrameError */
export function checkedObject(value: unknown): JsonObject {
	if (isJsonObject(value)) return value;
	throw new FrameError("not a JSON object", false);
}

/** @throws FrameError */
function checkedByteCount(name: string, value: unknown, max: number): number {
	if (value === undefined || value === null) return 0;
	if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
		throw new FrameError(`${name} must be an integer of at least 0`, true);
	if (value > max) throw new FrameError(`${name} may be ${max}`, true);
	return value;
}
