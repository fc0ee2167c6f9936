/** A field that somebody outside may write into: over HTTP, WebSocket or MQTT. */
export interface Field {
	/** "POST /v1/hotwords: name" */
	readonly name: string;
	/** Of its value as JSON: more is not taken there. */
	readonly bytesMax: number;
	/** @param value a text, or a list of texts. @returns the status that came back; undefined where there is none. */
	send(value: Value): Promise<string | undefined>;
	/** What its value may be made of: lists where it takes some. */
	readonly shapes: readonly Shape[];
	/** One of a few values, a number, yes or no: a text is refused before anybody looks into it. */
	readonly isChoice: boolean;
}

export type Value = string | readonly string[];
export type Shape = "text" | "item" | "items";

/** A schema of ours, as the documents show it. */
export interface FieldSchema {
	readonly type?: string;
	readonly enum?: readonly unknown[];
	readonly default?: unknown;
	readonly anyOf?: readonly FieldSchema[];
	readonly items?: FieldSchema;
	readonly properties?: Readonly<Record<string, FieldSchema>>;
	readonly required?: readonly string[] | undefined;
	readonly minimum?: number;
	readonly const?: unknown;
}

/** Good values by name, for what a schema says only by a pattern. */
const examples: Readonly<Record<string, unknown>> = {
	lang_type: "en-US",
	format: "wav",
	app_id: "nobody",
	signatureNonce: "once",
	signature: "none",
	name: "an example", // of a token
	code: "0000-0000", // of a console, which nobody shows
	task_id: "0123456789abcdef0123456789abcdef",
	// refused by policy before anything is fetched
	file_url: "http://127.0.0.1:1/talk.wav",
	microphone: "front",
	expires: "9999999999",
	file: "", // a form sends audio in its place
};

/** A value that the schema takes. */
export function exampleOf(name: string, schema: FieldSchema): unknown {
	if (Object.hasOwn(examples, name)) return examples[name];
	const { type, anyOf, minimum } = schema;
	if (schema.default !== undefined) return schema.default;
	if (schema.const !== undefined) return schema.const;
	if (schema.enum) return schema.enum[0];
	if (anyOf?.[0]) return exampleOf(name, anyOf[0]);
	if (type === "array") return [];
	if (type === "boolean") return false;
	if (type === "integer" || type === "number") return minimum ?? 1;
	throw new Error(`an example of ${name} is missing (test/hostile/field.ts)`);
}

/** The required fields, filled in. */
export function baseOf(schema: FieldSchema): Record<string, unknown> {
	const { required, properties = {} } = schema;
	return Object.fromEntries(
		(required ?? []).map((name) => [
			name,
			exampleOf(name, properties[name] ?? {}),
		]),
	);
}

/** Of a field that takes any text. */
export const anyText = { shapes: ["text"], isChoice: false } as const;

/** What a schema says of the values that are worth trying. */
export function kindOf(
	schema: FieldSchema,
): Pick<Field, "shapes" | "isChoice"> {
	const { type, anyOf } = schema;
	if (type === "array")
		return { shapes: ["text", "item", "items"], isChoice: false };
	const isChoice =
		schema.enum !== undefined ||
		anyOf !== undefined ||
		(type !== undefined && type !== "string");
	return { ...anyText, isChoice };
}
