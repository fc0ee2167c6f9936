/** The parameters of the graphs in the manifest of a streaming Paraformer. */
import { type Static, Type } from "@sinclair/typebox";
import { paraformerShapeSchema } from "../paraformer/shape.js";

/** Values from the encoder's metadata, which the exporter wrote. */
export const streamingParaformerShapeSchema = Type.Intersect([
	paraformerShapeSchema,
	Type.Object({
		/** Width of the encoder's frames. */
		width: Type.Integer({ minimum: 1, maximum: 8192 }),
		/** Blocks of the decoder, each with a state, and how many tokens a block sees: one more than are in its state. */
		blocks: Type.Integer({ minimum: 1, maximum: 128 }),
		kernel: Type.Integer({ minimum: 2, maximum: 256 }),
	}),
]);

export type StreamingParaformerShape = Static<
	typeof streamingParaformerShapeSchema
>;
