/**
 * What an ONNX file says of itself (`metadata_props` of onnx.proto's ModelProto), read without reading its graph: the runtime's binding does not give it.
 * The file may come from anywhere: every length is checked against what is left of it before anything is read or allocated.
 */
import { type FileHandle, open } from "node:fs/promises";
import { PackageError } from "./model-package.js";

const metadataField = 14;
const entryBytesMax = 1024 * 1024;
const entriesMax = 1000;
/** Tag and length, each a varint. */
const headBytesMax = 20;
const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** @throws PackageError when it is no ONNX file */
export async function readOnnxMetadata(
	path: string,
): Promise<ReadonlyMap<string, string>> {
	const file = await open(path, "r");
	try {
		return await readEntries(file, (await file.stat()).size, path);
	} finally {
		await file.close();
	}
}

async function readEntries(
	file: FileHandle,
	size: number,
	path: string,
): Promise<Map<string, string>> {
	const entries = new Map<string, string>();
	const head = Buffer.alloc(headBytesMax);
	let at = 0;
	while (at < size) {
		const { bytesRead } = await file.read(head, 0, headBytesMax, at);
		const fields = new Fields(head.subarray(0, bytesRead), path);
		const { field, type } = fields.tag();
		const length = fields.lengthOf(type);
		const start = at + fields.at;
		if (length > size - start) throw notOnnx(path);
		if (field === metadataField && type === wire.bytes) {
			if (length > entryBytesMax || entries.size === entriesMax)
				throw new PackageError(`${path}: its metadata is too large`);
			const bytes = Buffer.alloc(length);
			await file.read(bytes, 0, length, start);
			const [key, value] = entryOf(bytes, path);
			entries.set(key, value);
		}
		at = start + length;
	}
	return entries;
}

/** StringStringEntryProto: key is field 1, value field 2. */
function entryOf(bytes: Buffer, path: string): [key: string, value: string] {
	const texts = ["", "", ""];
	const fields = new Fields(bytes, path);
	while (fields.at < bytes.length) {
		const { field, type } = fields.tag();
		const length = fields.lengthOf(type);
		const end = fields.at + length;
		if (end > bytes.length) throw notOnnx(path);
		if (type === wire.bytes && field < texts.length)
			texts[field] = bytes.toString("utf8", fields.at, end);
		fields.at = end;
	}
	return [texts[1] as string, texts[2] as string];
}

class Fields {
	at = 0;

	constructor(
		private readonly bytes: Buffer,
		private readonly path: string,
	) {}

	tag(): { field: number; type: number } {
		const tag = this.#varint();
		const field = Math.floor(tag / 8);
		if (field === 0) throw notOnnx(this.path);
		return { field, type: tag % 8 };
	}

	/** Of the field's contents; those of a varint are read here. */
	lengthOf(type: number): number {
		switch (type) {
			case wire.varint:
				this.#varint();
				return 0;
			case wire.fixed64:
				return 8;
			case wire.fixed32:
				return 4;
			case wire.bytes:
				return this.#varint();
			default:
				throw notOnnx(this.path);
		}
	}

	#varint(): number {
		let value = 0;
		for (let i = 0, scale = 1; i < 10; i++, scale *= 128) {
			const byte = this.bytes[this.at++];
			if (byte === undefined) throw notOnnx(this.path);
			value += (byte & 127) * scale;
			if (byte < 128) return value;
		}
		throw notOnnx(this.path);
	}
}

function notOnnx(path: string): PackageError {
	return new PackageError(`${path} is no ONNX file, or was cut off`);
}
