/**
 * `model.json`: what a model package says of itself. One schema gives the type and the check of the file.
 */
import { type Static, Type } from "@sinclair/typebox";
import { modelKinds, shapeFields } from "./kinds.js";

const fileEntry = Type.Object({
	sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
	bytes: Type.Integer({ minimum: 0 }),
});

/** A clip in the package and the words that a sound recognizer hears in it: the health check decodes it for real. */
const probeSchema = Type.Object({
	file: Type.String(),
	language: Type.String(),
	words: Type.Array(Type.String(), { minItems: 1 }),
});

export const manifestSchema = Type.Object({
	schema: Type.Literal(1),
	name: Type.String({ pattern: "^[a-z0-9][a-z0-9._-]*$" }),
	kind: Type.Union(modelKinds.map((it) => Type.Literal(it.name))),
	/** `lang_type` values this model serves; empty where language means nothing. */
	languages: Type.Array(Type.String()),
	licence: Type.String(),
	source: Type.String(),
	quantization: Type.Optional(Type.String()),
	files: Type.Record(Type.String(), fileEntry),
	...shapeFields,
	probe: Type.Optional(probeSchema),
	/** Measured figures, for people: what, value, where. */
	measured: Type.Optional(Type.Record(Type.String(), Type.String())),
});

export type Manifest = Static<typeof manifestSchema>;
