/** The part of model.json that a second ear has. */
import { type Static, Type } from "@sinclair/typebox";
import {
	type JointWeights,
	jointWeights,
} from "../../search/lattice/joint-score.js";
import { zipformerShapeSchema } from "../zipformer/shape.js";

/** Bounded, so that no sum is infinite. */
const weight = Type.Number({ minimum: -1e6, maximum: 1e6 });

/** What each score counts when a text is chosen: see search/lattice/joint-score.ts. */
const weights = Type.Object(
	{
		recognizer: weight,
		/** Absent in packages that were added before it existed, as some others. */
		end: Type.Optional(weight),
		internal: weight,
		syllables: weight,
		segmentation: weight,
		changed: weight,
		hotwords: Type.Optional(weight),
		margin: weight,
		hotwordMargin: Type.Optional(weight),
		sureLogp: weight,
		doubt: Type.Number({ minimum: 0, maximum: 1000 }),
		doubtfulWords: Type.Number({ minimum: 0, maximum: 1 }),
	} satisfies Record<keyof JointWeights, unknown>,
	{ additionalProperties: false },
);

export const secondEarShapeSchema = Type.Object({
	zipformer: zipformerShapeSchema,
	weights,
});

export function weightsOf({ weights }: SecondEarShape): JointWeights {
	return { ...jointWeights, ...weights };
}

export type SecondEarShape = Static<typeof secondEarShapeSchema>;
