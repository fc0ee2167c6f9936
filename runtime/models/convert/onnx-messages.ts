/**
 * The few ONNX messages that our graphs need: their protobuf descriptors and contents. Field numbers are those of onnx.proto (IR version 10).
 */
import protobuf from "protobufjs";
import {
	type AttributeValue,
	byteLength,
	elementTypes,
	type Graph,
	type GraphFunction,
	type GraphNode,
	type GraphValue,
	type Initializer,
	ownDomain,
} from "./onnx-format.js";

const irVersion = 10;
const opsetVersion = 21;

type FieldRow = [id: number, type: string, rule?: "repeated"];

const messages: Record<string, Record<string, FieldRow>> = {
	ModelProto: {
		irVersion: [1, "int64"],
		opsetImport: [8, "OperatorSetIdProto", "repeated"],
		producerName: [2, "string"],
		graph: [7, "GraphProto"],
		metadataProps: [14, "StringStringEntryProto", "repeated"],
		functions: [25, "FunctionProto", "repeated"],
	},
	FunctionProto: {
		name: [1, "string"],
		input: [4, "string", "repeated"],
		output: [5, "string", "repeated"],
		node: [7, "NodeProto", "repeated"],
		opsetImport: [9, "OperatorSetIdProto", "repeated"],
		domain: [10, "string"],
	},
	OperatorSetIdProto: { domain: [1, "string"], version: [2, "int64"] },
	GraphProto: {
		node: [1, "NodeProto", "repeated"],
		name: [2, "string"],
		initializer: [5, "TensorProto", "repeated"],
		input: [11, "ValueInfoProto", "repeated"],
		output: [12, "ValueInfoProto", "repeated"],
	},
	NodeProto: {
		input: [1, "string", "repeated"],
		output: [2, "string", "repeated"],
		name: [3, "string"],
		opType: [4, "string"],
		domain: [7, "string"],
		attribute: [5, "AttributeProto", "repeated"],
	},
	AttributeProto: {
		name: [1, "string"],
		type: [20, "int32"],
		f: [2, "float"],
		i: [3, "int64"],
		s: [4, "bytes"],
		t: [5, "TensorProto"],
		ints: [8, "int64", "repeated"],
	},
	TensorProto: {
		dims: [1, "int64", "repeated"],
		dataType: [2, "int32"],
		floatData: [4, "float", "repeated"],
		int32Data: [5, "int32", "repeated"],
		name: [8, "string"],
		rawData: [9, "bytes"],
		externalData: [13, "StringStringEntryProto", "repeated"],
		dataLocation: [14, "int32"],
	},
	StringStringEntryProto: { key: [1, "string"], value: [2, "string"] },
	ValueInfoProto: { name: [1, "string"], type: [2, "TypeProto"] },
	TypeProto: { tensorType: [1, "TensorTypeProto"] },
	TensorTypeProto: { elemType: [1, "int32"], shape: [2, "TensorShapeProto"] },
	TensorShapeProto: { dim: [1, "DimensionProto", "repeated"] },
	DimensionProto: { dimValue: [1, "int64"], dimParam: [2, "string"] },
};

const attributeTypes = {
	float: 1,
	int: 2,
	string: 3,
	tensor: 4,
	ints: 7,
} as const;

const root = protobuf.Root.fromJSON({
	nested: Object.fromEntries(
		Object.entries(messages).map(([name, fields]) => [
			name,
			{
				fields: Object.fromEntries(
					Object.entries(fields).map(([field, [id, type, rule]]) => [
						field,
						rule ? { id, type, rule } : { id, type },
					]),
				),
			},
		]),
	),
});

export function encode(message: string, value: object): Uint8Array {
	return root.lookupType(message).encode(value).finish();
}

/** Fields that are not declared here are left out; numbers are numbers. @throws when the bytes are not such a message */
export function decode(message: string, bytes: Uint8Array): object {
	const type = root.lookupType(message);
	return type.toObject(type.decode(bytes), { longs: Number, arrays: true });
}

const lengthDelimited = 2;

/** Tag and length in front of a length-delimited field's bytes. */
export function fieldHead(
	message: string,
	field: string,
	bytes: number,
): Uint8Array {
	const id = messages[message]?.[field]?.[0] as number;
	const writer = protobuf.Writer.create();
	return writer
		.uint32((id << 3) | lengthDelimited)
		.uint32(bytes)
		.finish();
}

/** A model without its graph. */
export function modelMessage({ functions, metadata = {} }: Graph): object {
	return {
		irVersion,
		producerName: "earshot",
		opsetImport:
			functions.length > 0 ? [...standardSets, ownSet] : standardSets,
		metadataProps: Object.entries(metadata).map(([key, value]) => ({
			key,
			value,
		})),
		functions: functions.map(functionMessage),
	};
}

const standardSets = [
	{ domain: "", version: opsetVersion },
	{ domain: "com.microsoft", version: 1 },
];
const ownSet = { domain: ownDomain, version: 1 };

export function tensorMessage({ name, type, dims }: Initializer): object {
	return { name, dataType: elementTypes[type], dims };
}

/** A graph without its weights. */
export function graphMessage(graph: Graph): object {
	return {
		name: graph.name,
		node: graph.nodes.map(nodeMessage),
		input: graph.inputs.map(valueMessage),
		output: graph.outputs.map(valueMessage),
	};
}

function functionMessage({
	name,
	inputs,
	outputs,
	nodes,
}: GraphFunction): object {
	return {
		name,
		domain: ownDomain,
		input: inputs,
		output: outputs,
		node: nodes.map(nodeMessage),
		opsetImport: standardSets,
	};
}

function nodeMessage(node: GraphNode, index: number): object {
	return {
		input: node.inputs,
		output: node.outputs,
		name: `${node.op}_${index}`,
		opType: node.op,
		domain: node.domain,
		attribute: Object.entries(node.attributes).map(attributeMessage),
	};
}

function attributeMessage([name, value]: [string, AttributeValue]): object {
	if (typeof value === "number")
		return { name, type: attributeTypes.int, i: value };
	if (typeof value === "string")
		return { name, type: attributeTypes.string, s: Buffer.from(value) };
	if ("float" in value)
		return { name, type: attributeTypes.float, f: value.float };
	if ("tensor" in value) {
		const rawData = checkedBytes(value.tensor);
		const t = { ...tensorMessage(value.tensor), rawData };
		return { name, type: attributeTypes.tensor, t };
	}
	return { name, type: attributeTypes.ints, ints: value };
}

function valueMessage({ name, type, dims }: GraphValue): object {
	const dim = dims.map((one) =>
		typeof one === "number" ? { dimValue: one } : { dimParam: one },
	);
	const elemType = elementTypes[type];
	return { name, type: { tensorType: { elemType, shape: { dim } } } };
}

/** @throws when their number does not match the shape. */
export function checkedBytes(initializer: Initializer): Uint8Array {
	const bytes = initializer.bytes();
	if (bytes.length !== byteLength(initializer))
		throw new Error(
			`${initializer.name}: ${bytes.length} bytes for [${initializer.dims}]`,
		);
	return bytes;
}
