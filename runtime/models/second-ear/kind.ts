/** A recognizer of syllables beside the recognizer of text: a published zipformer whose symbols are pinyin. */
import { jointWeights } from "../../search/lattice/joint-score.js";
import { modelKind, type PublishedKind } from "../model-kind.js";
import { transducerFiles } from "../transducer-graphs.js";
import { readZipformer, zipformerTypes } from "../zipformer/published.js";
import { type SecondEarShape, secondEarShapeSchema } from "./shape.js";

/** Words and readings: text/zh/lexicon.ts. */
export const lexiconFile = "lexicon.bin";

const published: PublishedKind<SecondEarShape> = {
	graph: "encoder",
	types: zipformerTypes,
	onlyIfWanted: true,
	derived: {
		[lexiconFile]: async () => {
			const { ownLexicon } = await import("./own-lexicon.js");
			return ownLexicon();
		},
	},
	rewritten: {
		"encoder.onnx": async (path) => {
			const { rewrittenEncoder } = await import(
				"../convert/zipformer/zipformer-encoder.js"
			);
			return rewrittenEncoder(path);
		},
		"joiner.onnx": async (path) => {
			const { rewrittenJoiner } = await import(
				"../convert/zipformer/joiner-graph.js"
			);
			return rewrittenJoiner(path);
		},
	},
	read: async (folder, encoder) => {
		const { shape, files } = await readZipformer(folder, encoder);
		if (shape.units !== "pinyin")
			return {
				unsuitable:
					"its tokens are not the initials and finals of Chinese syllables",
			};
		return {
			languages: ["zh-cmn-Hans-CN"],
			shape: { zipformer: shape, weights: { ...jointWeights } },
			files,
		};
	},
};

export const secondEar = modelKind({
	name: "second-ear",
	files: [...transducerFiles, lexiconFile],
	shape: { key: "secondEar", schema: secondEarShapeSchema },
	published,
});
