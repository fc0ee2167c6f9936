/**
 * The few ONNX messages that our graphs need, as protobuf descriptors, and a writer that streams: weights never lie in memory all at once.
 * Numbers are those of onnx.proto (IR version 10). Written deterministically: equal input, equal bytes.
 */
import protobuf from "protobufjs";

export const elementTypes = {
	float32: 1,
	uint8: 2,
	int8: 3,
	int32: 6,
	int64: 7,
	bool: 9,
	float16: 10,
} as const;

export type ElementType = keyof typeof elementTypes;

export const elementWidths: Record<ElementType, number> = {
	float32: 4,
	uint8: 1,
	int8: 1,
	int32: 4,
	int64: 8,
	bool: 1,
	float16: 2,
};

/** A constant of the graph; its bytes are made when they are written. */
export type Initializer = {
	readonly name: string;
	readonly type: ElementType;
	readonly dims: readonly number[];
	/** Little-endian, row-major, exactly the length that type and dims ask for. */
	readonly bytes: () => Uint8Array;
};

export type AttributeValue =
	| number
	| string
	| readonly number[]
	| { readonly float: number };

export type GraphNode = {
	readonly op: string;
	readonly domain: string;
	readonly inputs: readonly string[];
	readonly outputs: readonly string[];
	readonly attributes: Readonly<Record<string, AttributeValue>>;
};

/** A dimension is a number or the name of one that varies. */
export type GraphValue = {
	readonly name: string;
	readonly type: ElementType;
	readonly dims: readonly (number | string)[];
};

export type Graph = {
	readonly name: string;
	readonly inputs: readonly GraphValue[];
	readonly outputs: readonly GraphValue[];
	readonly nodes: readonly GraphNode[];
	readonly initializers: readonly Initializer[];
	/** What the file says of itself. */
	readonly metadata?: Readonly<Record<string, string>>;
};

const irVersion = 10;
export const opsetVersion = 21;

type FieldRow = [id: number, type: string, rule?: "repeated"];

const messages: Record<string, Record<string, FieldRow>> = {
	ModelProto: {
		irVersion: [1, "int64"],
		opsetImport: [8, "OperatorSetIdProto", "repeated"],
		producerName: [2, "string"],
		graph: [7, "GraphProto"],
		metadataProps: [14, "StringStringEntryProto", "repeated"],
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
		ints: [8, "int64", "repeated"],
	},
	TensorProto: {
		dims: [1, "int64", "repeated"],
		dataType: [2, "int32"],
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

const attributeTypes = { float: 1, int: 2, string: 3, ints: 7 } as const;

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

function encode(message: string, value: object): Uint8Array {
	return root.lookupType(message).encode(value).finish();
}

const lengthDelimited = 2;

/** Tag and length in front of a length-delimited field's bytes. */
function fieldHead(message: string, field: string, bytes: number): Uint8Array {
	const id = messages[message]?.[field]?.[0] as number;
	const writer = protobuf.Writer.create();
	return writer
		.uint32((id << 3) | lengthDelimited)
		.uint32(bytes)
		.finish();
}

/** A piece of the model's file, or of the file beside it that holds the weights of a large model. */
export type Piece = {
	readonly file: "model" | "weights";
	readonly bytes: Uint8Array;
	/** Bytes of weights in it, for a progress bar. */
	readonly weightBytes: number;
};

/**
 * The model's bytes in order, piece by piece.
 * @param weightsFile name of a file for the weights: a model of more than 2 GiB is no valid protobuf.
 */
export function* modelPieces(
	graph: Graph,
	weightsFile?: string,
): Generator<Piece> {
	const tensors = tensorHeads(graph.initializers, weightsFile);
	const skeleton = encode("GraphProto", graphSkeleton(graph));
	let graphBytes = skeleton.length;
	for (const { lead, head, inlineBytes } of tensors)
		graphBytes += lead.length + head.length + inlineBytes;
	const metadataProps = Object.entries(graph.metadata ?? {}).map(
		([key, value]) => ({ key, value }),
	);
	yield modelPiece(encode("ModelProto", { ...modelHead, metadataProps }));
	yield modelPiece(fieldHead("ModelProto", "graph", graphBytes));
	yield modelPiece(skeleton);
	for (const { initializer, lead, head, inlineBytes } of tensors) {
		yield modelPiece(lead);
		yield modelPiece(head);
		const bytes = checkedBytes(initializer);
		const weightBytes = bytes.length;
		if (inlineBytes > 0) yield { file: "model", bytes, weightBytes };
		else yield { file: "weights", bytes: padded(bytes), weightBytes };
	}
}

function modelPiece(bytes: Uint8Array): Piece {
	return { file: "model", bytes, weightBytes: 0 };
}

const modelHead = {
	irVersion,
	producerName: "earshot",
	opsetImport: [
		{ domain: "", version: opsetVersion },
		{ domain: "com.microsoft", version: 1 },
	],
};

/** Bytes of the weights; above 2 GiB they can't be inside the model's file. */
export function weightBytes(graph: Graph): number {
	return graph.initializers.reduce((sum, one) => sum + byteLength(one), 0);
}

function byteLength({ dims, type }: Initializer): number {
	return dims.reduce((size, dim) => size * dim, elementWidths[type]);
}

function checkedBytes(initializer: Initializer): Uint8Array {
	const bytes = initializer.bytes();
	if (bytes.length !== byteLength(initializer))
		throw new Error(
			`${initializer.name}: ${bytes.length} bytes for [${initializer.dims}]`,
		);
	return bytes;
}

const externalAlignment = 64;
const externalLocation = 1;
/** Small constants (shapes, axes) stay inline: shape inference wants to see them. */
const externalBytesMin = 1024;

function padded(bytes: Uint8Array): Uint8Array {
	const out = new Uint8Array(aligned(bytes.length));
	out.set(bytes);
	return out;
}

function aligned(length: number): number {
	return Math.ceil(length / externalAlignment) * externalAlignment;
}

/** Each tensor's message up to its raw bytes, which follow as the last field. */
function tensorHeads(initializers: readonly Initializer[], file?: string) {
	let offset = 0;
	return initializers.map((initializer) => {
		const length = byteLength(initializer);
		const isInline = !file || length < externalBytesMin;
		const head = isInline
			? inlineHead(initializer, length)
			: externalHead(initializer, file, offset, length);
		if (!isInline) offset += aligned(length);
		const inlineBytes = isInline ? length : 0;
		const total = head.length + inlineBytes;
		const lead = fieldHead("GraphProto", "initializer", total);
		return { initializer, lead, head, inlineBytes };
	});
}

function inlineHead(initializer: Initializer, length: number): Uint8Array {
	return Buffer.concat([
		encode("TensorProto", tensorMessage(initializer)),
		fieldHead("TensorProto", "rawData", length),
	]);
}

function externalHead(
	initializer: Initializer,
	location: string,
	offset: number,
	length: number,
): Uint8Array {
	const entries = Object.entries({ location, offset, length });
	return encode("TensorProto", {
		...tensorMessage(initializer),
		externalData: entries.map(([key, value]) => ({ key, value: `${value}` })),
		dataLocation: externalLocation,
	});
}

function tensorMessage({ name, type, dims }: Initializer): object {
	return { name, dataType: elementTypes[type], dims };
}

function graphSkeleton(graph: Graph): object {
	return {
		name: graph.name,
		node: graph.nodes.map((node, index) => ({
			input: node.inputs,
			output: node.outputs,
			name: `${node.op}_${index}`,
			opType: node.op,
			domain: node.domain,
			attribute: Object.entries(node.attributes).map(attributeMessage),
		})),
		input: graph.inputs.map(valueMessage),
		output: graph.outputs.map(valueMessage),
	};
}

function attributeMessage([name, value]: [string, AttributeValue]): object {
	if (typeof value === "number")
		return { name, type: attributeTypes.int, i: value };
	if (typeof value === "string")
		return { name, type: attributeTypes.string, s: Buffer.from(value) };
	if ("float" in value)
		return { name, type: attributeTypes.float, f: value.float };
	return { name, type: attributeTypes.ints, ints: value };
}

function valueMessage({ name, type, dims }: GraphValue): object {
	const dim = dims.map((one) =>
		typeof one === "number" ? { dimValue: one } : { dimParam: one },
	);
	const elemType = elementTypes[type];
	return { name, type: { tensorType: { elemType, shape: { dim } } } };
}
