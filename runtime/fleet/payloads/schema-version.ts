/** `schema` of every payload. It increases when readers of the previous version would misunderstand a message; new fields alone do not increase it. */
import { Type } from "@sinclair/typebox";

export const schemaVersion = 1;

export const schema = Type.Literal(schemaVersion, {
	description: "Version of the payloads.",
});

/** Milliseconds since 1970, by the device's clock. */
export const timeMs = (what: string) =>
	Type.Integer({ description: `${what}, milliseconds since 1970.` });
