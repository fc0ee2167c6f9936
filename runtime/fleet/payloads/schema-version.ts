/** In every payload as `schema`. It counts up when a reader that knows the one before would misunderstand; new fields alone do not. */
import { Type } from "@sinclair/typebox";

export const schemaVersion = 1;

export const schema = Type.Literal(schemaVersion, {
	description: "Version of the payloads.",
});

/** Milliseconds since 1970, by the device's clock. */
export const timeMs = (what: string) =>
	Type.Integer({ description: `${what}, milliseconds since 1970.` });
