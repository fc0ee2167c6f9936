/** A NeMo transducer as exported for sherpa-onnx; the encoder's metadata describes all three graphs. */
import { modelKind, type PublishedKind } from "../model-kind.js";
import { openWithTokens } from "../model-opener.js";
import {
	hasCaches,
	streamingForm,
	unsupportedFeatures,
	wrongSymbolCount,
} from "../published-checks.js";
import { transducerFiles, transducerPaths } from "../transducer-graphs.js";
import { languagesOf } from "../writing/symbol-languages.js";
import {
	type NemoTransducerShape,
	nemoTransducerShapeSchema,
} from "./shape.js";

const published: PublishedKind<NemoTransducerShape> = {
	graph: "encoder",
	types: ["EncDecRNNTBPEModel", "EncDecHybridRNNTCTCBPEModel"],
	suits: (encoder) => !hasCaches(encoder),
	unsuited: streamingForm,
	read: async (folder, encoder) => {
		// NeMo does not count the blank
		const vocabulary = encoder.integer("vocab_size") + 1;
		const unsuitable =
			wrongSymbolCount(folder.tokens, vocabulary) ??
			unsupportedFeatures(encoder);
		if (unsuitable) return { unsuitable };
		return {
			languages: languagesOf(folder.tokens),
			shape: {
				mels: encoder.has("feat_dim") ? encoder.integer("feat_dim") : 80,
				vocabulary,
				subsampling: encoder.integer("subsampling_factor"),
				perFeature: encoder.text("normalize_type") === "per_feature",
				layers: encoder.integer("pred_rnn_layers"),
				hidden: encoder.integer("pred_hidden"),
			},
			files: {
				"encoder.onnx": folder.pick("encoder", "int8"),
				"decoder.onnx": folder.pick("decoder", "int8"),
				"joiner.onnx": folder.pick("joiner", "int8"),
				"tokens.txt": "tokens.txt",
			},
		};
	},
};

export const nemoTransducer = modelKind({
	name: "nemo-transducer",
	files: transducerFiles,
	shape: { key: "nemoTransducer", schema: nemoTransducerShapeSchema },
	published,
	open: openWithTokens(
		async () => (await import("./recognizer.js")).openNemoTransducer,
		transducerPaths,
	),
});
