/**
 * Reads a Hugging Face `model.safetensors`: u64 header length, a JSON header with each tensor's type, shape and byte range, then the data.
 * Its names and its separate q, k, v are mapped to those of weights.ts; the key projection has no bias, so zeros are used for it.
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

type Entry = {
	readonly type: keyof typeof elementBytes;
	readonly dims: readonly number[];
	readonly offset: number;
	readonly bytes: number;
};

const elementBytes = { F32: 4, F16: 2, BF16: 2 } as const;
const headerBytesMax = 16 * 1024 * 1024;
const lengthBytes = 8;
const rankMax = 8;

export class SafetensorsSource implements WeightSource {
	readonly #file: FileBytes;
	readonly description = "Hugging Face model.safetensors";
	readonly #entries = new Map<string, Entry>();

	private constructor(file: FileBytes) {
		this.#file = file;
	}

	/** @throws SourceError when the file is not a safetensors file, or is truncated. */
	static open(path: string): SafetensorsSource {
		const source = new SafetensorsSource(FileBytes.open(path));
		try {
			source.#readHeader();
			return source;
		} catch (error) {
			source.close();
			throw error;
		}
	}

	has(name: string): boolean {
		const parts = partsOf(name);
		return parts.length > 0 && parts.some((part) => this.#entries.has(part));
	}

	dims(name: string): readonly number[] {
		const parts = this.#present(name);
		const [rows = 0, ...rest] = parts[0]?.dims ?? [];
		return [rows * partsOf(name).length, ...rest];
	}

	read(name: string): Weight {
		const dims = this.dims(name);
		const values = new Float32Array(elementCount(dims));
		const size = values.length / partsOf(name).length;
		for (const [index, part] of partsOf(name).entries()) {
			const entry = this.#entries.get(part);
			if (!entry) continue; // a bias that the model lacks
			const widened = this.#widen(entry);
			if (widened.length !== size)
				throw badSource(
					`${this.#file.path}: ${part} has ${widened.length} values, expected ${size}`,
				);
			values.set(
				checkFinite(`${this.#file.path}: ${part}`, widened),
				index * size,
			);
		}
		return { dims, values };
	}

	close(): void {
		this.#file.close();
	}

	#present(name: string): Entry[] {
		const found: Entry[] = [];
		for (const part of partsOf(name)) {
			const entry = this.#entries.get(part);
			if (entry) found.push(entry);
			else if (!part.endsWith("k_proj.bias"))
				throw badSource(
					`${this.#file.path}: tensor ${part} is missing; is this a Whisper model in one file?`,
				);
		}
		if (found.length === 0)
			throw badSource(`${this.#file.path}: tensor ${name} is missing`);
		return found;
	}

	#widen({ type, offset, bytes }: Entry): Float32Array {
		const { buffer } = this.#file.read(offset, bytes);
		switch (type) {
			case "F32":
				return new Float32Array(buffer);
			case "F16":
				return widenHalf(new Uint16Array(buffer));
			case "BF16":
				return widenBrainFloat(new Uint16Array(buffer));
		}
	}

	#readHeader(): void {
		const { path } = this.#file;
		const length = this.#file.read(0, lengthBytes).readBigUInt64LE(0);
		if (length > headerBytesMax)
			throw badSource(
				`${path} is not a safetensors file: its header is too long`,
			);
		const text = this.#file.read(lengthBytes, Number(length)).toString("utf8");
		const dataStart = lengthBytes + Number(length);
		for (const [name, row] of Object.entries(parseHeader(path, text)))
			if (name !== "__metadata__")
				this.#entries.set(
					name.replace(/^model\./, ""),
					this.#checkedEntry(name, row, dataStart),
				);
	}

	#checkedEntry(name: string, row: unknown, dataStart: number): Entry {
		const { dtype, shape, data_offsets } = (row ?? {}) as HeaderRow;
		if (!isCounts(shape) || shape.length > rankMax || !isCounts(data_offsets))
			throw badSource(`${this.#file.path}: the entry of ${name} is damaged`);
		const [start = 0, end = 0] = data_offsets;
		const bytes = end - start;
		this.#file.checkRange(dataStart + start, bytes);
		const width = elementBytes[dtype as Entry["type"]];
		if (width === undefined)
			throw badSource(
				`${this.#file.path}: ${name} has type ${dtype}; supported are F32, F16 and BF16`,
			);
		if (bytes !== elementCount(shape) * width)
			throw badSource(
				`${this.#file.path}: ${name} [${shape}] can't be ${bytes} bytes; the file is damaged, fetch it again`,
			);
		const offset = dataStart + start;
		return { type: dtype as Entry["type"], dims: shape, offset, bytes };
	}
}

type HeaderRow = { dtype?: unknown; shape?: unknown; data_offsets?: unknown };

function parseHeader(path: string, text: string): Record<string, unknown> {
	try {
		const header: unknown = JSON.parse(text);
		if (header && typeof header === "object")
			return header as Record<string, unknown>;
	} catch {
		// reported below
	}
	throw badSource(`${path} is not a safetensors file: its header is not JSON`);
}

function isCounts(value: unknown): value is number[] {
	return (
		Array.isArray(value) &&
		value.every((one) => Number.isSafeInteger(one) && one >= 0)
	);
}

const layerParts: Readonly<Record<string, readonly string[]>> = {
	"self_attention/layer_norm": ["self_attn_layer_norm"],
	"self_attention/linear_0": [
		"self_attn.q_proj",
		"self_attn.k_proj",
		"self_attn.v_proj",
	],
	"self_attention/linear_1": ["self_attn.out_proj"],
	"attention/layer_norm": ["encoder_attn_layer_norm"],
	"attention/linear_0": ["encoder_attn.q_proj"],
	"attention/linear_1": ["encoder_attn.k_proj", "encoder_attn.v_proj"],
	"attention/linear_2": ["encoder_attn.out_proj"],
	"ffn/layer_norm": ["final_layer_norm"],
	"ffn/linear_0": ["fc1"],
	"ffn/linear_1": ["fc2"],
};

const otherParts: Readonly<Record<string, string>> = {
	"encoder/conv1": "encoder.conv1",
	"encoder/conv2": "encoder.conv2",
	"encoder/position_encodings": "encoder.embed_positions",
	"decoder/position_encodings": "decoder.embed_positions",
	"encoder/layer_norm": "encoder.layer_norm",
	"decoder/layer_norm": "decoder.layer_norm",
	"decoder/embeddings": "decoder.embed_tokens",
};

const kinds: Readonly<Record<string, string>> = {
	weight: "weight",
	gamma: "weight",
	encodings: "weight",
	bias: "bias",
	beta: "bias",
};

/** Hugging Face's names of the tensors whose concatenated rows are the named tensor; empty for an unknown name. */
function partsOf(name: string): string[] {
	const cut = name.lastIndexOf("/");
	const kind = kinds[name.slice(cut + 1)];
	const owner = name.slice(0, cut);
	const other = otherParts[owner];
	if (other) return [`${other}.${kind}`];
	const layer = /^(encoder|decoder)\/layer_(\d+)\/(.+)$/.exec(owner);
	const parts = layerParts[layer?.[3] ?? ""] ?? [];
	return parts.map(
		(part) => `${layer?.[1]}.layers.${layer?.[2]}.${part}.${kind}`,
	);
}
