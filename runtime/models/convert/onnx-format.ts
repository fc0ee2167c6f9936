/** The parts of an ONNX graph that ours use. onnx-file.ts writes them; numbers are those of onnx.proto. */
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

const elementWidths: Record<ElementType, number> = {
	float32: 4,
	uint8: 1,
	int8: 1,
	int32: 4,
	int64: 8,
	bool: 1,
	float16: 2,
};

/** A constant of the graph; its bytes are computed when it is written. */
export type Initializer = {
	readonly name: string;
	readonly type: ElementType;
	readonly dims: readonly number[];
	/** Little-endian, row-major, exactly as many as type and dims require. */
	readonly bytes: () => Uint8Array;
	/** Where the bytes are, if they are in another file of the package. */
	readonly place?: BytesPlace;
};

export type BytesPlace = {
	readonly file: string;
	readonly offset: number;
};

export type AttributeValue =
	| number
	| string
	| readonly number[]
	| { readonly float: number }
	| { readonly tensor: Initializer };

export type GraphNode = {
	readonly op: string;
	readonly domain: string;
	readonly inputs: readonly string[];
	readonly outputs: readonly string[];
	readonly attributes: Readonly<Record<string, AttributeValue>>;
};

/** A named graph, for nodes of our own domain: a runtime without a kernel of that name computes its nodes instead. */
export type GraphFunction = {
	readonly name: string;
	readonly inputs: readonly string[];
	readonly outputs: readonly string[];
	readonly nodes: readonly GraphNode[];
};

/** A dimension is a number, or a name if it is dynamic. */
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
	readonly functions: readonly GraphFunction[];
	/** The file's `metadata_props`. */
	readonly metadata?: Readonly<Record<string, string>>;
};

/** Domain of our functions. */
export const ownDomain = "earshot";

export function byteLength({ dims, type }: Initializer): number {
	return dims.reduce((size, dim) => size * dim, elementWidths[type]);
}
