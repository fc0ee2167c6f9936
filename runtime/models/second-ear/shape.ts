/** The part of model.json that a syllable recognizer has. */
import { type Static, Type } from "@sinclair/typebox";
import { zipformerShapeSchema } from "../zipformer/shape.js";

export const secondEarShapeSchema = Type.Object({
	zipformer: zipformerShapeSchema,
	/** Weights of the scores that are added up when a text is chosen (search/lattice), by name. */
	weights: Type.Record(
		Type.String({ pattern: "^[a-z][A-Za-z]*$" }),
		// JSON's 1e999 is infinite
		Type.Number({ minimum: -1e6, maximum: 1e6 }),
		{ additionalProperties: false },
	),
});

export type SecondEarShape = Static<typeof secondEarShapeSchema>;
