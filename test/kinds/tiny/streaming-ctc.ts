/** A tiny streaming zipformer with a CTC head in icefall's form: its inputs, outputs, names, states and metadata, random weights. */
import { randomOf } from "../../published/recorded-random.js";
import {
	encoderGraph,
	type FeedForwardSizes,
	zipformer2States,
} from "../../published/tiny-graphs.js";
import { words, writeFolder } from "./parts.js";

export const streamingCtcSymbols = ["<blk>", "<sos/eos>", "<unk>", ...words];

/** @param deep layers as wide as a real model's. */
export function writeTinyStreamingCtc(
	folder: string,
	seed: number,
	symbols: readonly string[] = streamingCtcSymbols,
	deep?: FeedForwardSizes,
): void {
	const { states, metadata } = zipformer2States();
	const scale = deep ? 0.5 : 1.2;
	const head = {
		count: symbols.length,
		scale,
		blank: 2,
		...(deep && { deep }),
	};
	writeFolder(
		folder,
		[
			{
				name: "ctc-epoch-20-avg-1-chunk-16-left-128.int8.onnx",
				graph: encoderGraph(Number(metadata.T), states, randomOf(seed), head),
				metadata: { ...metadata, comment: "streaming ctc zipformer2" },
			},
		],
		symbols,
	);
}
