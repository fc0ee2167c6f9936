/** Tables of ONNX Runtime's own format by their fields: what the runtime copies for each place that leads there (onnxruntime/core/flatbuffers/schema/ort.fbs). */

/** Bytes of a value of a vector of numbers; a table by its name, or a list of them. */
export type OrtField =
	| "text"
	| "texts"
	| 4
	| 8
	| 12
	| { readonly table: OrtTable }
	| { readonly tables: OrtTable };

export type OrtTable =
	| "session"
	| "model"
	| "operatorSet"
	| "property"
	| "graph"
	| "tensor"
	| "node"
	| "attribute"
	| "edges"
	| "value"
	| "type"
	| "tensorType"
	| "sequenceType"
	| "mapType"
	| "shape"
	| "dimension"
	| "size"
	| "kernels"
	| "kernel"
	| "kernelArguments"
	| "argument"
	| "optimizations"
	| "optimizer"
	| "optimization"
	| "optimizedNodes";

/** Without the fields that ort-check.ts reads by itself, and plain numbers. */
export const ortSchema: Readonly<
	Record<OrtTable, Readonly<Record<number, OrtField>>>
> = {
	session: { 0: "text", 1: { table: "model" }, 3: { table: "kernels" } },
	model: {
		1: { tables: "operatorSet" },
		2: "text",
		3: "text",
		4: "text",
		6: "text",
		7: { table: "graph" },
		8: "text",
		9: { tables: "property" },
	},
	operatorSet: { 0: "text" },
	property: { 0: "text", 1: "text" },
	graph: {
		0: { tables: "tensor" },
		1: { tables: "value" },
		2: { tables: "node" },
		4: { tables: "edges" },
		5: "texts",
		6: "texts",
		8: { table: "optimizations" },
	},
	tensor: { 1: "text" },
	node: {
		0: "text",
		1: "text",
		7: "text",
		8: "texts",
		9: "texts",
		10: { tables: "attribute" },
		11: 4,
		12: "texts",
	},
	attribute: {
		0: "text",
		1: "text",
		5: "text",
		6: { table: "tensor" },
		7: { table: "graph" },
		8: 4,
		9: 8,
		10: "texts",
		11: { tables: "tensor" },
		12: { tables: "graph" },
	},
	edges: { 1: 12, 2: 12 },
	value: { 0: "text", 1: "text", 2: { table: "type" } },
	type: { 0: "text" },
	tensorType: { 1: { table: "shape" } },
	sequenceType: { 0: { table: "type" } },
	mapType: { 1: { table: "type" } },
	shape: { 0: { tables: "dimension" } },
	dimension: { 0: { table: "size" }, 1: "text" },
	size: { 2: "text" },
	kernels: { 0: { tables: "kernel" } },
	kernel: { 0: "text", 1: { tables: "kernelArguments" } },
	kernelArguments: { 0: "text", 1: { tables: "argument" } },
	argument: {},
	optimizations: { 0: { tables: "optimizer" } },
	optimizer: { 0: "text", 1: { tables: "optimization" } },
	optimization: { 0: "text", 1: { table: "optimizedNodes" }, 3: "texts" },
	optimizedNodes: { 0: 4 },
};

/** Of a type's union, by the number before it. */
export const typeUnion = {
	kind: 1,
	value: 2,
	tables: { 1: "tensorType", 2: "sequenceType", 3: "mapType" } as Readonly<
		Record<number, OrtTable>
	>,
} as const;
