/**
 * The weights of a zipformer encoder in a graph that icefall exported. Biases, convolutions and scales have their names from training; a matrix is found by the
 * bias that is added to its product, and constants that the exporter has computed by where they are used. Matrices in 8 bits become floats.
 */
import type { Constant, ExportedGraph, ReadNode } from "../read-graph.js";
import { badSource } from "../weights.js";

export interface Matrix {
	readonly inputs: number;
	readonly outputs: number;
	/** [inputs, outputs] */
	readonly weights: Float32Array;
	readonly bias: Float32Array;
}

export interface Convolution {
	readonly weight: Constant;
	readonly bias: Float32Array;
}

export interface Norm {
	readonly bias: Float32Array;
	readonly scale: number;
}

export class ExportedWeights {
	readonly #graph: ExportedGraph;

	constructor(graph: ExportedGraph) {
		this.#graph = graph;
	}

	/** Numbers of the graph's metadata, one for each stack. */
	sizes(key: string): number[] {
		const text = this.#graph.metadata.get(key);
		const numbers = (text ?? "").split(",").map(Number);
		if (text === undefined || !numbers.every(Number.isInteger))
			throw missing(key);
		return numbers;
	}

	values(name: string): Float32Array {
		return this.#constant(name).values;
	}

	/** The layer whose bias is `<prefix>.bias`. */
	matrix(prefix: string): Matrix {
		const name = `${prefix}.bias`;
		const bias = this.values(name);
		const [sum] = this.#graph.usersOf(name);
		const product = sum?.inputs.find((it) => it !== name) ?? "";
		const { dims, values } = this.#factor(product, prefix);
		const [inputs = 0, outputs = 0] = dims;
		if (dims.length !== 2 || outputs !== bias.length) throw missing(prefix);
		return { inputs, outputs, weights: values, bias };
	}

	/** Projections of relative positions, one for each stack: [heads, 1, size, positions]. */
	positions(): Constant[] {
		const { nodes } = this.#graph;
		return nodes
			.filter(({ op }) => op === "MatMul" || op === "MatMulInteger")
			.filter(({ inputs }) => this.#graph.dims(inputs[1] ?? "")?.length === 4)
			.map((node) => this.#weightOf(node));
	}

	/** `<prefix>.weight`; its bias may have another name. */
	convolution(prefix: string): Convolution {
		const name = `${prefix}.weight`;
		const node = this.#convolutionNode(name);
		return {
			weight: this.#constant(name),
			bias: this.values(node.inputs[2] ?? ""),
		};
	}

	/** What the outputs of a convolution are multiplied by: [channels, frames]. */
	scaleAfter(prefix: string): Constant {
		const [product = ""] = this.#convolutionNode(`${prefix}.weight`).outputs;
		const [node] = this.#graph.usersOf(product);
		return this.#constant(node?.inputs.find((it) => it !== product) ?? "");
	}

	/** x / sqrt(mean((x - bias)²)) * scale */
	norm(prefix: string): Norm {
		const name = `${prefix}.bias`;
		const steps = ["Sub", "Pow", "ReduceMean", "Pow", "Mul"];
		let node: ReadNode | undefined;
		let tensor = name;
		for (const op of steps) {
			node = this.#graph.usersOf(tensor).find((it) => it.op === op);
			tensor = node?.outputs[0] ?? "";
		}
		const scales = node?.inputs.map((it) => this.#graph.constant(it));
		const [scale] = scales?.find((it) => it !== undefined)?.values ?? [];
		if (scale === undefined) throw missing(prefix);
		return { bias: this.values(name), scale };
	}

	/** Weights of frames that are joined, in the order of the graph: [factor] each. */
	joined(): Float32Array[] {
		return this.#graph.nodes.flatMap(({ op, inputs, outputs }) => {
			const [sum] = this.#graph.usersOf(outputs[0] ?? "");
			const factors = inputs[1] ?? "";
			const [, second, third, ...more] = this.#graph.dims(factors) ?? [];
			const isJoined =
				op === "Mul" &&
				sum?.op === "ReduceSum" &&
				second === 1 &&
				third === 1 &&
				more.length === 0;
			return isJoined ? [this.values(factors)] : [];
		});
	}

	#convolutionNode(weight: string): ReadNode {
		const node = this.#graph.usersOf(weight).find(({ op }) => op === "Conv");
		if (!node) throw missing(weight);
		return node;
	}

	/** The constant matrix of a product, which may be computed in 8 bits and scaled. */
	#factor(product: string, prefix: string): Constant {
		const last = this.#graph.producerOf(product);
		if (last?.op === "MatMul") return this.#weightOf(last);
		for (const input of last?.inputs ?? []) {
			const cast = this.#graph.producerOf(input);
			const node = this.#graph.producerOf(cast?.inputs[0] ?? "");
			if (cast?.op === "Cast" && node?.op === "MatMulInteger")
				return this.#weightOf(node);
		}
		throw missing(prefix);
	}

	#weightOf(node: ReadNode): Constant {
		const [, name = "", , zeroName] = node.inputs;
		const codes = this.#constant(name);
		if (node.op === "MatMul") return codes;
		const [zero = 0] = zeroName ? this.values(zeroName) : [];
		const scale = this.#scaleOf(node);
		const values = codes.values.map((code) => (code - zero) * scale);
		return { dims: codes.dims, values };
	}

	/** One scale for the whole matrix: the constant factor of the two that the product is scaled by. */
	#scaleOf({ outputs: [product = ""], inputs }: ReadNode): number {
		const [cast] = this.#graph.usersOf(product);
		const [scaled] = this.#graph.usersOf(cast?.outputs[0] ?? "");
		const factor = scaled?.inputs.find((it) => it !== cast?.outputs[0]) ?? "";
		const scales = this.#graph.producerOf(factor)?.inputs ?? [];
		const found = scales.map((it) => this.#graph.constant(it));
		const [scale, ...more] = found.find((it) => it)?.values ?? [];
		if (scale === undefined || more.length > 0)
			throw missing(`the scale of ${inputs[1]}`);
		return scale;
	}

	#constant(name: string): Constant {
		const found = this.#graph.constant(name);
		if (!found) throw missing(name);
		return found;
	}
}

function missing(what: string): Error {
	return badSource(`the encoder has no ${what}`);
}
