/**
 * The fields of an ONNX file (protobuf), walked without a schema and without the file in memory: the runtime's binding tells nothing of what it loads. The
 * file may come from anywhere: every length is checked against what is left before anything is read or allocated.
 */
import type { FileHandle } from "node:fs/promises";
import { PackageError } from "./model-package.js";

/** Where a field's contents lie in the file. */
export interface Field {
	readonly number: number;
	readonly wire: number;
	readonly start: number;
	readonly end: number;
	/** Of a varint. */
	readonly value: number;
}

export const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

const windowBytes = 256 * 1024;
/** Tag and length, each a varint. */
const headBytesMax = 20;

export class OnnxFields {
	readonly #window = Buffer.alloc(windowBytes);
	#windowStart = 0;
	#windowEnd = 0;

	constructor(
		private readonly file: FileHandle,
		readonly path: string,
	) {}

	async *walk(start: number, end: number): AsyncGenerator<Field> {
		for (let at = start; at < end; ) {
			const field = await this.#fieldAt(at, end);
			yield field;
			at = field.end;
		}
	}

	/** @param bytesMax more than that is no text. */
	async text({ start, end }: Field, bytesMax: number): Promise<string> {
		if (end - start > bytesMax)
			throw new PackageError(`${this.path}: its metadata is too large`);
		const bytes = Buffer.alloc(end - start);
		for (let at = 0; at < bytes.length; ) {
			const piece = await this.#look(start + at, bytes.length - at);
			if (piece.length === 0) throw this.broken();
			piece.copy(bytes, at);
			at += piece.length;
		}
		return bytes.toString("utf8");
	}

	broken(): PackageError {
		return new PackageError(`${this.path} is no ONNX file, or was cut off`);
	}

	async #fieldAt(at: number, end: number): Promise<Field> {
		const head = await this.#look(at, Math.min(headBytesMax, end - at));
		const tag = this.#varint(head, 0);
		const number = Math.floor(tag.value / 8);
		if (number === 0) throw this.broken();
		const kind = tag.value % 8;
		const { skip, length, value } = this.#contents(kind, head, tag.next);
		const start = at + skip;
		if (length > end - start) throw this.broken();
		return { number, wire: kind, start, end: start + length, value };
	}

	#contents(
		kind: number,
		head: Buffer,
		at: number,
	): { skip: number; length: number; value: number } {
		switch (kind) {
			case wire.varint: {
				const { value, next } = this.#varint(head, at);
				return { skip: next, length: 0, value };
			}
			case wire.fixed64:
				return { skip: at, length: 8, value: 0 };
			case wire.fixed32:
				return { skip: at, length: 4, value: 0 };
			case wire.bytes: {
				const { value, next } = this.#varint(head, at);
				return { skip: next, length: value, value: 0 };
			}
			default:
				throw this.broken();
		}
	}

	#varint(bytes: Buffer, from: number): { value: number; next: number } {
		let value = 0;
		for (let i = 0, scale = 1; i < 10; i++, scale *= 128) {
			const byte = bytes[from + i];
			if (byte === undefined) throw this.broken();
			value += (byte & 127) * scale;
			if (byte < 128) return { value, next: from + i + 1 };
		}
		throw this.broken();
	}

	/** Up to so many bytes from there on; valid until the next call. */
	async #look(at: number, bytes: number): Promise<Buffer> {
		const isThere =
			at >= this.#windowStart &&
			at + Math.min(bytes, headBytesMax) <= this.#windowEnd;
		if (!isThere) {
			const { bytesRead } = await this.file.read(
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
