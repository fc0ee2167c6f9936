/** Why a published folder can't be used, where several kinds of model ask the same. Undefined: it can, as far as that goes. */
import type { GraphMetadata } from "./model-kind.js";
import { SymbolTable } from "./writing/symbol-table.js";

/** @param tokens contents of `tokens.txt` */
export function wrongSymbolCount(
	tokens: string,
	vocabulary: number,
): string | undefined {
	const symbols = new SymbolTable(tokens);
	if (symbols.areOf(vocabulary)) return undefined;
	return `tokens.txt has ${symbols.size} symbols, the model scores ${vocabulary}`;
}

/** What a graph is that recognizes in pieces, where only whole segments are supported. */
export const streamingForm = "a streaming model ";

/** Whether a model of NeMo is one for streams, whose state its exporter describes. */
export function hasCaches(graph: GraphMetadata): boolean {
	return graph.has("cache_last_channel_dim1");
}

/** Of NeMo's models, by what their exporter for sherpa-onnx writes. */
export function unsupportedFeatures(graph: GraphMetadata): string | undefined {
	const type = graph.text("normalize_type");
	if (!["", "NA", "per_feature"].includes(type))
		return `its features are normalized by ${JSON.stringify(type.slice(0, 40))}, which is not supported`;
	if (graph.text("is_giga_am") === "1")
		return "it is GigaAM, whose features are not supported";
	return undefined;
}
