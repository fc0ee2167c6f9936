/** A graph of two operators and its inputs: enough to check whether a processor matches the CPU. */
import { join } from "node:path";
import {
	GraphBuilder,
	type Value,
} from "../../runtime/models/convert/graph-builder.js";
import { writeGraph } from "../../runtime/models/convert/graph-file.js";
import type { Graph } from "../../runtime/models/convert/onnx-format.js";
import type { ProcessorProbe } from "../../runtime/models/inference-port.js";

export const size = 24;

/** @returns the path of softmax(x W). */
export async function smallGraph(folder: string): Promise<string> {
	const builder = new GraphBuilder("small");
	const x: Value = builder.input("x", "float32", ["N", size]);
	const weights = builder.floats("w", [size, size], () =>
		Float32Array.from({ length: size * size }, (_, i) => Math.sin(i)),
	);
	const product = builder.op("MatMul", [x, weights]);
	builder.op("Softmax", [product], { axis: -1 }, "y");
	builder.output("y", "float32", ["N", size]);
	return writtenGraph(folder, "small.onnx", builder.build());
}

/** @returns the path of a graph that returns its inputs, a tensor of each type. */
export async function typesGraph(folder: string): Promise<string> {
	const builder = new GraphBuilder("types");
	for (const type of ["float32", "int32", "int64", "bool"] as const) {
		builder.input(`${type}_in`, type, ["N", 2]);
		builder.op("Identity", [`${type}_in`], {}, type);
		builder.output(type, type, ["N", 2]);
	}
	return writtenGraph(folder, "types.onnx", builder.build());
}

/** @returns its path. */
export async function writtenGraph(
	folder: string,
	name: string,
	graph: Graph,
): Promise<string> {
	await writeGraph(folder, name, graph, {
		inlineBytesMax: 1e9,
		signal: undefined,
		onBytes: () => {},
	});
	return join(folder, name);
}

export async function outputOf(
	...[port, session]: Parameters<ProcessorProbe["answers"]>
) {
	const values = Float32Array.from({ length: 3 * size }, (_, i) => Math.cos(i));
	const x = port.tensor("float32", values, [3, size]);
	const { y } = await session.run({ x }, ["y"]);
	const answer = Float32Array.from((y?.data as Float32Array | undefined) ?? []);
	y?.dispose();
	return answer;
}

export const probe: ProcessorProbe = {
	answers: outputOf,
	toleranceMax: 0.001,
};
