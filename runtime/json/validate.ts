/**
 * Parameters from outside, validated against the schema that also defines their types and the OpenAPI document. JSON types are strict; in queries and forms
 * numbers and booleans are text. Each error names the parameter, what it must be and what it was (docs/decisions.md sections 1, 10, 11).
 *
 * A property's schema may have keywords besides JSON Schema:
 * - `x-normalise`: a function from the given text to the intended value (aliases, other case, a list in a text);
 * - `x-status`: the status for a text that is not one of its values (default: 200002);
 * - `x-checked-later`: only its type is read here; whether it is valid depends on other parameters;
 * - `x-expects`: what it must be, in words, if the schema alone does not describe it well.
 */
import {
	type Static,
	type TObject,
	type TSchema,
	Type,
} from "@sinclair/typebox";
import { CodedError, type StatusCode } from "../errors.js";
import { lowerCaseOf } from "../text/lower-case.js";
import { expectation, shown } from "./expectation.js";
import { isJsonObject } from "./json-object.js";
import { jsonOf } from "./json-parser.js";
import { fits } from "./json-schema.js";
import { checkUtf8 } from "./utf8-text.js";

/** A text from a fixed set. */
export const oneOf = <const T extends string>(
	values: readonly T[],
	options: object = {},
) =>
	Type.Unsafe<T>({
		type: "string",
		enum: values,
		"x-expects": `one of ${values.join(", ")}`,
		...options,
	});

export const lowerCased = {
	"x-normalise": lowerCaseOf,
};

export interface Parsed<T> {
	readonly values: T;
	/** Unknown names: ignored, and logged at debug level; a limited number, and none that is long enough to be an id or a token. */
	readonly unknown: readonly string[];
}

/**
 * UTF-16 units of a list as text, in all texts of its name together: a hundred hotwords of three columns take 56,000 where each character is escaped (`\u3042`).
 * Up to this, splitting it and parsing it are a matter of milliseconds.
 */
export const listTextUnitsMax = 64 * 1024;
const unknownMax = 20;
const unknownCharactersMax = 31;

/** @param query without the question mark. @throws CodedError */
export function parseQuery<S extends TObject>(
	schema: S,
	query: string,
): Parsed<Static<S>> {
	const texts = new Map<string, string[]>();
	for (const [name, text] of new URLSearchParams(query)) {
		const known = texts.get(name);
		if (known) known.push(text);
		else texts.set(name, [text]);
	}
	return parseTexts(schema, texts);
}

/** @param texts of a query or a form, by name. @throws CodedError */
export function parseTexts<S extends TObject>(
	schema: S,
	texts: ReadonlyMap<string, readonly string[]>,
): Parsed<Static<S>> {
	const given = new Map<string, unknown>();
	for (const [name, some] of texts) {
		const property = propertyOf(schema, name);
		if (property) checkUtf8(name, some);
		given.set(name, property ? fromTexts(name, some, property) : some);
	}
	return check(schema, given);
}

/** @param body result of a JSON parser. @throws CodedError */
export function parseJson<S extends TObject>(
	schema: S,
	body: unknown,
): Parsed<Static<S>> {
	if (!isJsonObject(body))
		throw new CodedError("200003", "body must be a JSON object");
	return check(schema, new Map(Object.entries(body)));
}

/** For JSON whose sender may write numbers or booleans as text: every value except lists and objects is read as in a form. @throws CodedError */
export function parseLenientJson<S extends TObject>(
	schema: S,
	body: Readonly<Record<string, unknown>>,
): Parsed<Static<S>> {
	const given = new Map<string, unknown>();
	for (const [name, value] of Object.entries(body)) {
		const property = propertyOf(schema, name);
		if (value === "") continue; // as in a form, empty is absent
		const isText = property && typeof value !== "object";
		given.set(
			name,
			isText ? fromTexts(name, [String(value)], property) : value,
		);
	}
	return check(schema, given);
}

function check<S extends TObject>(
	schema: S,
	given: ReadonlyMap<string, unknown>,
): Parsed<Static<S>> {
	const values: Record<string, unknown> = {};
	for (const [name, property] of Object.entries(schema.properties)) {
		const raw = given.get(name);
		const value = raw === null || raw === undefined ? undefined : raw;
		if (value !== undefined) values[name] = checked(name, value, property);
		else if (property.default !== undefined) values[name] = property.default;
		else if (schema.required?.includes(name))
			throw new CodedError("200001", `${name} is required`, { param: name });
	}
	const unknown = [...given.keys()]
		.filter((it) => !propertyOf(schema, it))
		.slice(0, unknownMax)
		.map((it) => (it.length > unknownCharactersMax ? "(long)" : it));
	return { values: values as Static<S>, unknown };
}

function checked(name: string, raw: unknown, property: TSchema): unknown {
	const normalise: unknown = property["x-normalise"];
	const value =
		typeof raw === "string" && typeof normalise === "function"
			? normalise(raw)
			: raw;
	if (property["x-checked-later"] || fits(property, value)) return value;
	const status: StatusCode | undefined =
		typeof raw === "string" ? property["x-status"] : undefined;
	throw wrong(name, raw, property, status);
}

function wrong(
	name: string,
	value: unknown,
	property: TSchema,
	status: StatusCode = "200002",
): CodedError {
	return new CodedError(
		status,
		`${name} must be ${expectation(property)}, got ${shown(value)}`,
		{ param: name },
	);
}

/** Converts text to the property's type; what can't be converted stays text, and validation reports it. An empty optional text is absent. */
function fromTexts(
	name: string,
	texts: readonly string[],
	property: TSchema,
): unknown {
	if (property.type === "array") {
		if (unitsOf(texts) > listTextUnitsMax) return texts.join("|"); // no list
		const lists = texts.map(listOfText);
		return lists.find((it) => typeof it === "string") ?? lists.flat();
	}
	if (texts.length > 1)
		throw new CodedError("200002", `${name} was given ${texts.length} times`, {
			param: name,
		});
	const text = texts[0] ?? "";
	const type: string | undefined = property.type ?? property.anyOf?.[0]?.type;
	// programs print up to 17 digits behind zeros: 0.1 * 3 is 0.30000000000000004
	if (type === "integer" || type === "number")
		return /^[+-]?\d{1,15}(\.\d{1,40})?$/.test(text) ? Number(text) : text;
	if (type === "boolean") {
		const word = lowerCaseOf(text);
		return word === "true" ? true : word === "false" ? false : text;
	}
	return text === "" ? undefined : text;
}

/** Whose length is to be judged before anything is done with them. @returns UTF-16 units of all together. */
export function unitsOf(texts: readonly string[]): number {
	return texts.reduce((units, text) => units + text.length, 0);
}

/** A JSON array in a text, or words separated by bars. @returns the text if it is not a list, or too long to be looked into. */
export function listOfText(text: string): unknown[] | string {
	if (text.length > listTextUnitsMax) return text;
	if (!text.trimStart().startsWith("["))
		return text
			.split("|")
			.map((word) => word.trim())
			.filter((word) => word !== "");
	try {
		const list = jsonOf(text);
		return Array.isArray(list) ? list : [list];
	} catch {
		return text;
	}
}

function propertyOf(schema: TObject, name: string): TSchema | undefined {
	return Object.hasOwn(schema.properties, name)
		? schema.properties[name]
		: undefined;
}
