/** The parameters of the graph in the manifest of an offline CTC model. */
import { type Static, Type } from "@sinclair/typebox";

const perMel = Type.Array(Type.Number(), { minItems: 1, maxItems: 256 });

/** Values from the graph's metadata, which the exporter wrote. */
export const ctcShapeSchema = Type.Object({
	/** Whose features it takes (features/front-end.ts). */
	toolkit: Type.Union([
		Type.Literal("icefall"),
		Type.Literal("wenet"),
		Type.Literal("nemo-ctc"),
		Type.Literal("dolphin"),
		Type.Literal("firered"),
	]),
	mels: Type.Integer({ minimum: 1, maximum: 256 }),
	/** Feature frames per row of scores. */
	subsampling: Type.Integer({ minimum: 1, maximum: 64 }),
	/** Normalisation of features: of the segment itself, or with these values. */
	perFeature: Type.Boolean(),
	mean: Type.Optional(perMel),
	inverseDeviation: Type.Optional(perMel),
});

export type CtcShape = Static<typeof ctcShapeSchema>;
