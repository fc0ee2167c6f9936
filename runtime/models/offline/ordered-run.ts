/** Runs of published graphs, whose inputs and outputs are known by their order. */
import type { InferenceSession, Tensor } from "../inference-port.js";

/** @param outputs how many of them are returned, from the first. @returns them in the graph's order; the caller disposes each */
export async function runInOrder(
	graph: InferenceSession,
	inputs: readonly Tensor[],
	outputs = graph.outputNames.length,
): Promise<Tensor[]> {
	const feeds = Object.fromEntries(
		graph.inputNames.map((name, i) => [name, inputs[i] as Tensor]),
	);
	const wanted = graph.outputNames.slice(0, outputs);
	const found = await graph.run(feeds, wanted);
	return wanted.map((name) => found[name] as Tensor);
}
