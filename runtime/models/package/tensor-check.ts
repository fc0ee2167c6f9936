/**
 * Checks the constants of a graph before anything allocates memory for them: their values are inside the file, match the shape in number,
 * and are not NaN. Field numbers are those of onnx.proto (IR version 10).
 *
 * INVARIANT: nothing is allocated according to a shape in the file.
 */
import type { FileHandle } from "node:fs/promises";
import { containsNaN, isNaNBits } from "./float-check.js";
import { PackageError } from "./model-package.js";
import {
	type Field,
	nameBytesMax,
	type OnnxFields,
	tensorFields as tensor,
	wire,
} from "./onnx-fields.js";
import { TensorShape } from "./tensor-shape.js";
import {
	type ElementType,
	elementTypes,
	fixedBytes,
	indexTypes,
	stringType,
	valueFields,
} from "./tensor-types.js";

/** Of a place in another file. */
const entry = { key: 1, value: 2 } as const;
const externalLocation = 1;
const externalNumber = /^(0|[1-9]\d{0,14})$/;
const sparse = { values: 1, indices: 2, dims: 3 } as const;

/** Total size of a file's sparse tensors in dense form, into which ONNX Runtime converts them on loading. */
const denseBytesMax = 2 ** 31;

/** Bytes by name. */
export type FileSizes = ReadonlyMap<string, number>;

interface Tensor {
	/** Bytes in another file; absent where the values are in this one. */
	readonly externalBytes?: number | undefined;
	readonly name: string;
	readonly type: number;
	readonly element: ElementType;
	/** Number of values according to the shape. */
	readonly count: number;
}

export class TensorCheck {
	readonly #file: FileHandle;
	readonly #fields: OnnxFields;
	readonly #name: string;
	readonly #otherFiles: FileSizes;
	#denseBytes = 0;

	/**
	 * @param name of the file, for messages.
	 * @param otherFiles that the graph may read weights from.
	 */
	constructor(
		file: FileHandle,
		fields: OnnxFields,
		name: string,
		otherFiles: FileSizes,
	) {
		this.#file = file;
		this.#fields = fields;
		this.#name = name;
		this.#otherFiles = otherFiles;
	}

	/** A TensorProto. @throws PackageError */
	async tensor(field: Field): Promise<Tensor> {
		const read = await this.#read(field);
		const found = await this.#values(field, read);
		const { bits } = read.element;
		const pairs = bits === 4 ? Math.ceil(read.count / 2) : read.count;
		if (read.externalBytes !== undefined) {
			const bytes = Math.ceil((read.count * bits) / 8);
			if (found.size > 0 || read.externalBytes !== bytes)
				throw this.#wrong(read.name, "do not fit their place in another file");
			return read;
		}
		const wanted = found.raw ? Math.ceil((read.count * bits) / 8) : pairs;
		if (found.size !== wanted)
			throw this.#wrong(
				read.name,
				`are ${found.size} ${found.raw ? "bytes" : "values"} where their shape requires ${wanted}`,
			);
		return read;
	}

	/** A SparseTensorProto. @throws PackageError */
	async sparse(field: Field): Promise<void> {
		const parts = new Map<number, Tensor>();
		const shape = new TensorShape();
		for await (const part of this.#fields.walk(field.start, field.end)) {
			if (part.number === sparse.dims) await shape.add(part, this.#fields);
			else if (part.wire === wire.bytes) {
				if (parts.has(part.number)) throw this.#wrong("", "occur twice");
				parts.set(part.number, await this.tensor(part));
			}
		}
		const values = parts.get(sparse.values);
		const indices = parts.get(sparse.indices);
		if (!values || !indices) throw this.#fields.broken();
		const places = indices.count / values.count;
		const fits =
			values.count === 0
				? indices.count === 0
				: Number.isInteger(places) && places <= Math.max(1, shape.rank);
		if (!fits || !indexTypes.has(indices.type) || values.count > shape.count)
			throw this.#wrong(values.name, "do not fit their indices and shape");
		this.#denseBytes += shape.count * ((values.element.bits || 8) / 8);
		if (!(this.#denseBytes <= denseBytesMax))
			throw this.#wrong(values.name, "would be larger than 2 GB in dense form");
	}

	/** Reads everything but the values. */
	async #read(field: Field): Promise<Tensor> {
		let type = 0;
		let name = "";
		const shape = new TensorShape();
		const entries = new Map<string, string>();
		let location = 0;
		for await (const part of this.#fields.walk(field.start, field.end)) {
			if (part.number === tensor.type) type = part.low;
			if (part.number === tensor.name && part.wire === wire.bytes)
				name = await this.#fields.text(part, nameBytesMax);
			if (part.number === tensor.dims) await shape.add(part, this.#fields);
			if (part.number === tensor.external && part.wire === wire.bytes)
				await this.#readEntry(part, entries);
			if (part.number === tensor.location) location = part.low;
			if (part.number === tensor.segment)
				throw this.#wrong(name, "are split into segments");
		}
		const externalBytes =
			location === 0 && entries.size === 0
				? undefined
				: this.#externalBytes(location, entries);
		const element = elementTypes[type];
		if (!element)
			throw this.#wrong(name, `are of type ${type}, which is not supported`);
		if (!shape.isValid) throw this.#wrong(name, "have an impossible shape");
		return { name, type, element, count: shape.count, externalBytes };
	}

	async #readEntry(
		{ start, end }: Field,
		entries: Map<string, string>,
	): Promise<void> {
		const texts = { key: "", value: "" };
		for await (const part of this.#fields.walk(start, end))
			for (const name of ["key", "value"] as const)
				if (part.number === entry[name] && part.wire === wire.bytes)
					texts[name] = await this.#fields.text(part, nameBytesMax);
		if (entries.has(texts.key)) throw this.#wrong("", "have two places");
		entries.set(texts.key, texts.value);
	}

	/** Bytes of values in another file of the package, which must contain them all. */
	#externalBytes(location: number, entries: ReadonlyMap<string, string>) {
		const file = entries.get("location") ?? "";
		const size = this.#otherFiles.get(file);
		const numbers = ["offset", "length"].map((it) => entries.get(it) ?? "");
		const isPlain =
			location === externalLocation &&
			entries.size === 3 &&
			numbers.every((it) => externalNumber.test(it));
		if (size === undefined || !isPlain)
			throw new PackageError(
				`${this.#name} keeps its weights in another file: only graphs that contain their weights, or share those of another file of the package, are accepted`,
			);
		const [offset = 0, length = 0] = numbers.map(Number);
		if (offset + length > size)
			throw this.#wrong("", `are beyond the end of ${shown(file)}`);
		return length;
	}

	/** @returns how many bytes (raw) or values there are. */
	async #values(
		field: Field,
		{ name, type, element }: Tensor,
	): Promise<{ raw: boolean; size: number }> {
		let raw = false;
		let size = 0;
		for await (const part of this.#fields.walk(field.start, field.end)) {
			if (!valueFields.has(part.number)) continue;
			const isRaw = part.number === tensor.raw;
			if (isRaw && part.wire !== wire.bytes) continue;
			if (
				(isRaw && type === stringType) ||
				(!isRaw && part.number !== element.own) ||
				(isRaw ? raw || size > 0 : raw)
			)
				throw this.#wrong(
					name,
					"occur twice, or not in the field of their type",
				);
			const { count, hasNaN } = isRaw
				? await this.#fixed(part, type, 1)
				: await this.#own(part, type, element.own);
			if (hasNaN)
				throw new PackageError(
					`${this.#name}: its weights ${shown(name)} contain NaN: the file is damaged, or its training failed`,
				);
			raw ||= isRaw;
			size += count;
		}
		return { raw, size };
	}

	/** Values in the field of their type: packed, or one field per value. */
	async #own(part: Field, type: number, own: number): Promise<Counted> {
		if (own === tensor.strings) return { count: 1, hasNaN: false };
		const bytes = fixedBytes[own];
		if (part.wire === wire.bytes)
			return bytes === undefined
				? this.#varints(part, type)
				: this.#fixed(part, type, bytes);
		const { low, high } =
			part.wire === wire.varint
				? { low: part.low, high: 0 }
				: await this.#fields.fixed(part);
		return { count: 1, hasNaN: isNaNBits(type, low, high) };
	}

	async #fixed(part: Field, type: number, bytes: number): Promise<Counted> {
		const count = (part.end - part.start) / bytes;
		return { count, hasNaN: await containsNaN(this.#file, part, type) };
	}

	/** Half-precision values are written as integers with the same bits. */
	async #varints(part: Field, type: number): Promise<Counted> {
		let hasNaN = false;
		const count = await this.#fields.varints(part, (_, low) => {
			if (isNaNBits(type, low, 0)) hasNaN = true;
		});
		return { count, hasNaN };
	}

	#wrong(name: string, what: string): PackageError {
		return new PackageError(
			`${this.#name}: its weights ${shown(name)} ${what}`,
		);
	}
}

interface Counted {
	readonly count: number;
	readonly hasNaN: boolean;
}

export function shown(text: string): string {
	return JSON.stringify(text.slice(0, 100));
}
