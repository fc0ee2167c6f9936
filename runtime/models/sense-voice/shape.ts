/** What the manifest of a SenseVoice package says of its graph. */
import { type Static, Type } from "@sinclair/typebox";

/** SenseVoice, by its exporter's own account (metadata of its graph). */
export const senseVoiceShapeSchema = Type.Object({
	/** Frames of features stacked into one, and those between two of them. */
	windowFrames: Type.Integer({ minimum: 1, maximum: 64 }),
	hopFrames: Type.Integer({ minimum: 1, maximum: 64 }),
	/** Samples are taken as 16-bit numbers. */
	sixteenBit: Type.Boolean(),
	vocabulary: Type.Integer({ minimum: 2, maximum: 200_000 }),
	/** What is asked about: a language, and text as it is written or as it is spoken. */
	languageIds: Type.Object({
		auto: Type.Integer({ minimum: 0 }),
		zh: Type.Integer({ minimum: 0 }),
		en: Type.Integer({ minimum: 0 }),
		ja: Type.Integer({ minimum: 0 }),
	}),
	withMarks: Type.Integer({ minimum: 0 }),
	withoutMarks: Type.Integer({ minimum: 0 }),
	/** Features are moved by one and multiplied by the other, each as long as a stacked frame. */
	negativeMean: Type.Array(Type.Number(), { minItems: 1, maxItems: 16_384 }),
	inverseDeviation: Type.Array(Type.Number(), {
		minItems: 1,
		maxItems: 16_384,
	}),
});

export type SenseVoiceShape = Static<typeof senseVoiceShapeSchema>;
