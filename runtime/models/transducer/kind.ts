/** An offline transducer as icefall exports it and k2-fsa publishes it. */
import { modelKind, type PublishedKind } from "../model-kind.js";
import { openWithTokens } from "../model-opener.js";
import { streamingForm } from "../published-checks.js";
import { transducerFiles, transducerPaths } from "../transducer-graphs.js";
import { languagesOf } from "../writing/symbol-languages.js";
import { type TransducerShape, transducerShapeSchema } from "./shape.js";

/** A streaming transducer has the same types, and chunks. */
const published: PublishedKind<TransducerShape> = {
	graph: "encoder",
	types: ["zipformer2", "zipformer", "conformer"],
	suits: (encoder) => !encoder.has("decode_chunk_len"),
	unsuited: streamingForm,
	read: async (folder) => {
		// the encoder dominates the cost; an 8-bit decoder saves nothing
		const decoderFile = folder.pick("decoder", "fp32");
		const decoder = await folder.metadata(decoderFile);
		return {
			languages: languagesOf(folder.tokens),
			shape: {
				mels: 80,
				contextSize: decoder.integer("context_size"),
				vocabulary: decoder.integer("vocab_size"),
			},
			files: {
				"encoder.onnx": folder.pick("encoder", "int8"),
				"decoder.onnx": decoderFile,
				"joiner.onnx": folder.pick("joiner", "int8"),
				"tokens.txt": "tokens.txt",
			},
		};
	},
};

export const transducer = modelKind({
	name: "transducer",
	files: transducerFiles,
	shape: { key: "transducer", schema: transducerShapeSchema },
	published,
	open: openWithTokens(
		async () => (await import("./recognizer.js")).openTransducer,
		transducerPaths,
	),
});
