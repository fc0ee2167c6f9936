/** A streaming zipformer with a CTC head, as icefall exports it and k2-fsa publishes it. */
import { blankOf } from "../ctc/blank.js";
import { modelKind, type PublishedKind } from "../model-kind.js";
import { openWithTokens } from "../model-opener.js";
import { languagesOf } from "../writing/symbol-languages.js";
import { SymbolTable } from "../writing/symbol-table.js";
import { type StreamingCtcShape, streamingCtcShapeSchema } from "./shape.js";

/** How the graph's name begins: as icefall exports it, and as newer models are published. */
const graphs = ["ctc", "model"] as const;

const published: PublishedKind<StreamingCtcShape> = {
	graph: graphs,
	types: ["zipformer2"],
	read: async (folder, model) => {
		if (blankOf(new SymbolTable(folder.tokens)) === undefined)
			return { unsuitable: "tokens.txt has no <blk>, <eps> or <blank>" };
		const feature = model.text("feature");
		if (feature !== "")
			return {
				unsuitable: `it takes the features of ${JSON.stringify(feature.slice(0, 40))}, which are not supported`,
			};
		const graph = graphs.find((it) => folder.has(it)) ?? "model";
		return {
			languages: languagesOf(folder.tokens),
			shape: {
				chunkFrames: model.integer("T"),
				hopFrames: model.integer("decode_chunk_len"),
				mels: 80,
			},
			files: {
				"model.onnx": folder.pick(graph, "int8"),
				"tokens.txt": "tokens.txt",
			},
		};
	},
};

export const streamingCtc = modelKind({
	name: "streaming-ctc",
	isStreaming: true,
	files: ["model.onnx", "tokens.txt"],
	shape: { key: "streamingCtc", schema: streamingCtcShapeSchema },
	published,
	open: openWithTokens(
		async () => (await import("./recognizer.js")).openStreamingCtc,
		(path) => ({ modelPath: path("model.onnx") }),
	),
});
