/**
 * Where the values of a graph's constants are in its file. Graphs that have constants in common, as a scorer has its decoder's weights, hold them once by that.
 */
import { open } from "node:fs/promises";
import type { StoredConstant } from "../inference-port.js";
import {
	type Field,
	nameBytesMax,
	OnnxFields,
	tensorFields,
	wire,
} from "./onnx-fields.js";

const graphField = 7;
const initializerField = 5;

/**
 * @param path of an .onnx file. @param bytesMin smaller constants are left out, and those whose values are not in the file as they are in memory.
 * @throws PackageError when it is no ONNX file
 */
export async function storedConstants(
	path: string,
	bytesMin: number,
): Promise<StoredConstant[]> {
	const found: StoredConstant[] = [];
	const file = await open(path, "r");
	try {
		const fields = new OnnxFields(file, path);
		const { size } = await file.stat();
		for await (const model of fields.walk(0, size)) {
			if (model.number !== graphField) continue;
			for await (const part of fields.walk(model.start, model.end)) {
				if (part.number !== initializerField) continue;
				const one = await storedConstant(fields, part);
				if (one.bytes >= bytesMin) found.push(one);
			}
		}
	} finally {
		await file.close();
	}
	return found;
}

async function storedConstant(
	fields: OnnxFields,
	tensor: Field,
): Promise<StoredConstant> {
	let name = "";
	let type = 0;
	let offset = 0;
	let bytes = 0;
	const dims: number[] = [];
	for await (const it of fields.walk(tensor.start, tensor.end)) {
		if (it.number === tensorFields.name)
			name = await fields.text(it, nameBytesMax);
		if (it.number === tensorFields.type) type = it.value;
		if (it.number === tensorFields.dims && it.wire === wire.varint)
			dims.push(it.value);
		if (it.number === tensorFields.dims && it.wire === wire.bytes)
			await fields.varints(it, (dim) => dims.push(dim));
		if (it.number === tensorFields.raw) {
			offset = it.start;
			bytes = it.end - it.start;
		}
	}
	return { name, type, dims, offset, bytes };
}
