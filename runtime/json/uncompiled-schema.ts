/**
 * Validates values against JSON Schemas without compiling them: for a large schema and a few values, as of files that are read at each start. Compiling that of a
 * model's manifest takes as long as recognizing half a second of speech; checking a manifest takes a millisecond.
 */
import type { Static, TSchema } from "@sinclair/typebox";
import { Check } from "@sinclair/typebox/value";

/** The answer of `fits` (json-schema.ts), where `whyNot` says why a value does not fit. */
export function fitsUncompiled<S extends TSchema>(
	schema: S,
	value: unknown,
): value is Static<S> {
	return Check(schema, value);
}
