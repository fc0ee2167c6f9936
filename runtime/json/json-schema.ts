/**
 * Validates values against JSON Schemas. The only file that uses ajv. A schema is compiled at its first use; that it is a valid schema itself is checked by
 * tests and not at every start, which would take a tenth of a second.
 */
import type { Static, TSchema } from "@sinclair/typebox";
import { Ajv } from "ajv";

const ajv = new Ajv({
	strict: false,
	meta: false,
	validateSchema: false,
	code: { optimize: false },
});

/** @param schema stays in memory for as long as the program runs: never create one for a single value. */
export function fits<S extends TSchema>(
	schema: S,
	value: unknown,
): value is Static<S> {
	return ajv.validate(schema, value);
}

/** Why a value does not fit: the first fault, as a JSON pointer and a sentence. */
export function whyNot<S extends TSchema>(
	schema: S,
	value: unknown,
): { readonly path: string; readonly message: string } {
	ajv.validate(schema, value);
	const [fault] = ajv.errors ?? [];
	return { path: fault?.instancePath ?? "", message: fault?.message ?? "" };
}
