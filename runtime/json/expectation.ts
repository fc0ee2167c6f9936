/** Describes what a schema expects and what was given instead: "must be an integer from 200 to 1200, got 90". Used by configuration and API alike. */
import type { TSchema } from "@sinclair/typebox";

/** Longer values are truncated: a message is not the place for a body. */
const shownCharactersMax = 80;
const shownUnitsMax = 2 * shownCharactersMax + 2; // a character has at most two units

/** "an integer from 200 to 1200", "true or false", "one of mp3, pcm, wav". */
export function expectation(schema: TSchema): string {
	if (typeof schema["x-expects"] === "string") return schema["x-expects"];
	if (Array.isArray(schema.anyOf)) return ofUnion(schema.anyOf);
	if (schema.const !== undefined) return String(schema.const);
	switch (schema.type) {
		case "integer":
			return `an integer${ofRange(schema)}`;
		case "number":
			return `a number${ofRange(schema)}`;
		case "boolean":
			return "true or false";
		case "string":
			return `a string${ofLength(schema)}`;
		case "array":
			return `a list of ${schema.maxItems === undefined ? "" : `at most ${schema.maxItems} `}${ofItems(schema.items)}`;
		case "object":
			return "an object";
		default:
			return "another value";
	}
}

function ofUnion(members: readonly TSchema[]): string {
	if (members.every((it) => it.const !== undefined))
		return `one of ${members.map((it) => it.const).join(", ")}`;
	return members.map(expectation).join(" or ");
}

function ofRange({ minimum, maximum }: TSchema): string {
	if (minimum !== undefined && maximum !== undefined)
		return ` from ${minimum} to ${maximum}`;
	if (minimum !== undefined) return ` of at least ${minimum}`;
	if (maximum !== undefined) return ` of at most ${maximum}`;
	return "";
}

function ofLength(schema: TSchema): string {
	const { minLength, maxLength } = schema;
	if (minLength && maxLength !== undefined)
		return ` of ${minLength} to ${maxLength} characters`;
	if (maxLength !== undefined) return ` of at most ${maxLength} characters`;
	return minLength ? " that is not empty" : "";
}

function ofItems(items: TSchema | undefined): string {
	if (items?.type === "string") return "strings";
	if (items?.type === "integer") return "integers";
	return "values";
}

/** The value as shown in a message: JSON, truncated, without control characters. */
export function shown(value: unknown): string {
	if (value === undefined) return "nothing";
	if (typeof value === "number" && !Number.isFinite(value))
		return String(value);
	const json = asJson(value);
	const characters = [...json.slice(0, shownUnitsMax)];
	return characters.length <= shownCharactersMax
		? json
		: `${characters.slice(0, shownCharactersMax).join("")}...`;
}

function asJson(value: unknown): string {
	try {
		const room = { left: shownUnitsMax };
		return JSON.stringify(beginningOf(value, room)) ?? String(value);
	} catch {
		return "a value that can't be shown";
	}
}

/** The beginning of a value, as much as may be shown: a value of megabytes must not be serialized for an error message. @param room number of items left. */
function beginningOf(value: unknown, room: { left: number }): unknown {
	if (typeof value === "string") return value.slice(0, shownUnitsMax);
	if (typeof value !== "object" || value === null || value instanceof Date)
		return value;
	const isList = Array.isArray(value);
	const names = isList ? value.keys() : Object.keys(value).values();
	const items: [string | number, unknown][] = [];
	for (const name of names) {
		if (room.left-- <= 0) break;
		const item = (value as Record<string | number, unknown>)[name];
		items.push([name, beginningOf(item, room)]);
	}
	return isList ? items.map(([, item]) => item) : Object.fromEntries(items);
}
