/**
 * Reads tables of a FlatBuffers file (https://flatbuffers.dev/internals) without generated code. The file is untrusted: every position is checked before it is read,
 * and so is how much is read, because several places may point to the same table or vector.
 */

/** A position is outside of the file, or it is read too often. */
export class BrokenFlatFile extends Error {
	override readonly name = "BrokenFlatFile";
}

const tablesMax = 4_000_000;
/** Of all vectors that are read, by the length of the file: writers store a text only once for all that use it. */
const timesReadMax = 4;
const bytesOfOffset = 4;
/** Of the list of a table's fields. */
const bytesOfHead = 4;

/** Where the values of a vector are in the file. */
export interface FlatVector {
	readonly start: number;
	readonly count: number;
}

export class FlatFile {
	readonly #bytes: Buffer;
	#tables = 0;
	#vectorBytes = 0;

	constructor(bytes: Buffer) {
		this.#bytes = bytes;
	}

	/** Four characters after the position of the root. */
	get identifier(): string {
		return this.#bytes.toString("latin1", 4, 8);
	}

	root(): FlatTable {
		return this.table(this.target(0));
	}

	/** @throws BrokenFlatFile */
	table(position: number): FlatTable {
		if (++this.#tables > tablesMax) throw new BrokenFlatFile("too many tables");
		return new FlatTable(this, position);
	}

	u16(at: number): number {
		return this.#bytes.readUInt16LE(this.#inside(at, 2));
	}

	u32(at: number): number {
		return this.#bytes.readUInt32LE(this.#inside(at, 4));
	}

	i32(at: number): number {
		return this.#bytes.readInt32LE(this.#inside(at, 4));
	}

	i64(at: number): bigint {
		return this.#bytes.readBigInt64LE(this.#inside(at, 8));
	}

	/** Where an offset points to. */
	target(at: number): number {
		return at + this.u32(at);
	}

	text({ start, count }: FlatVector, bytesMax: number): string {
		if (count > bytesMax) throw new BrokenFlatFile("a text is too long");
		return this.#bytes.toString("utf8", start, start + count);
	}

	/** @throws BrokenFlatFile when its values are not inside the file, or too many were read before */
	vector(at: number, bytesOfValue: number): FlatVector {
		const start = at + bytesOfOffset;
		const count = this.u32(at);
		this.#inside(start, count * bytesOfValue);
		this.#vectorBytes += count * bytesOfValue;
		if (this.#vectorBytes > timesReadMax * this.#bytes.length)
			throw new BrokenFlatFile("the same values are used too often");
		return { start, count };
	}

	#inside(at: number, bytes: number): number {
		if (at < 0 || at + bytes > this.#bytes.length)
			throw new BrokenFlatFile("a position is outside of the file");
		return at;
	}
}

/** Fields are counted from 0, in the order of the schema. */
export class FlatTable {
	readonly #file: FlatFile;
	readonly #position: number;
	readonly #fields: number;
	readonly #fieldsEnd: number;

	constructor(file: FlatFile, position: number) {
		this.#file = file;
		this.#position = position;
		this.#fields = position - file.i32(position);
		this.#fieldsEnd = this.#fields + file.u16(this.#fields);
	}

	integer(field: number): number {
		const at = this.#at(field);
		return at === undefined ? 0 : this.#file.i32(at);
	}

	/** @returns undefined where it is absent */
	long(field: number): bigint | undefined {
		const at = this.#at(field);
		return at === undefined ? undefined : this.#file.i64(at);
	}

	text(field: number, bytesMax: number): string {
		const vector = this.vector(field, 1);
		return vector ? this.#file.text(vector, bytesMax) : "";
	}

	vector(field: number, bytesOfValue: number): FlatVector | undefined {
		const at = this.#at(field);
		if (at === undefined) return undefined;
		return this.#file.vector(this.#file.target(at), bytesOfValue);
	}

	longs(field: number, countMax: number): bigint[] {
		const { start, count } = this.vector(field, 8) ?? { start: 0, count: 0 };
		if (count > countMax) throw new BrokenFlatFile("a list is too long");
		return Array.from({ length: count }, (_, i) =>
			this.#file.i64(start + 8 * i),
		);
	}

	table(field: number): FlatTable | undefined {
		const at = this.#at(field);
		return at === undefined
			? undefined
			: this.#file.table(this.#file.target(at));
	}

	*tables(field: number): Generator<FlatTable> {
		const vector = this.vector(field, bytesOfOffset);
		for (let i = 0; i < (vector?.count ?? 0); i++) {
			const at = (vector as FlatVector).start + bytesOfOffset * i;
			yield this.#file.table(this.#file.target(at));
		}
	}

	/** @returns undefined where the field is absent */
	#at(field: number): number | undefined {
		const entry = this.#fields + bytesOfHead + 2 * field;
		if (entry + 2 > this.#fieldsEnd) return undefined;
		const offset = this.#file.u16(entry);
		return offset === 0 ? undefined : this.#position + offset;
	}
}
