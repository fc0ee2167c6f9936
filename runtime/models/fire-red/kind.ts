/** FireRedASR's encoder and attention decoder as exported for sherpa-onnx, which recognizes them without a type: the encoder's metadata describes both graphs. */
import { modelKind, type PublishedKind } from "../model-kind.js";
import { openWithTokens } from "../model-opener.js";
import { fireRedLanguages } from "./languages.js";
import { type FireRedShape, fireRedShapeSchema } from "./shape.js";

const published: PublishedKind<FireRedShape> = {
	graph: "encoder",
	suits: (encoder) =>
		encoder.has("cmvn_mean") && encoder.has("num_decoder_layers"),
	read: async (folder, encoder) => {
		const mean = encoder.numbers("cmvn_mean");
		const inverseDeviation = encoder.numbers("cmvn_inv_stddev");
		if (mean.length !== inverseDeviation.length)
			return {
				unsuitable: `its metadata has ${mean.length} means of features and ${inverseDeviation.length} deviations`,
			};
		return {
			languages: fireRedLanguages,
			shape: {
				decoderLayers: encoder.integer("num_decoder_layers"),
				heads: encoder.integer("num_head"),
				headWidth: encoder.integer("head_dim"),
				placesMax: encoder.integer("max_len"),
				startOfText: encoder.integer("sos"),
				endOfText: encoder.integer("eos"),
				mean,
				inverseDeviation,
			},
			files: {
				"encoder.onnx": folder.pick("encoder", "int8"),
				"decoder.onnx": folder.pick("decoder", "int8"),
				"tokens.txt": "tokens.txt",
			},
		};
	},
};

export const fireRed = modelKind({
	name: "fire-red",
	files: ["encoder.onnx", "decoder.onnx", "tokens.txt"],
	shape: { key: "fireRed", schema: fireRedShapeSchema },
	published,
	open: openWithTokens(
		async () => (await import("./recognizer.js")).openFireRed,
		(path) => ({
			encoderPath: path("encoder.onnx"),
			decoderPath: path("decoder.onnx"),
		}),
	),
});
