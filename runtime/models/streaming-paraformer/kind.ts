/** A streaming Paraformer as k2-fsa publishes it. */
import { modelKind, type PublishedKind } from "../model-kind.js";
import { openWithTokens } from "../model-opener.js";
import { wrongSymbolCount } from "../published-checks.js";
import { languagesOf } from "../writing/symbol-languages.js";
import {
	type StreamingParaformerShape,
	streamingParaformerShapeSchema,
} from "./shape.js";

const published: PublishedKind<StreamingParaformerShape> = {
	graph: "encoder",
	types: ["paraformer"],
	read: async (folder, encoder) => {
		const vocabulary = encoder.integer("vocab_size");
		const unsuitable = wrongSymbolCount(folder.tokens, vocabulary);
		if (unsuitable) return { unsuitable };
		return {
			languages: languagesOf(folder.tokens),
			shape: {
				windowFrames: encoder.integer("lfr_window_size"),
				hopFrames: encoder.integer("lfr_window_shift"),
				vocabulary,
				negativeMean: encoder.numbers("neg_mean"),
				inverseDeviation: encoder.numbers("inv_stddev"),
				width: encoder.integer("encoder_output_size"),
				blocks: encoder.integer("decoder_num_blocks"),
				kernel: encoder.integer("decoder_kernel_size"),
			},
			files: {
				"encoder.onnx": folder.pick("encoder", "int8"),
				"decoder.onnx": folder.pick("decoder", "int8"),
				"tokens.txt": "tokens.txt",
			},
		};
	},
};

export const streamingParaformer = modelKind({
	name: "streaming-paraformer",
	isStreaming: true,
	files: ["encoder.onnx", "decoder.onnx", "tokens.txt"],
	shape: {
		key: "streamingParaformer",
		schema: streamingParaformerShapeSchema,
	},
	published,
	open: openWithTokens(
		async () => (await import("./recognizer.js")).openStreamingParaformer,
		(path) => ({
			encoderPath: path("encoder.onnx"),
			decoderPath: path("decoder.onnx"),
		}),
	),
});
