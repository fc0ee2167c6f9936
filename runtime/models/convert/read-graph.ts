/** Reads the graph of an ONNX file that somebody else exported: its nodes, and the values of its constants. */

import { elementCount } from "../inference-port.js";
import { elementTypes } from "./onnx-format.js";
import { decode } from "./onnx-messages.js";

export interface ReadNode {
	readonly op: string;
	readonly inputs: readonly string[];
	readonly outputs: readonly string[];
}

export interface Constant {
	readonly dims: readonly number[];
	/** Whatever type they are stored in. */
	readonly values: Float32Array;
}

interface ModelMessage {
	readonly graph?: {
		readonly node: readonly {
			readonly opType?: string;
			readonly input: readonly string[];
			readonly output: readonly string[];
		}[];
		readonly initializer: readonly TensorMessage[];
	};
	readonly metadataProps: readonly { readonly key: string; value: string }[];
}

interface TensorMessage {
	readonly name: string;
	readonly dims: readonly number[];
	readonly dataType: number;
	/** One of them has the values. */
	readonly rawData?: Uint8Array;
	readonly floatData: readonly number[];
	readonly int32Data: readonly number[];
}

/** Types of constants that are read. */
const arrays = new Map<number, (bytes: ArrayBuffer) => ArrayLike<number>>([
	[elementTypes.float32, (bytes) => new Float32Array(bytes)],
	[elementTypes.uint8, (bytes) => new Uint8Array(bytes)],
	[elementTypes.int8, (bytes) => new Int8Array(bytes)],
]);

export class ExportedGraph {
	readonly nodes: readonly ReadNode[];
	readonly metadata: ReadonlyMap<string, string>;
	readonly #constants = new Map<string, TensorMessage>();
	readonly #producers = new Map<string, ReadNode>();
	readonly #users = new Map<string, ReadNode[]>();

	/** @throws when the bytes are not an ONNX file */
	constructor(bytes: Uint8Array) {
		const { graph, metadataProps } = decode(
			"ModelProto",
			bytes,
		) as ModelMessage;
		this.metadata = new Map(metadataProps.map((it) => [it.key, it.value]));
		this.nodes = (graph?.node ?? []).map(({ opType = "", input, output }) => ({
			op: opType,
			inputs: input,
			outputs: output,
		}));
		for (const it of graph?.initializer ?? []) this.#constants.set(it.name, it);
		for (const node of this.nodes) {
			for (const output of node.outputs) this.#producers.set(output, node);
			for (const input of node.inputs) {
				const users = this.#users.get(input);
				if (users) users.push(node);
				else this.#users.set(input, [node]);
			}
		}
	}

	/** The node whose output the tensor is. */
	producerOf(tensor: string): ReadNode | undefined {
		return this.#producers.get(tensor);
	}

	usersOf(tensor: string): readonly ReadNode[] {
		return this.#users.get(tensor) ?? [];
	}

	/** Of a constant. */
	dims(tensor: string): readonly number[] | undefined {
		return this.#constants.get(tensor)?.dims;
	}

	/** @returns undefined where the tensor is no constant, or is not stored in the file as floats or bytes. */
	constant(tensor: string): Constant | undefined {
		const found = this.#constants.get(tensor);
		const read = arrays.get(found?.dataType ?? 0);
		if (!found || !read) return undefined;
		const { dims, rawData, floatData, int32Data } = found;
		const stored = rawData?.length
			? read(Uint8Array.from(rawData).buffer)
			: [...floatData, ...int32Data];
		const values = Float32Array.from(stored);
		return values.length === elementCount(dims) ? { dims, values } : undefined;
	}
}
