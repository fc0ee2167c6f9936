/** SenseVoice as k2-fsa publishes it. */
import { languages } from "../../text/languages.js";
import { modelKind, type PublishedKind } from "../model-kind.js";
import { openWithTokens } from "../model-opener.js";
import { type SenseVoiceShape, senseVoiceShapeSchema } from "./shape.js";

const published: PublishedKind<SenseVoiceShape> = {
	graph: "model",
	types: ["sense_voice_ctc"],
	read: async (folder, model) => ({
		languages,
		shape: {
			windowFrames: model.integer("lfr_window_size"),
			hopFrames: model.integer("lfr_window_shift"),
			sixteenBit: model.integer("normalize_samples") === 0,
			vocabulary: model.integer("vocab_size"),
			languageIds: {
				auto: model.integer("lang_auto"),
				zh: model.integer("lang_zh"),
				en: model.integer("lang_en"),
				ja: model.integer("lang_ja"),
			},
			withMarks: model.integer("with_itn"),
			withoutMarks: model.integer("without_itn"),
			negativeMean: model.numbers("neg_mean"),
			inverseDeviation: model.numbers("inv_stddev"),
		},
		files: {
			"model.onnx": folder.pick("model", "int8"),
			"tokens.txt": "tokens.txt",
		},
	}),
};

export const senseVoice = modelKind({
	name: "sense-voice",
	files: ["model.onnx", "tokens.txt"],
	shape: { key: "senseVoice", schema: senseVoiceShapeSchema },
	published,
	open: openWithTokens(
		async () => (await import("./recognizer.js")).openSenseVoice,
		(path) => ({ modelPath: path("model.onnx") }),
	),
});
