/**
 * Weights as floats. `fp16` halves the file size; the weights are widened once when the graph is loaded, and the computation is in float32.
 */
import { bytesOf, type GraphBuilder, type Value } from "./graph-builder.js";
import { type Linear, transposed } from "./linear.js";
import {
	addBias,
	addEnding,
	type LayerUse,
	type Numerics,
} from "./numerics.js";
import { elementTypes } from "./onnx-format.js";
import { narrowToHalf } from "./weights.js";

export class FloatNumerics implements Numerics {
	readonly #stored: "fp32" | "fp16";
	readonly isPlain = true;

	constructor(stored: "fp32" | "fp16") {
		this.#stored = stored;
	}

	linear(
		graph: GraphBuilder,
		x: Value,
		linear: Linear,
		use: LayerUse = {},
	): Value {
		const weights = this.#widened(graph, this.#weights(graph, linear));
		const product = graph.op("MatMul", [x, weights]);
		return addEnding(graph, addBias(graph, product, linear), use);
	}

	gatherRows(graph: GraphBuilder, ids: Value, linear: Linear): Value {
		const columns = graph.op("Gather", [this.#weights(graph, linear), ids], {
			axis: 1,
		});
		return graph.op("Transpose", [this.#widened(graph, columns)], {
			perm: [1, 2, 0],
		});
	}

	/** [columns, rows] */
	#weights(graph: GraphBuilder, linear: Linear): Value {
		const { rows, columns } = linear;
		const name = `${linear.name}/weight`;
		const read = () => transposed(linear.weights(), rows, columns);
		if (this.#stored === "fp32")
			return graph.floats(name, [columns, rows], read);
		return graph.initializer(name, "float16", [columns, rows], () =>
			bytesOf(narrowToHalf(read())),
		);
	}

	#widened(graph: GraphBuilder, value: Value): Value {
		if (this.#stored === "fp32") return value;
		return graph.op("Cast", [value], { to: elementTypes.float32 });
	}
}
