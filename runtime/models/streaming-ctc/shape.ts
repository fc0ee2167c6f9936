/** The parameters of the graph in the manifest of a streaming CTC model. */
import { type Static, Type } from "@sinclair/typebox";

/** Values from the graph's metadata, which the exporter wrote. */
export const streamingCtcShapeSchema = Type.Object({
	/** Feature frames per chunk, and the hop between chunks. */
	chunkFrames: Type.Integer({ minimum: 1, maximum: 4096 }),
	hopFrames: Type.Integer({ minimum: 1, maximum: 4096 }),
	mels: Type.Integer({ minimum: 1, maximum: 256 }),
});

export type StreamingCtcShape = Static<typeof streamingCtcShapeSchema>;
