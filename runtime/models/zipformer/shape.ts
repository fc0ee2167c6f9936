/** What the manifest of a streaming zipformer says of its graphs. */
import { type Static, Type } from "@sinclair/typebox";

/** A streaming zipformer transducer, by its exporter's own account (metadata of its graphs). */
export const zipformerShapeSchema = Type.Object({
	/** Frames of features that the encoder takes at a time, and those that it then goes on by. */
	chunkFrames: Type.Integer({ minimum: 1, maximum: 4096 }),
	hopFrames: Type.Integer({ minimum: 1, maximum: 4096 }),
	mels: Type.Integer({ minimum: 1, maximum: 256 }),
	/** Tokens that the decoder looks back on. */
	contextSize: Type.Integer({ minimum: 1, maximum: 16 }),
	/** Tokens that the joiner scores. */
	vocabulary: Type.Integer({ minimum: 2, maximum: 200_000 }),
	/** What tokens are: pieces of text, or halves of Chinese syllables. */
	units: Type.Union([Type.Literal("text"), Type.Literal("pinyin")]),
});

export type ZipformerShape = Static<typeof zipformerShapeSchema>;
