/**
 * `model.json`, the manifest of a model package. One schema provides the type and validates the file.
 */
import { type Static, Type } from "@sinclair/typebox";
import { modelKinds, shapeFields } from "./kinds.js";
import { packageNamePattern } from "./package-name.js";

const fileEntry = Type.Object({
	sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
	bytes: Type.Integer({ minimum: 0 }),
});

/** A clip in the package and the words that a working recognizer finds in it: the health check decodes it. */
const probeSchema = Type.Object({
	file: Type.String(),
	language: Type.String(),
	words: Type.Array(Type.String(), { minItems: 1 }),
});

export const manifestSchema = Type.Object({
	schema: Type.Literal(1),
	name: Type.String({ pattern: packageNamePattern }),
	kind: Type.Union(modelKinds.map((it) => Type.Literal(it.name))),
	/** `lang_type` values that this model supports; empty where the model does not depend on language. */
	languages: Type.Array(Type.String()),
	licence: Type.String(),
	source: Type.String(),
	/** Version of the weights as a date, where a catalogue has one. */
	edition: Type.Optional(Type.String()),
	quantization: Type.Optional(Type.String()),
	files: Type.Record(Type.String(), fileEntry),
	...shapeFields,
	probe: Type.Optional(probeSchema),
	/** Measurements for display: what, value, where. */
	measured: Type.Optional(Type.Record(Type.String(), Type.String())),
});

export type Manifest = Static<typeof manifestSchema>;

/** Of all its files. */
export function bytesOf({ files }: Pick<Manifest, "files">): number {
	return Object.values(files).reduce((sum, it) => sum + it.bytes, 0);
}
