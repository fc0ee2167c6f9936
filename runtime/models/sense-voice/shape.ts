/** The parameters of the graph in the manifest of a SenseVoice package. */
import { type Static, Type } from "@sinclair/typebox";

/** Values from the graph's metadata, which the exporter wrote. */
export const senseVoiceShapeSchema = Type.Object({
	/** Feature frames that are stacked into one, and the hop between stacks. */
	windowFrames: Type.Integer({ minimum: 1, maximum: 64 }),
	hopFrames: Type.Integer({ minimum: 1, maximum: 64 }),
	/** Samples are scaled to the 16-bit range. */
	sixteenBit: Type.Boolean(),
	vocabulary: Type.Integer({ minimum: 2, maximum: 200_000 }),
	/** Values of the input `language`; `withMarks` and `withoutMarks` are those of `text_norm`. */
	languageIds: Type.Object({
		auto: Type.Integer({ minimum: 0 }),
		zh: Type.Integer({ minimum: 0 }),
		en: Type.Integer({ minimum: 0 }),
		ja: Type.Integer({ minimum: 0 }),
	}),
	withMarks: Type.Integer({ minimum: 0 }),
	withoutMarks: Type.Integer({ minimum: 0 }),
	/** Normalisation of features: `negativeMean` is added, then `inverseDeviation` multiplied; each has the width of a stacked frame. */
	negativeMean: Type.Array(Type.Number(), { minItems: 1, maxItems: 16_384 }),
	inverseDeviation: Type.Array(Type.Number(), {
		minItems: 1,
		maxItems: 16_384,
	}),
});

export type SenseVoiceShape = Static<typeof senseVoiceShapeSchema>;
