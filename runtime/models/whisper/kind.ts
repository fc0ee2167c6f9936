/** OpenAI's Whisper, in graphs that only earshot makes (convert/). */
import { modelKind } from "../model-kind.js";
import { whisperShapeSchema } from "./shape.js";

export const whisper = modelKind({
	name: "whisper",
	files: ["encoder.onnx", "decoder.onnx", "tokens.tiktoken"],
	shape: { key: "whisper", schema: whisperShapeSchema },
	open: async ({ port, path, has, text, constants, ...opening }) => {
		const { openWhisper } = await import("./recognizer.js");
		const hasScorer = opening.refiner && has?.("scorer.onnx");
		const source = {
			...opening,
			encoderPath: path("encoder.onnx"),
			decoderPath: path("decoder.onnx"),
			...(hasScorer && {
				scorerPath: path("scorer.onnx"),
				shared: await constants?.("decoder.onnx"),
			}),
			ranks: await text("tokens.tiktoken"),
		};
		return openWhisper(port, source, opening);
	},
});
