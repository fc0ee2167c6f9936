/**
 * Builds an ONNX graph node by node. A tensor is represented by its name; names are numbered in order, so that the same calls give the same bytes.
 */
import {
	type AttributeValue,
	type ElementType,
	type Graph,
	type GraphFunction,
	type GraphNode,
	type GraphValue,
	type Initializer,
	ownDomain,
} from "./onnx-format.js";

/** The name of a tensor in the graph. */
export type Value = string;

/** An omitted optional input. */
export const none: Value = "";

/**
 * A part of a graph for which a device may have a kernel, by its name (drivers/onnx/capi/kernels/kernels.h). Its body defines it in operators that every
 * runtime supports; constants in it are small.
 */
export interface OwnFunction {
	readonly name: string;
	readonly inputs: readonly Value[];
	/** @returns the outputs */
	readonly body: (
		graph: GraphBuilder,
		inputs: readonly Value[],
	) => readonly Value[];
}

type Attributes = Readonly<Record<string, AttributeValue>>;

const microsoft = "com.microsoft";

export class GraphBuilder {
	readonly #name: string;
	readonly #inlines: boolean;
	readonly #inputs: GraphValue[] = [];
	readonly #outputs: GraphValue[] = [];
	readonly #nodes: GraphNode[] = [];
	readonly #initializers = new Map<string, Initializer>();
	readonly #functions = new Map<string, GraphFunction>();

	/** @param inlines inline functions, so that the graph contains only standard operators. */
	constructor(name: string, inlines = false) {
		this.#name = name;
		this.#inlines = inlines;
	}

	input(
		name: string,
		type: ElementType,
		dims: readonly (number | string)[],
	): Value {
		this.#inputs.push({ name, type, dims });
		return name;
	}

	/** Declares a tensor of the graph an output. */
	output(
		name: Value,
		type: ElementType,
		dims: readonly (number | string)[],
	): void {
		this.#outputs.push({ name, type, dims });
	}

	/** Adds a standard operator with one output. */
	op(
		op: string,
		inputs: readonly Value[],
		attributes: Attributes = {},
		outputName?: string,
	): Value {
		const output = outputName ?? this.#fresh(op);
		this.#addNode(op, "", inputs, [output], attributes);
		return output;
	}

	/** Adds a standard operator with several outputs. */
	ops(
		op: string,
		inputs: readonly Value[],
		outputCount: number,
		attributes: Attributes = {},
	): Value[] {
		const base = this.#fresh(op);
		const outputs = Array.from(
			{ length: outputCount },
			(_, i) => `${base}.${i}`,
		);
		this.#addNode(op, "", inputs, outputs, attributes);
		return outputs;
	}

	/** Adds an operator that only ONNX Runtime has. `outputs`: their number, or their names, where "" omits one. */
	contrib(
		op: string,
		inputs: readonly Value[],
		attributes: Attributes = {},
		outputs: number | readonly Value[] = 1,
	): Value[] {
		const base = this.#fresh(op);
		const names =
			typeof outputs === "number"
				? Array.from({ length: outputs }, (_, i) => `${base}.${i}`)
				: outputs;
		this.#addNode(op, microsoft, inputs, names, attributes);
		return [...names];
	}

	/** One dimension of x, as a tensor with one element. */
	dimension(x: Value, axis: number): Value {
		return this.op("Shape", [x], { start: axis, end: axis + 1 });
	}

	/** Slices along one axis; negative ends count from the end. */
	slice(x: Value, axis: number, start: number, end: number): Value {
		return this.op("Slice", [
			x,
			this.ints(start),
			this.ints(end),
			this.ints(axis),
		]);
	}

	/** @param called functions with the same name must be identical. */
	call(
		called: OwnFunction,
		inputs: readonly Value[],
		outputNames?: readonly Value[],
	): readonly Value[] {
		if (this.#inlines)
			return this.#named(called.body(this, inputs), outputNames);
		const written = this.#functions.get(called.name) ?? functionOf(called);
		this.#functions.set(called.name, written);
		const base = this.#fresh(called.name);
		const names = outputNames ?? written.outputs.map((_, i) => `${base}.${i}`);
		this.#addNode(called.name, ownDomain, inputs, names, {});
		return names;
	}

	initializer(
		name: string,
		type: ElementType,
		dims: readonly number[],
		bytes: () => Uint8Array,
	): Value {
		if (!this.#initializers.has(name))
			this.#initializers.set(name, { name, type, dims, bytes });
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
			name: this.#name,
			inputs: this.#inputs,
			outputs: this.#outputs,
			nodes: this.#nodes,
			initializers: [...this.#initializers.values()],
			functions: [...this.#functions.values()],
		};
	}

	#named(
		values: readonly Value[],
		names: readonly Value[] = values,
	): readonly Value[] {
		for (const [i, name] of names.entries())
			if (name !== values[i])
				this.op("Identity", [values[i] as Value], {}, name);
		return names;
	}

	#fresh(op: string): Value {
		return `${op}_${this.#nodes.length}`;
	}

	#addNode(
		op: string,
		domain: string,
		inputs: readonly Value[],
		outputs: readonly Value[],
		attributes: Attributes,
	): void {
		this.#nodes.push({ op, domain, inputs, outputs, attributes });
	}
}

/** Builds the function's nodes; its constants become `Constant` nodes. */
function functionOf({ name, inputs, body }: OwnFunction): GraphFunction {
	const graph = new GraphBuilder(name);
	const outputs = body(graph, inputs);
	const { nodes, initializers } = graph.build();
	const constants = initializers.map((tensor) => ({
		op: "Constant",
		domain: "",
		inputs: [],
		outputs: [tensor.name],
		attributes: { value: { tensor } },
	}));
	return { name, inputs, outputs, nodes: [...constants, ...nodes] };
}

export function bytesOf(array: ArrayBufferView): Uint8Array {
	return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
