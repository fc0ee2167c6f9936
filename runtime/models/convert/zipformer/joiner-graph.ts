/**
 * A transducer's joiner as a graph that joins any pairs of frames and predictions, in floats, and returns log-probabilities: tanh(frame + prediction) times a
 * matrix. The exported joiner wants both for every row, and its 8-bit activations depend on what else is in a run.
 *
 * Ends: `manyRows` (transducer/transducer.ts).
 */
import { readFile } from "node:fs/promises";
import { manyRows } from "../../transducer/transducer.js";
import { GraphBuilder } from "../graph-builder.js";
import { modelParts } from "../onnx-file.js";
import { ExportedGraph } from "../read-graph.js";
import { SourceError } from "../weights.js";
import { ExportedWeights } from "./exported-weights.js";
import { addMatrix } from "./parts.js";

const output = "output_linear";

/** @returns the file's contents; undefined where the graph has another structure, and is best used as it is */
export async function rewrittenJoiner(
	path: string,
): Promise<Uint8Array | undefined> {
	try {
		const exported = new ExportedGraph(await readFile(path));
		const operators = exported.nodes.map(({ op }) => op).slice(0, 2);
		if (operators.join() !== "Add,Tanh") return undefined;
		const matrix = new ExportedWeights(exported).matrix(output);
		const graph = new GraphBuilder("joiner");
		const { frames, predictions, frameOf, predictionOf, logp } = manyRows;
		graph.input(frames, "float32", ["frames", matrix.inputs]);
		graph.input(predictions, "float32", ["predictions", matrix.inputs]);
		graph.input(frameOf, "int32", ["rows"]);
		graph.input(predictionOf, "int32", ["rows"]);
		const joined = graph.op("Add", [
			graph.op("Gather", [frames, frameOf]),
			graph.op("Gather", [predictions, predictionOf]),
		]);
		const bent = graph.op("Tanh", [joined]);
		const scores = addMatrix(graph, bent, output, matrix);
		graph.op("LogSoftmax", [scores], { axis: -1 }, logp);
		graph.output(logp, "float32", ["rows", matrix.outputs]);
		return Buffer.concat(
			[...modelParts(graph.build())].map(({ bytes }) => bytes),
		);
	} catch (error) {
		if (error instanceof SourceError) return undefined;
		throw error;
	}
}
