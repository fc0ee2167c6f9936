/** A streaming zipformer as icefall exports it and k2-fsa publishes it. */
import { modelKind, type PublishedKind } from "../model-kind.js";
import { openWithTokens } from "../model-opener.js";
import { transducerFiles, transducerPaths } from "../transducer-graphs.js";
import { languagesOf } from "../writing/symbol-languages.js";
import { readZipformer, zipformerTypes } from "./published.js";
import { type ZipformerShape, zipformerShapeSchema } from "./shape.js";

const published: PublishedKind<ZipformerShape> = {
	graph: "encoder",
	types: zipformerTypes,
	suits: (encoder) => encoder.has("decode_chunk_len"),
	read: async (folder, encoder) => {
		const { shape, files } = await readZipformer(folder, encoder);
		return { languages: languagesOf(folder.tokens), shape, files };
	},
};

export const zipformer = modelKind({
	name: "zipformer",
	isStreaming: true,
	files: transducerFiles,
	shape: { key: "zipformer", schema: zipformerShapeSchema },
	published,
	open: openWithTokens(
		async () => (await import("./recognizer.js")).openZipformer,
		transducerPaths,
	),
});
