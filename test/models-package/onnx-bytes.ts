/** ONNX messages as bytes, in the encodings of other programs, and invalid ones. Field numbers are those of onnx.proto. */
import { encode } from "../../runtime/models/convert/onnx-messages.js";

/** A field of bytes, as protobuf writes it. */
export function field(
	number: number,
	...contents: (Uint8Array | string)[]
): Buffer {
	const body = Buffer.concat(contents.map((it) => Buffer.from(it)));
	return Buffer.concat([varint(number * 8 + 2), varint(body.length), body]);
}

/** A number, as protobuf writes it. */
export function int(number: number, value: number | bigint): Buffer {
	return Buffer.concat([varint(number * 8), varint(value)]);
}

export function varint(value: number | bigint): Buffer {
	const bytes: number[] = [];
	let rest = BigInt.asUintN(64, BigInt(value));
	for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) + 128);
	return Buffer.from([...bytes, Number(rest)]);
}

export const float32 = (...values: number[]): Buffer =>
	Buffer.from(new Float32Array(values).buffer);

/** A TensorProto of two floats, or with the given contents. */
export function tensor(fields: object = {}): Buffer {
	return Buffer.from(
		encode("TensorProto", {
			name: "w",
			dataType: 1,
			dims: [2],
			rawData: float32(1, 2),
			...fields,
		}),
	);
}

/** A GraphProto with one node. */
export function graphOf(operator: string, ...attributes: Buffer[]): Buffer {
	return field(
		1,
		field(4, operator),
		...attributes.map((attribute) => field(5, attribute)),
	);
}

/** The fields that every model has. */
export function modelOf(...parts: Buffer[]): Buffer {
	const head = encode("ModelProto", {
		irVersion: 10,
		opsetImport: [{ domain: "", version: 21 }],
		graph: { name: "g" },
	});
	return Buffer.concat([head, ...parts]);
}
