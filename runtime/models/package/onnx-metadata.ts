/** The metadata of an ONNX file: `metadata_props` of onnx.proto's ModelProto. */
import { open } from "node:fs/promises";
import { PackageError } from "./model-package.js";
import { type Field, OnnxFields, wire } from "./onnx-fields.js";

const metadataField = 14;
const entryBytesMax = 1024 * 1024;
const entriesMax = 1000;

/** @throws PackageError when it is not an ONNX file */
export async function readOnnxMetadata(
	path: string,
): Promise<ReadonlyMap<string, string>> {
	const file = await open(path, "r");
	try {
		const { size } = await file.stat();
		const fields = new OnnxFields(file, path);
		const entries = new Map<string, string>();
		for await (const field of fields.walk(0, size)) {
			if (field.number !== metadataField || field.wire !== wire.bytes) continue;
			if (entries.size === entriesMax)
				throw new PackageError(`${path}: its metadata is too large`);
			const [key, value] = await entryOf(fields, field);
			entries.set(key, value);
		}
		return entries;
	} finally {
		await file.close();
	}
}

/** StringStringEntryProto: key is field 1, value field 2. */
async function entryOf(
	fields: OnnxFields,
	{ start, end }: Field,
): Promise<[key: string, value: string]> {
	const texts = ["", "", ""];
	for await (const field of fields.walk(start, end))
		if (field.wire === wire.bytes && field.number < texts.length)
			texts[field.number] = await fields.text(field, entryBytesMax);
	return [texts[1] as string, texts[2] as string];
}
