import { modelKind, type PublishedKind } from "../model-kind.js";
import { type SymbolUnits, unitsOf } from "../writing/symbol-table.js";
import { type ZipformerShape, zipformerShapeSchema } from "./shape.js";

/** A streaming zipformer as icefall exports it and k2-fsa publishes it. */
const published: PublishedKind<ZipformerShape> = {
	graph: "encoder",
	types: ["zipformer", "zipformer2"],
	read: async (folder, encoder) => {
		// the encoder dominates the cost; an 8-bit decoder saves nothing
		const decoderFile = folder.pick("decoder", "fp32");
		const decoder = await folder.metadata(decoderFile);
		const units = unitsOf(folder.tokens);
		return {
			languages: languagesOf(folder.tokens, units),
			shape: {
				chunkFrames: encoder.integer("T"),
				hopFrames: encoder.integer("decode_chunk_len"),
				mels: 80,
				contextSize: decoder.integer("context_size"),
				vocabulary: decoder.integer("vocab_size"),
				units,
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

export const zipformer = modelKind({
	name: "zipformer",
	files: ["encoder.onnx", "decoder.onnx", "joiner.onnx", "tokens.txt"],
	shape: { key: "zipformer", schema: zipformerShapeSchema },
	published,
	open: async ({ port, path, text, ...opening }) => {
		const { openZipformer } = await import("./recognizer.js");
		const source = {
			...opening,
			encoderPath: path("encoder.onnx"),
			decoderPath: path("decoder.onnx"),
			joinerPath: path("joiner.onnx"),
			tokens: await text("tokens.txt"),
		};
		return openZipformer(port, source, { threads: opening.threads });
	},
});

/** The languages of a model, by the scripts of its symbols. */
function languagesOf(tokens: string, units: SymbolUnits): string[] {
	if (units === "pinyin") return ["zh-cmn-Hans-CN"];
	const has = (pattern: RegExp) => pattern.test(tokens);
	const japanese = has(/\p{Script=Hiragana}|\p{Script=Katakana}/u);
	const chinese = has(/\p{Script=Han}/u);
	const english = has(/^\u2581?[A-Za-z]{2,}\s/mu);
	if (japanese) return english ? ["ja-JP", "en-US", "ja-JP-en-US"] : ["ja-JP"];
	if (chinese)
		return english
			? ["zh-cmn-Hans-CN", "en-US", "zh-cmn-Hans-CN-en-US"]
			: ["zh-cmn-Hans-CN"];
	return ["en-US"];
}
