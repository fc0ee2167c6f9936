import { modelKind, type PublishedKind } from "../model-kind.js";
import type { SymbolUnits } from "../writing/symbol-table.js";
import { readZipformer, zipformerFiles, zipformerTypes } from "./published.js";
import { type ZipformerShape, zipformerShapeSchema } from "./shape.js";

/** A streaming zipformer as icefall exports it and k2-fsa publishes it. */
const published: PublishedKind<ZipformerShape> = {
	graph: "encoder",
	types: zipformerTypes,
	read: async (folder, encoder) => {
		const { shape, files } = await readZipformer(folder, encoder);
		return { languages: languagesOf(folder.tokens, shape.units), shape, files };
	},
};

export const zipformer = modelKind({
	name: "zipformer",
	files: zipformerFiles,
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
