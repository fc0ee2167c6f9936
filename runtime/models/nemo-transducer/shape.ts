/** The parameters of the graphs in the manifest of a NeMo transducer. */
import { type Static, Type } from "@sinclair/typebox";

/** Values from the encoder's metadata, which the exporter wrote. */
export const nemoTransducerShapeSchema = Type.Object({
	mels: Type.Integer({ minimum: 1, maximum: 256 }),
	/** Tokens with the blank, which is the last. */
	vocabulary: Type.Integer({ minimum: 2, maximum: 200_000 }),
	/** Feature frames per frame of the encoder. */
	subsampling: Type.Integer({ minimum: 1, maximum: 64 }),
	/** Whether each feature is normalised over the segment. */
	perFeature: Type.Boolean(),
	/** Layers of the prediction network, and their width. */
	layers: Type.Integer({ minimum: 1, maximum: 16 }),
	hidden: Type.Integer({ minimum: 1, maximum: 16_384 }),
});

export type NemoTransducerShape = Static<typeof nemoTransducerShapeSchema>;
