/**
 * Weights stored as int8 with a scale for each row and turned into floats when the model is loaded: small on disk, exact in speed.
 */
import {
	bytesOf,
	type GraphBuilder,
	type Value,
} from "../../runtime/models/convert/graph-builder.js";
import { elementTypes } from "../../runtime/models/convert/onnx-format.js";
import { quantizeRows } from "../../runtime/models/convert/quantize.js";
import { elementCount } from "../../runtime/models/inference-port.js";

/** Smaller tensors gain nothing from being stored in fewer bits. */
const quantizedValuesMin = 4096;

/** @param rowAxes so many of the first dimensions say which row it is. */
export function addSmallWeights(
	graph: GraphBuilder,
	name: string,
	dims: readonly number[],
	values: () => Float32Array,
	rowAxes = 1,
): Value {
	if (elementCount(dims) < quantizedValuesMin)
		return graph.floats(`${name}.w`, dims, values);
	const rows = elementCount(dims.slice(0, rowAxes));
	const quantized = once(() => quantizeRows(values(), rows));
	const stored = graph.initializer(`${name}.q`, "int8", dims, () =>
		bytesOf(quantized().values),
	);
	const scales = graph.floats(
		`${name}.s`,
		dims.map((dim, axis) => (axis < rowAxes ? dim : 1)),
		() => quantized().scales,
	);
	const widened = graph.op("Cast", [stored], { to: elementTypes.float32 });
	return graph.op("Mul", [widened, scales]);
}

function once<T>(make: () => T): () => T {
	let made: { value: T } | undefined;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}
