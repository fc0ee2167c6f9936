/**
 * Turns a float32 graph into one that computes in 16 bits, for GPUs: half the memory traffic, and use of their matrix units. Its inputs and outputs stay
 * float32.
 *
 * Log-probabilities stay in 32 bits (a sum over 52,000 exponentials, and differences of large numbers that are compared with each other). Norms and
 * softmax sum in 32 bits inside their kernels; their inputs and outputs are 16 bits wide, as in Whisper's own half-precision code.
 */
import { bytesOf, type Value } from "./graph-builder.js";
import {
	type ElementType,
	elementTypes,
	type Graph,
	type GraphNode,
	type Initializer,
} from "./onnx-format.js";
import { narrowToHalf } from "./weights.js";

/** Only the scores (scores.ts) use these operators: other sums are `Sum`. */
const inFloat32 = new Set([
	..."Add Sub Exp Log ReduceSum TopK GatherElements".split(" "),
]);
/** These only move values, and keep the type of their input. */
const moving = new Set([
	..."Gather Slice Reshape Transpose Concat Split Pad Unsqueeze".split(" "),
]);
const floating: readonly (ElementType | undefined)[] = ["float32", "float16"];

export function inHalfPrecision(graph: Graph): Graph {
	const half = new HalfGraph(graph);
	for (const node of graph.nodes) half.add(node);
	return half.finished();
}

class HalfGraph {
	readonly #graph: Graph;
	readonly #nodes: GraphNode[] = [];
	readonly #types = new Map<Value, ElementType>();
	readonly #initializers: readonly Initializer[];
	readonly #outputs: ReadonlySet<Value>;

	constructor(graph: Graph) {
		this.#graph = graph;
		this.#outputs = new Set(graph.outputs.map(({ name }) => name));
		this.#initializers = graph.initializers.map(narrowed);
		for (const { name, type } of [...graph.inputs, ...this.#initializers])
			this.#types.set(name, type);
	}

	add(node: GraphNode): void {
		const wanted = inFloat32.has(node.op)
			? "float32"
			: moving.has(node.op)
				? undefined
				: "float16";
		const inputs = node.inputs.map((input) =>
			wanted && node.op !== "Cast" && node.op !== "Shape"
				? this.#cast(input, wanted)
				: input,
		);
		const first = this.#types.get(inputs[0] ?? "");
		const outputs = node.outputs.map((output, i) => {
			const type = typeOf(node, i, first);
			// outputs of the graph are float32
			const made =
				type === "float16" && this.#outputs.has(output)
					? `${output}.float16`
					: output;
			if (type) this.#types.set(made, type);
			return made;
		});
		this.#nodes.push({ ...node, inputs, outputs });
		for (const [i, output] of node.outputs.entries())
			if (outputs[i] !== output)
				this.#addCast(outputs[i] as Value, "float32", output);
	}

	finished(): Graph {
		return {
			...this.#graph,
			nodes: this.#nodes,
			initializers: this.#initializers,
		};
	}

	/** The value converted to that type; values other than floats are unchanged. */
	#cast(value: Value, to: ElementType): Value {
		const type = this.#types.get(value);
		if (!floating.includes(type) || type === to) return value;
		const name = `${value}.${to}`;
		if (!this.#types.has(name)) this.#addCast(value, to, name);
		return name;
	}

	#addCast(value: Value, to: ElementType, name: Value): void {
		this.#types.set(name, to);
		this.#nodes.push({
			op: "Cast",
			domain: "",
			inputs: [value],
			outputs: [name],
			attributes: { to: elementTypes[to] },
		});
	}
}

function typeOf(
	{ op, attributes }: GraphNode,
	output: number,
	first: ElementType | undefined,
): ElementType | undefined {
	if (op === "Shape" || (op === "TopK" && output === 1)) return "int64";
	if (op !== "Cast") return first;
	const names = Object.keys(elementTypes) as ElementType[];
	return names.find((name) => elementTypes[name] === attributes.to);
}

function narrowed(initializer: Initializer): Initializer {
	if (initializer.type !== "float32") return initializer;
	return {
		...initializer,
		type: "float16",
		bytes: () => {
			const bytes = initializer.bytes();
			const values = new Float32Array(
				bytes.buffer,
				bytes.byteOffset,
				bytes.byteLength / 4,
			);
			return bytesOf(narrowToHalf(values));
		},
	};
}
