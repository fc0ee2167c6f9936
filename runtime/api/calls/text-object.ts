/** A text frame, and the JSON object that it is, if it is one: it is parsed once, whoever's protocol it turns out to be. */
import { isJsonObject, type JsonObject } from "../../json/json-object.js";
import { parseThen } from "../feed/parse-then.js";

export interface TextFrame {
	readonly text: string;
	readonly object: JsonObject | undefined;
}

/** @returns a promise where it takes longer than a moment. */
export function readFrame(
	text: string,
	take: (frame: TextFrame) => void,
): Promise<void> | undefined {
	const takeObject = (object: JsonObject | undefined) => {
		take({ text, object });
		return undefined;
	};
	if (!/^\s*\{/.test(text)) return takeObject(undefined);
	return parseThen(
		text,
		(parsed) => takeObject(asObject(parsed)),
		() => takeObject(undefined),
	);
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
