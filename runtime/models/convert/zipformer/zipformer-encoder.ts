/** Rewrites the encoder of a published zipformer so that it takes several chunks at once (encoder-graph.ts). */
import { readFile } from "node:fs/promises";
import { modelParts } from "../onnx-file.js";
import { ExportedGraph } from "../read-graph.js";
import { SourceError } from "../weights.js";
import { zipformerGraph } from "./encoder-graph.js";
import { ExportedWeights } from "./exported-weights.js";

/** @returns the file's contents; undefined where the graph has another structure, and is best used as it is */
export async function rewrittenEncoder(
	path: string,
): Promise<Uint8Array | undefined> {
	try {
		const exported = new ExportedGraph(await readFile(path));
		const graph = zipformerGraph(new ExportedWeights(exported));
		return Buffer.concat([...modelParts(graph)].map(({ bytes }) => bytes));
	} catch (error) {
		if (error instanceof SourceError) return undefined;
		throw error;
	}
}
