/** The parameters of the graph in the manifest of an offline Paraformer. */
import { type Static, Type } from "@sinclair/typebox";

const perFeature = Type.Array(Type.Number(), { minItems: 1, maxItems: 16_384 });

/** Values from the graph's metadata, which the exporter wrote. */
export const paraformerShapeSchema = Type.Object({
	/** Feature frames that are stacked into one, and the hop between stacks. */
	windowFrames: Type.Integer({ minimum: 1, maximum: 64 }),
	hopFrames: Type.Integer({ minimum: 1, maximum: 64 }),
	vocabulary: Type.Integer({ minimum: 2, maximum: 200_000 }),
	/** Normalisation of features: `negativeMean` is added, then `inverseDeviation` multiplied; each has the width of a stacked frame. */
	negativeMean: perFeature,
	inverseDeviation: perFeature,
});

export type ParaformerShape = Static<typeof paraformerShapeSchema>;
