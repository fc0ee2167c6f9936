/**
 * Builds an ONNX graph node by node. A tensor is its name; names are made in order, so that the same calls give the same bytes.
 */
import type {
	AttributeValue,
	ElementType,
	Graph,
	GraphNode,
	GraphValue,
	Initializer,
} from "./onnx-format.js";

/** The name of a tensor in the graph. */
export type Value = string;

/** An input that is left out. */
export const none: Value = "";

type Attributes = Readonly<Record<string, AttributeValue>>;

const microsoft = "com.microsoft";

export class GraphBuilder {
	private readonly inputs: GraphValue[] = [];
	private readonly outputs: GraphValue[] = [];
	private readonly nodes: GraphNode[] = [];
	private readonly initializers = new Map<string, Initializer>();

	constructor(private readonly name: string) {}

	input(
		name: string,
		type: ElementType,
		dims: readonly (number | string)[],
	): Value {
		this.inputs.push({ name, type, dims });
		return name;
	}

	/** Declares a tensor of the graph, by its name, to be an output. */
	output(
		name: Value,
		type: ElementType,
		dims: readonly (number | string)[],
	): void {
		this.outputs.push({ name, type, dims });
	}

	/** An operator of the standard with one output. */
	op(
		op: string,
		inputs: readonly Value[],
		attributes: Attributes = {},
		outputName?: string,
	): Value {
		const output = outputName ?? this.fresh(op);
		this.addNode(op, "", inputs, [output], attributes);
		return output;
	}

	/** An operator of the standard with several outputs. */
	ops(
		op: string,
		inputs: readonly Value[],
		outputCount: number,
		attributes: Attributes = {},
	): Value[] {
		const base = this.fresh(op);
		const outputs = Array.from(
			{ length: outputCount },
			(_, i) => `${base}.${i}`,
		);
		this.addNode(op, "", inputs, outputs, attributes);
		return outputs;
	}

	/** An operator of ONNX Runtime's own. `outputs`: how many, or names of which "" are left out. */
	contrib(
		op: string,
		inputs: readonly Value[],
		attributes: Attributes = {},
		outputs: number | readonly Value[] = 1,
	): Value[] {
		const base = this.fresh(op);
		const names =
			typeof outputs === "number"
				? Array.from({ length: outputs }, (_, i) => `${base}.${i}`)
				: outputs;
		this.addNode(op, microsoft, inputs, names, attributes);
		return [...names];
	}

	initializer(
		name: string,
		type: ElementType,
		dims: readonly number[],
		bytes: () => Uint8Array,
	): Value {
		if (!this.initializers.has(name))
			this.initializers.set(name, { name, type, dims, bytes });
		return name;
	}

	floats(
		name: string,
		dims: readonly number[],
		values: () => Float32Array,
	): Value {
		return this.initializer(name, "float32", dims, () => bytesOf(values()));
	}

	float(value: number): Value {
		return this.floats(`float_${value}`, [], () => Float32Array.of(value));
	}

	/** A one-dimensional int64 constant: shapes, axes, starts. */
	ints(...values: number[]): Value {
		return this.initializer(
			`ints_${values.join("_")}`,
			"int64",
			[values.length],
			() => bytesOf(BigInt64Array.from(values, BigInt)),
		);
	}

	build(): Graph {
		return {
			name: this.name,
			inputs: this.inputs,
			outputs: this.outputs,
			nodes: this.nodes,
			initializers: [...this.initializers.values()],
		};
	}

	private fresh(op: string): Value {
		return `${op}_${this.nodes.length}`;
	}

	private addNode(
		op: string,
		domain: string,
		inputs: readonly Value[],
		outputs: readonly Value[],
		attributes: Attributes,
	): void {
		this.nodes.push({ op, domain, inputs, outputs, attributes });
	}
}

export function bytesOf(array: ArrayBufferView): Uint8Array {
	return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
