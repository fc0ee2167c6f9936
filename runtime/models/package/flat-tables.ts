/**
 * Reads tables of a FlatBuffers file (https://flatbuffers.dev/internals) without generated code. The file is untrusted: every position is checked before it is read,
 * and so is how much is read, because several places may point to the same table or vector.
 */

/** A position is outside of the file, or it is read too often. */
export class BrokenFlatFile extends Error {
	override readonly name = "BrokenFlatFile";
}

const tablesMax = 4_000_000;
/** Of the bytes of all vectors that are read, by the length of the file. */
const timesReadMax = 4;
/** The same for texts: writers store one only once for all that use it. */
const timesTextsReadMax = 16;
const bytesOfOffset = 4;
/** Of the list of a table's fields. */
const bytesOfHead = 4;

/** Where the values of a vector are in the file. */
export interface FlatVector {
	readonly start: number;
	readonly count: number;
}

const none: FlatVector = { start: 0, count: 0 };

export class FlatFile {
	readonly #bytes: Buffer;
	#tables = 0;
	#vectorBytes = 0;
	#textBytes = 0;

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

	u8(at: number): number {
		return this.#bytes.readUInt8(this.#inside(at, 1));
	}

	text({ start, count }: FlatVector, bytesMax: number): string {
		if (count > bytesMax) throw new BrokenFlatFile("a text is too long");
		return this.#bytes.toString("utf8", start, start + count);
	}

	/** @throws BrokenFlatFile when it is not inside the file, or too many were read before */
	textVector(at: number): FlatVector {
		const vector = this.#vectorInside(at, 1);
		this.#textBytes += vector.count;
		if (this.#textBytes > timesTextsReadMax * this.#bytes.length)
			throw new BrokenFlatFile("the same texts are used too often");
		return vector;
	}

	/** @throws BrokenFlatFile when its values are not inside the file, or too many were read before */
	vector(at: number, bytesOfValue: number): FlatVector {
		const { start, count } = this.#vectorInside(at, bytesOfValue);
		this.#vectorBytes += count * bytesOfValue;
		if (this.#vectorBytes > timesReadMax * this.#bytes.length)
			throw new BrokenFlatFile("the same values are used too often");
		return { start, count };
	}

	#vectorInside(at: number, bytesOfValue: number): FlatVector {
		const start = at + bytesOfOffset;
		const count = this.u32(at);
		this.#inside(start, count * bytesOfValue);
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

	/** Of a byte without sign, as the type of a union is. */
	byte(field: number): number {
		const at = this.#at(field);
		return at === undefined ? 0 : this.#file.u8(at);
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
		const at = this.#at(field);
		if (at === undefined) return "";
		const vector = this.#file.textVector(this.#file.target(at));
		return this.#file.text(vector, bytesMax);
	}

	/** Counts the text as read, like all of this file. */
	checkText(field: number): void {
		const at = this.#at(field);
		if (at !== undefined) this.#file.textVector(this.#file.target(at));
	}

	/** The same for a list of texts. @returns how many there are */
	checkTexts(field: number): number {
		const { start, count } = this.vector(field, bytesOfOffset) ?? none;
		for (let i = 0; i < count; i++)
			this.#file.textVector(this.#file.target(start + bytesOfOffset * i));
		return count;
	}

	vector(field: number, bytesOfValue: number): FlatVector | undefined {
		const at = this.#at(field);
		if (at === undefined) return undefined;
		return this.#file.vector(this.#file.target(at), bytesOfValue);
	}

	longs(field: number, countMax: number): bigint[] {
		const { start, count } = this.vector(field, 8) ?? none;
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
		const { start, count } = this.vector(field, bytesOfOffset) ?? none;
		for (let i = 0; i < count; i++) {
			const at = start + bytesOfOffset * i;
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
