/**
 * Values of others against JSON Schemas of ours. The only file that knows ajv. A schema is compiled when something is first held against it; that it is a
 * schema itself is for the tests and not checked at every start, which would take a tenth of a second.
 */
import type { Static, TSchema } from "@sinclair/typebox";
import { Ajv } from "ajv";

const ajv = new Ajv({ strict: false, meta: false, validateSchema: false });

/** @param schema kept for as long as the program runs: no schema made for one value. */
export function fits<S extends TSchema>(
	schema: S,
	value: unknown,
): value is Static<S> {
	return ajv.validate(schema, value);
}

/** Why a value does not fit: its first fault, as a JSON pointer and a sentence. */
export function whyNot<S extends TSchema>(
	schema: S,
	value: unknown,
): { readonly path: string; readonly message: string } {
	ajv.validate(schema, value);
	const [fault] = ajv.errors ?? [];
	return { path: fault?.instancePath ?? "", message: fault?.message ?? "" };
}
