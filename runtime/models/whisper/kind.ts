import { modelKind } from "../model-kind.js";
import { whisperShapeSchema } from "./shape.js";

export const whisper = modelKind({
	name: "whisper",
	files: ["encoder.onnx", "decoder.onnx", "tokens.tiktoken"],
	shape: { key: "whisper", schema: whisperShapeSchema },
	open: async ({ port, path, text, ...opening }) => {
		const { openWhisper } = await import("./recognizer.js");
		const source = {
			...opening,
			encoderPath: path("encoder.onnx"),
			decoderPath: path("decoder.onnx"),
			ranks: await text("tokens.tiktoken"),
		};
		return openWhisper(port, source, opening);
	},
});
