import { modelKind } from "../model-kind.js";
import { whisperShapeSchema } from "./shape.js";

export const whisper = modelKind({
	name: "whisper",
	files: ["encoder.onnx", "decoder.onnx", "tokens.tiktoken"],
	shape: { key: "whisper", schema: whisperShapeSchema },
	open: async ({ port, path, has, text, ...opening }) => {
		const { openWhisper } = await import("./recognizer.js");
		const source = {
			...opening,
			encoderPath: path("encoder.onnx"),
			decoderPath: path("decoder.onnx"),
			scorerPath: has?.("scorer.onnx") ? path("scorer.onnx") : undefined,
			ranks: await text("tokens.tiktoken"),
		};
		return openWhisper(port, source, opening);
	},
});
