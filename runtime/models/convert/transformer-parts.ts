/** Parts common to encoder and decoder: norms, the feed-forward layer, unconverted constants. */
import type { GraphBuilder, Value } from "./graph-builder.js";
import { linearOf } from "./linear.js";
import type { WeightSource } from "./weights.js";
import type { GraphPlan } from "./whisper-sizes.js";

const epsilon = { float: 1e-5 };

/** A tensor of the source as a float32 constant. */
export function addConstant(
	graph: GraphBuilder,
	source: WeightSource,
	name: string,
): Value {
	return graph.floats(name, source.dims(name), () => source.read(name).values);
}

export function addLayerNorm(
	graph: GraphBuilder,
	source: WeightSource,
	x: Value,
	name: string,
): Value {
	return graph.op("LayerNormalization", [x, ...gains(graph, source, name)], {
		axis: -1,
		epsilon,
	});
}

/**
 * The residual and the norm after it. ONNX Runtime's fused kernel for both is several times slower except for a single row, and ONNX Runtime would fuse an
 * Add: hence Sum.
 * @returns the norm of x + change, and the sum.
 */
export function addSumThenNorm(
	graph: GraphBuilder,
	source: WeightSource,
	x: Value,
	change: Value,
	name: string,
): readonly [normed: Value, sum: Value] {
	const sum = graph.op("Sum", [x, change]);
	return [addLayerNorm(graph, source, sum, name), sum];
}

export function addFeedForward(
	graph: GraphBuilder,
	{ source, numerics }: GraphPlan,
	x: Value,
	name: string,
): Value {
	const widening = linearOf(source, `${name}/linear_0`);
	const wide = numerics.linear(graph, x, widening, { endsInGelu: true });
	const narrowing = linearOf(source, `${name}/linear_1`);
	return numerics.linear(graph, wide, narrowing, { followsGelu: true });
}

function gains(
	graph: GraphBuilder,
	source: WeightSource,
	name: string,
): readonly Value[] {
	return [
		addConstant(graph, source, `${name}/gamma`),
		addConstant(graph, source, `${name}/beta`),
	];
}
