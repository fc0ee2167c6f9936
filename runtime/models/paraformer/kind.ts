/** An offline Paraformer as k2-fsa publishes it. */
import { modelKind, type PublishedKind } from "../model-kind.js";
import { openWithTokens } from "../model-opener.js";
import { wrongSymbolCount } from "../published-checks.js";
import { languagesOf } from "../writing/symbol-languages.js";
import { type ParaformerShape, paraformerShapeSchema } from "./shape.js";

const published: PublishedKind<ParaformerShape> = {
	graph: "model",
	types: ["paraformer"],
	read: async (folder, model) => {
		const vocabulary = model.integer("vocab_size");
		const unsuitable = wrongSymbolCount(folder.tokens, vocabulary);
		if (unsuitable) return { unsuitable };
		return {
			languages: languagesOf(folder.tokens),
			shape: {
				windowFrames: model.integer("lfr_window_size"),
				hopFrames: model.integer("lfr_window_shift"),
				vocabulary,
				negativeMean: model.numbers("neg_mean"),
				inverseDeviation: model.numbers("inv_stddev"),
			},
			files: {
				"model.onnx": folder.pick("model", "int8"),
				"tokens.txt": "tokens.txt",
			},
		};
	},
};

export const paraformer = modelKind({
	name: "paraformer",
	files: ["model.onnx", "tokens.txt"],
	shape: { key: "paraformer", schema: paraformerShapeSchema },
	published,
	open: openWithTokens(
		async () => (await import("./recognizer.js")).openParaformer,
		(path) => ({ modelPath: path("model.onnx") }),
	),
});
