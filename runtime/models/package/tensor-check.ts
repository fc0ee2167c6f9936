/**
 * Checks the constants of a graph before anything allocates memory for them: their values are inside the file, match the shape in number,
 * and are not NaN. Field numbers are those of onnx.proto (IR version 10).
 *
 * INVARIANT: nothing is allocated according to a shape in the file.
 */
import type { FileHandle } from "node:fs/promises";
import {
	type ExternalPlace,
	ExternalWeights,
	type OtherFiles,
} from "./external-weights.js";
import { containsNaN, isNaNBits } from "./float-check.js";
import type { PackageError } from "./model-package.js";
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
import { notNumbers, wrongWeights } from "./weights-error.js";

const sparse = { values: 1, indices: 2, dims: 3 } as const;

/** Total size of a file's sparse tensors in dense form, into which ONNX Runtime converts them on loading. */
const denseBytesMax = 2 ** 31;

interface Tensor {
	/** Absent where the values are in this file. */
	readonly external?: ExternalPlace | undefined;
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
	readonly #external: ExternalWeights;
	#denseBytes = 0;

	/**
	 * @param name of the file, for messages.
	 * @param otherFiles that the graph may read weights from.
	 */
	constructor(
		file: FileHandle,
		fields: OnnxFields,
		name: string,
		otherFiles: OtherFiles,
	) {
		this.#file = file;
		this.#fields = fields;
		this.#name = name;
		this.#external = new ExternalWeights(fields, name, otherFiles);
	}

	/** A TensorProto. @throws PackageError */
	async tensor(field: Field): Promise<Tensor> {
		const read = await this.#read(field);
		const found = await this.#values(field, read);
		const { bits } = read.element;
		const pairs = bits === 4 ? Math.ceil(read.count / 2) : read.count;
		if (read.external) {
			const { start, end } = read.external;
			if (found.size > 0 || end - start !== Math.ceil((read.count * bits) / 8))
				throw this.#wrong(read.name, "do not fit their place in another file");
			await this.#external.check(read.name, read.type, read.external);
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
				await this.#external.readEntry(part, entries);
			if (part.number === tensor.location) location = part.low;
			if (part.number === tensor.segment)
				throw this.#wrong(name, "are split into segments");
		}
		const external =
			location === 0 && entries.size === 0
				? undefined
				: this.#external.placeOf(location, entries);
		const element = elementTypes[type];
		if (!element)
			throw this.#wrong(name, `are of type ${type}, which is not supported`);
		if (!shape.isValid) throw this.#wrong(name, "have an impossible shape");
		return { name, type, element, count: shape.count, external };
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
			if (hasNaN) throw this.#wrong(name, notNumbers);
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

	#wrong(weights: string, what: string): PackageError {
		return wrongWeights(this.#name, weights, what);
	}
}

interface Counted {
	readonly count: number;
	readonly hasNaN: boolean;
}
