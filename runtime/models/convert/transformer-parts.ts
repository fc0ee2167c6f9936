/** What encoder and decoder have in common: norms, the feed-forward layer, constants taken over as they are. */
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
 * The residual and the norm after it in one: quick where there are few rows.
 * @returns the norm of x + change, and the sum.
 */
export function addSkipNorm(
	graph: GraphBuilder,
	source: WeightSource,
	x: Value,
	change: Value,
	name: string,
): readonly [normed: Value, sum: Value] {
	const normed = `${name}/normed`;
	const sum = `${name}/sum`;
	graph.contrib(
		"SkipLayerNormalization",
		[x, change, ...gains(graph, source, name)],
		{ epsilon },
		[normed, "", "", sum],
	);
	return [normed, sum];
}

/**
 * The same for many rows. ONNX Runtime's fused kernel is several times slower there, and it would fuse an Add: hence Sum.
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

export function addGelu(graph: GraphBuilder, x: Value): Value {
	return graph.contrib("Gelu", [x])[0] as Value;
}

export function addFeedForward(
	graph: GraphBuilder,
	{ source, numerics }: GraphPlan,
	x: Value,
	name: string,
): Value {
	const wide = numerics.linear(graph, x, linearOf(source, `${name}/linear_0`));
	const narrow = linearOf(source, `${name}/linear_1`);
	return numerics.linear(graph, addGelu(graph, wide), narrow, "gelu");
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
