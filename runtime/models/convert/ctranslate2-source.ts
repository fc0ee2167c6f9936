/**
 * Reads CTranslate2's `model.bin` (the format that faster-whisper uses), little-endian: u32 version, string spec, u32 revision, u32 count, then per variable:
 * name, u8 rank, u32 dims, u8 type, u32 byte length, data; then u32 alias count and pairs of names. A string is a u16 length, which includes the NUL, and the
 * bytes. Only the index is kept in memory; every length is checked against the file before anything is allocated.
 */

import { elementCount } from "../inference-port.js";
import { FileBytes } from "./file-bytes.js";
import {
	badSource,
	checkFinite,
	type Weight,
	type WeightSource,
	widenBrainFloat,
	widenHalf,
} from "./weights.js";

/** Bytes of one element by the format's type number; 2 (i16) occurs in settings, not in weights. */
const elementBytes = [4, 1, 2, 4, 2, 2] as const;
const typeNames = [
	"float32",
	"int8",
	"int16",
	"int32",
	"float16",
	"bfloat16",
] as const;

type Variable = {
	readonly dims: readonly number[];
	readonly type: (typeof typeNames)[number];
	readonly offset: number;
	readonly bytes: number;
};

const rankMax = 8;
const countMax = 100_000;
const formatVersionMax = 6;

export class CTranslate2Source implements WeightSource {
	readonly #file: FileBytes;
	readonly description = "CTranslate2 model.bin";
	readonly #variables = new Map<string, Variable>();

	private constructor(file: FileBytes) {
		this.#file = file;
	}

	/** @throws SourceError when the file is not a CTranslate2 Whisper model, or is truncated. */
	static open(path: string): CTranslate2Source {
		const source = new CTranslate2Source(FileBytes.open(path));
		try {
			source.#readIndex();
			return source;
		} catch (error) {
			source.close();
			throw error;
		}
	}

	has(name: string): boolean {
		return this.#variables.has(name);
	}

	dims(name: string): readonly number[] {
		return this.#variable(name).dims;
	}

	read(name: string): Weight {
		const variable = this.#variable(name);
		const raw = this.#file.read(variable.offset, variable.bytes);
		const values = this.#widen(name, variable, raw);
		checkFinite(`${this.#path}: ${name}`, values);
		return { dims: variable.dims, values };
	}

	close(): void {
		this.#file.close();
	}

	#variable(name: string): Variable {
		const variable = this.#variables.get(name);
		if (!variable)
			throw badSource(
				`${this.#path}: tensor ${name} is missing; is this a Whisper model?`,
			);
		return variable;
	}

	get #path(): string {
		return this.#file.path;
	}

	#widen(name: string, variable: Variable, raw: Buffer): Float32Array {
		const count = elementCount(variable.dims);
		switch (variable.type) {
			case "float32":
				return new Float32Array(raw.buffer, raw.byteOffset, count);
			case "float16":
				return widenHalf(new Uint16Array(raw.buffer, raw.byteOffset, count));
			case "bfloat16":
				return widenBrainFloat(
					new Uint16Array(raw.buffer, raw.byteOffset, count),
				);
			case "int8":
				return this.#dequantize(name, variable, raw);
			default:
				throw badSource(
					`${this.#path}: ${name} has type ${variable.type}; convert from a float32, float16, bfloat16 or int8 model`,
				);
		}
	}

	/** An int8 model stores round(w * scale) with one scale per row. */
	#dequantize(name: string, variable: Variable, raw: Buffer) {
		const scales = this.read(`${name}_scale`).values;
		const rows = variable.dims[0] ?? 0;
		if (scales.length !== rows)
			throw badSource(
				`${this.#path}: ${name}_scale should have ${rows} values`,
			);
		const columns = raw.length / rows;
		const values = new Float32Array(raw.length);
		for (let i = 0; i < raw.length; i++)
			values[i] = raw.readInt8(i) / (scales[Math.floor(i / columns)] as number);
		return values;
	}

	#readIndex(): void {
		const reader = new IndexReader(this.#file);
		const version = reader.u32();
		if (version === 0 || version > formatVersionMax)
			throw badSource(
				`${this.#path}: not a CTranslate2 model (format version ${version}, expected at most ${formatVersionMax})`,
			);
		const spec = reader.string();
		if (spec !== "WhisperSpec")
			throw badSource(
				`${this.#path}: contains a ${JSON.stringify(spec.slice(0, 40))}, not a WhisperSpec; use the directory of a Whisper model`,
			);
		reader.u32(); // revision: always 3 since 2022
		const count = this.#checkedCount(reader.u32());
		for (let i = 0; i < count; i++) this.#readVariable(reader);
		const aliases = this.#checkedCount(reader.u32());
		for (let i = 0; i < aliases; i++) {
			const alias = reader.string();
			this.#variables.set(alias, this.#variable(reader.string()));
		}
	}

	#checkedCount(count: number): number {
		if (count > countMax)
			throw badSource(
				`${this.#path}: damaged: claims ${count} tensors; download it again`,
			);
		return count;
	}

	#readVariable(reader: IndexReader): void {
		const name = reader.string();
		const rank = reader.u8();
		if (rank > rankMax)
			throw badSource(`${this.#path}: ${name} claims ${rank} dimensions`);
		const dims = Array.from({ length: rank }, () => reader.u32());
		const typeNumber = reader.u8();
		const type = typeNames[typeNumber];
		const width = elementBytes[typeNumber];
		if (!type || !width)
			throw badSource(`${this.#path}: ${name} has unknown type ${typeNumber}`);
		const bytes = reader.u32();
		if (bytes !== elementCount(dims) * width)
			throw badSource(
				`${this.#path}: ${name} [${dims}] of ${type} can't be ${bytes} bytes; the file is damaged, download it again`,
			);
		const offset = reader.skip(bytes);
		this.#variables.set(name, { dims, type, offset, bytes });
	}
}

const windowBytes = 65_536 + 2; // the longest string and its length field

/** Walks the index through a small window, skipping tensors' data. */
class IndexReader {
	readonly #file: FileBytes;
	#window: Buffer = Buffer.alloc(0);
	#windowStart = 0;
	#position = 0;

	constructor(file: FileBytes) {
		this.#file = file;
	}

	u8(): number {
		return this.#take(1).readUInt8(0);
	}

	u32(): number {
		return this.#take(4).readUInt32LE(0);
	}

	string(): string {
		const length = this.#take(2).readUInt16LE(0);
		const bytes = this.#take(length);
		return bytes.toString("utf8", 0, Math.max(0, length - 1)); // the length includes the NUL
	}

	/** @returns where the skipped bytes begin. */
	skip(bytes: number): number {
		const start = this.#position;
		this.#file.checkRange(start, bytes);
		this.#position += bytes;
		return start;
	}

	#take(bytes: number): Buffer {
		const start = this.skip(bytes);
		const end = this.#windowStart + this.#window.length;
		if (start < this.#windowStart || start + bytes > end) this.#fill(start);
		const from = start - this.#windowStart;
		return this.#window.subarray(from, from + bytes);
	}

	#fill(start: number): void {
		const bytes = Math.min(windowBytes, this.#file.size - start);
		this.#window = this.#file.read(start, bytes);
		this.#windowStart = start;
	}
}
