/** A text frame as a JSON object, if it is one. */
import { isJsonObject, type JsonObject } from "../../json/json-object.js";
import { jsonOf } from "../../json/json-parser.js";

export function objectOf(text: string): JsonObject | undefined {
	if (!/^\s*\{/.test(text)) return undefined;
	try {
		return asObject(jsonOf(text));
	} catch {
		return undefined;
	}
}

export function asObject(value: unknown): JsonObject | undefined {
	return isJsonObject(value) ? value : undefined;
}

/** Texts and numbers of an object, as a query has them. @param names those that are looked at. */
export function textsOf(
	object: JsonObject | undefined,
	names: readonly string[],
): Record<string, string> {
	const texts: Record<string, string> = {};
	for (const name of names) {
		const value =
			object && Object.hasOwn(object, name) ? object[name] : undefined;
		if (["string", "number", "boolean"].includes(typeof value))
			texts[name] = String(value);
	}
	return texts;
}
