/**
 * Walks the fields of an ONNX file (protobuf) without a schema and without loading the file into memory: the runtime's binding does not expose what it
 * loads. The file is untrusted: every length is checked against the remaining bytes before anything is read or allocated.
 */
import type { FileHandle } from "node:fs/promises";
import { PackageError } from "./model-package.js";

/** A field, and the position of its contents in the file. */
export interface Field {
	readonly number: number;
	readonly wire: number;
	readonly start: number;
	readonly end: number;
	/** Of a varint, exact up to 2^53. */
	readonly value: number;
	/** Its lower 32 bits: protobuf ignores the others of an int32 or an enum. */
	readonly low: number;
}

export const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Numbers of a tensor's fields in onnx.proto. */
export const tensorFields = {
	dims: 1,
	type: 2,
	segment: 3,
	floats: 4,
	ints: 5,
	strings: 6,
	longs: 7,
	name: 8,
	raw: 9,
	doubles: 10,
	unsigned: 11,
	external: 13,
	location: 14,
} as const;

export const nameBytesMax = 4096;

const windowBytes = 256 * 1024;
/** Tag and length, each a varint. */
const headBytesMax = 20;
const varintBytesMax = 10;
const tagMax = 0xffff_ffff;

interface Varint {
	readonly value: number;
	readonly low: number;
	readonly next: number;
}

export class OnnxFields {
	readonly #file: FileHandle;
	readonly #window = Buffer.alloc(windowBytes);
	#windowStart = 0;
	#windowEnd = 0;

	constructor(
		file: FileHandle,
		readonly path: string,
	) {
		this.#file = file;
	}

	async *walk(start: number, end: number): AsyncGenerator<Field> {
		for (let at = start; at < end; ) {
			const field = await this.#fieldAt(at, end);
			yield field;
			at = field.end;
		}
	}

	/** @param bytesMax a longer text is an error. */
	async text({ start, end }: Field, bytesMax: number): Promise<string> {
		if (end - start > bytesMax)
			throw new PackageError(`${this.path}: its metadata is too large`);
		const bytes = Buffer.alloc(end - start);
		for (let at = 0; at < bytes.length; ) {
			const piece = await this.#readAt(start + at, bytes.length - at);
			if (piece.length === 0) throw this.broken();
			piece.copy(bytes, at);
			at += piece.length;
		}
		return bytes.toString("utf8");
	}

	/** The words of a fixed field. */
	async fixed({ start, end }: Field): Promise<{ low: number; high: number }> {
		const bytes = await this.#readAt(start, end - start);
		if (bytes.length !== end - start) throw this.broken();
		return {
			low: bytes.readUInt32LE(),
			high: bytes.length > 4 ? bytes.readUInt32LE(4) : 0,
		};
	}

	/** Every varint of a packed field. @returns how many there are. */
	async varints(
		{ start, end }: Field,
		each: (value: number, low: number) => void,
	): Promise<number> {
		let count = 0;
		for (let at = start; at < end; ) {
			const piece = await this.#readAt(at, end - at);
			let next = 0;
			// a varint that may be incomplete is read again from its start
			while (next < piece.length) {
				const isWhole = piece.length - next >= varintBytesMax;
				if (!isWhole && next > 0 && at + piece.length < end) break;
				const varint = this.#varint(piece, next);
				each(varint.value, varint.low);
				count++;
				next = varint.next;
			}
			at += next;
		}
		return count;
	}

	broken(): PackageError {
		return new PackageError(
			`${this.path} is not an ONNX file, or was truncated`,
		);
	}

	async #fieldAt(at: number, end: number): Promise<Field> {
		const head = await this.#readAt(at, Math.min(headBytesMax, end - at));
		const tag = this.#varint(head, 0);
		// protobuf would truncate it to another field number
		if (tag.value > tagMax) throw this.broken();
		const number = Math.floor(tag.value / 8);
		if (number === 0) throw this.broken();
		const kind = tag.value % 8;
		const { skip, length, value, low } = this.#contents(kind, head, tag.next);
		const start = at + skip;
		if (length > end - start) throw this.broken();
		return { number, wire: kind, start, end: start + length, value, low };
	}

	#contents(
		kind: number,
		head: Buffer,
		at: number,
	): { skip: number; length: number; value: number; low: number } {
		switch (kind) {
			case wire.varint: {
				const { value, low, next } = this.#varint(head, at);
				return { skip: next, length: 0, value, low };
			}
			case wire.fixed64:
				return { skip: at, length: 8, value: 0, low: 0 };
			case wire.fixed32:
				return { skip: at, length: 4, value: 0, low: 0 };
			case wire.bytes: {
				const { value, next } = this.#varint(head, at);
				return { skip: next, length: value, value: 0, low: 0 };
			}
			default:
				throw this.broken();
		}
	}

	#varint(bytes: Buffer, from: number): Varint {
		let value = 0;
		let low = 0;
		for (let i = 0, scale = 1; i < varintBytesMax; i++, scale *= 128) {
			const byte = bytes[from + i];
			if (byte === undefined) throw this.broken();
			value += (byte & 127) * scale;
			if (i < 5) low = (low | ((byte & 127) << (7 * i))) >>> 0;
			if (byte < 128) return { value, low, next: from + i + 1 };
		}
		throw this.broken();
	}

	/** Up to `bytes` bytes from `at` on; valid until the next call. */
	async #readAt(at: number, bytes: number): Promise<Buffer> {
		const isBuffered =
			at >= this.#windowStart &&
			at + Math.min(bytes, headBytesMax) <= this.#windowEnd;
		if (!isBuffered) {
			const { bytesRead } = await this.#file.read(
				this.#window,
				0,
				windowBytes,
				at,
			);
			this.#windowStart = at;
			this.#windowEnd = at + bytesRead;
		}
		const from = at - this.#windowStart;
		const to = Math.min(from + bytes, this.#windowEnd - this.#windowStart);
		return this.#window.subarray(from, to);
	}
}
