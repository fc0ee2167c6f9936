/** A recognizer of syllables beside the recognizer of text: a published zipformer whose symbols are pinyin. */
import { modelKind, type PublishedKind } from "../model-kind.js";
import {
	readZipformer,
	zipformerFiles,
	zipformerTypes,
} from "../zipformer/published.js";
import { type SecondEarShape, secondEarShapeSchema } from "./shape.js";

/** For the manifest of a package made from a published model: fitted with it and whisper-base. */
const publishedWeights = {
	recognizer: 1,
	syllables: 1.8,
	languageModel: 0.95,
	againstSyllables: -0.9,
	internalLanguageModel: -0.53,
	margin: 2,
};

const published: PublishedKind<SecondEarShape> = {
	graph: "encoder",
	types: zipformerTypes,
	onlyIfWanted: true,
	read: async (folder, encoder) => {
		const { shape, files } = await readZipformer(folder, encoder);
		if (shape.units !== "pinyin")
			return {
				unsuitable:
					"its tokens are not the initials and finals of Chinese syllables",
			};
		return {
			languages: ["zh-cmn-Hans-CN"],
			shape: { zipformer: shape, weights: publishedWeights },
			files,
		};
	},
};

export const secondEar = modelKind({
	name: "second-ear",
	files: zipformerFiles,
	shape: { key: "secondEar", schema: secondEarShapeSchema },
	published,
});
