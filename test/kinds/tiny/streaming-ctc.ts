/** A tiny streaming zipformer with a CTC head in icefall's form: its inputs, outputs, names, states and metadata, random weights. */
import { randomOf } from "../../published/recorded-random.js";
import { encoderGraph, zipformer2States } from "../../published/tiny-graphs.js";
import { words, writeFolder } from "./parts.js";

export function writeTinyStreamingCtc(folder: string, seed: number): void {
	const symbols = ["<blk>", "<sos/eos>", "<unk>", ...words];
	const { states, metadata } = zipformer2States();
	const head = { count: symbols.length, scale: 1.2, blank: 2 };
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
