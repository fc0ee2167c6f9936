/**
 * The weights inside the graph that the Silero team publishes (versions 5 and 6): constants of the branch for 16 kHz, found by the ends of their
 * names. Only what they need of onnx.proto is read.
 */
import protobuf from "protobufjs";
import { badSource } from "../../../runtime/models/convert/weights.js";

/** Row-major. */
export interface PublishedTensor {
	readonly dims: readonly number[];
	readonly values: Float32Array;
}

/** Shapes as published, by the end of the constant's name. */
const publishedShapes = {
	"stft.forward_basis_buffer": [258, 1, 256],
	"encoder.0.reparam_conv.weight": [128, 129, 3],
	"encoder.0.reparam_conv.bias": [128],
	"encoder.1.reparam_conv.weight": [64, 128, 3],
	"encoder.1.reparam_conv.bias": [64],
	"encoder.2.reparam_conv.weight": [64, 64, 3],
	"encoder.2.reparam_conv.bias": [64],
	"encoder.3.reparam_conv.weight": [128, 64, 3],
	"encoder.3.reparam_conv.bias": [128],
	"decoder.rnn.weight_ih": [512, 128],
	"decoder.rnn.weight_hh": [512, 128],
	"decoder.rnn.bias_ih": [512],
	"decoder.rnn.bias_hh": [512],
	"decoder.decoder.2.weight": [1, 128, 1],
	"decoder.decoder.2.bias": [1],
} as const satisfies Record<string, readonly number[]>;

export type PublishedName = keyof typeof publishedShapes;
export type PublishedWeights = Readonly<Record<PublishedName, PublishedTensor>>;

type Tensor = { dims: number[]; dataType: number; rawData: Uint8Array };
type Node = {
	output: string[];
	attribute: { name: string; t?: Tensor; g?: Graph }[];
};
type Graph = { node: Node[] };

const float32 = 1;

const field = (id: number, type: string, rule?: "repeated") =>
	rule ? { id, type, rule } : { id, type };

const model = protobuf.Root.fromJSON({
	nested: {
		Model: { fields: { graph: field(7, "Graph") } },
		Graph: { fields: { node: field(1, "Node", "repeated") } },
		Node: {
			fields: {
				output: field(2, "string", "repeated"),
				attribute: field(5, "Attribute", "repeated"),
			},
		},
		Attribute: {
			fields: {
				name: field(1, "string"),
				t: field(5, "Tensor"),
				g: field(6, "Graph"),
			},
		},
		Tensor: {
			fields: {
				dims: field(1, "uint32", "repeated"),
				dataType: field(2, "int32"),
				rawData: field(9, "bytes"),
			},
		},
	},
}).lookupType("Model");

/** @param bytes of `silero_vad.onnx` as published. @throws SourceError when it is something else. */
export function readPublishedWeights(bytes: Uint8Array): PublishedWeights {
	const constants = new Map<string, Tensor>();
	collect(decode(bytes).graph ?? { node: [] }, constants);
	const found: Partial<Record<PublishedName, PublishedTensor>> = {};
	for (const name of Object.keys(publishedShapes) as PublishedName[])
		found[name] = floatsOf(name, constants);
	return found as PublishedWeights;
}

function decode(bytes: Uint8Array): { graph?: Graph } {
	try {
		return model.toObject(model.decode(bytes), { arrays: true });
	} catch {
		throw badSource("this is no ONNX model");
	}
}

/** Constants of the graph and of the branches inside it. */
function collect(graph: Graph, into: Map<string, Tensor>): void {
	for (const { output, attribute } of graph.node)
		for (const { name, t, g } of attribute) {
			if (g) collect(g, into);
			if (t && name === "value") into.set(output[0] ?? "", t);
		}
}

/** The one of that name and shape: the branch for 8 kHz has others. */
function floatsOf(
	name: PublishedName,
	constants: ReadonlyMap<string, Tensor>,
): PublishedTensor {
	const dims = publishedShapes[name];
	const isIt = ([full, it]: [string, Tensor]) =>
		full.includes("then_branch") &&
		full.endsWith(name) &&
		it.dataType === float32 &&
		it.dims.join() === dims.join();
	const tensor = [...constants].find(isIt)?.[1];
	const count = dims.reduce<number>((product, it) => product * it, 1);
	if (tensor?.rawData?.length !== 4 * count)
		throw badSource(
			`this is no Silero VAD 5 or 6: ${name} [${dims}] is missing`,
		);
	const copy = Uint8Array.from(tensor.rawData); // aligned
	return { dims, values: new Float32Array(copy.buffer) };
}
