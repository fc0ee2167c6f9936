/** The parameters of the graphs in the manifest of a streaming zipformer. */
import { type Static, Type } from "@sinclair/typebox";

/** A streaming zipformer transducer; the values are from the graphs' metadata, which the exporter wrote. */
export const zipformerShapeSchema = Type.Object({
	/** Feature frames per chunk of the encoder, and the hop between chunks. */
	chunkFrames: Type.Integer({ minimum: 1, maximum: 4096 }),
	hopFrames: Type.Integer({ minimum: 1, maximum: 4096 }),
	mels: Type.Integer({ minimum: 1, maximum: 256 }),
	/** Previous tokens that the decoder takes as input. */
	contextSize: Type.Integer({ minimum: 1, maximum: 16 }),
	/** Tokens that the joiner scores. */
	vocabulary: Type.Integer({ minimum: 2, maximum: 200_000 }),
	/** Type of the tokens: pieces of text, or halves of Chinese syllables. */
	units: Type.Union([Type.Literal("text"), Type.Literal("pinyin")]),
});

export type ZipformerShape = Static<typeof zipformerShapeSchema>;
