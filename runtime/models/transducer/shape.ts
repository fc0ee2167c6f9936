/** The parameters of the graphs in the manifest of an offline transducer. */
import { type Static, Type } from "@sinclair/typebox";

/** Values from the graphs' metadata, which the exporter wrote. */
export const transducerShapeSchema = Type.Object({
	mels: Type.Integer({ minimum: 1, maximum: 256 }),
	/** Previous tokens that the decoder takes as input. */
	contextSize: Type.Integer({ minimum: 1, maximum: 16 }),
	/** Tokens that the joiner scores. */
	vocabulary: Type.Integer({ minimum: 2, maximum: 200_000 }),
});

export type TransducerShape = Static<typeof transducerShapeSchema>;
