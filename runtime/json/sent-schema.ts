/** A schema as those who send such a value read it. A property with a default is required of the value that was checked, but may be left out by its sender. */

/** @returns a copy without TypeBox's symbols, in which nothing that has a default is required. */
export function sentSchema(schema: object): Record<string, unknown> {
	const text = JSON.stringify(schema, (_, value: unknown) =>
		isObjectSchema(value) ? withoutDefaults(value) : value,
	);
	return JSON.parse(text) as Record<string, unknown>;
}

interface ObjectSchema {
	readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
	readonly required: readonly string[];
}

function isObjectSchema(value: unknown): value is ObjectSchema {
	if (typeof value !== "object" || value === null) return false;
	const { properties, required } = value as Record<string, unknown>;
	return typeof properties === "object" && Array.isArray(required);
}

function withoutDefaults(schema: ObjectSchema): object {
	const { required: names, ...rest } = schema;
	const required = names.filter(
		(it) => schema.properties[it]?.default === undefined,
	);
	return required.length > 0 ? { ...schema, required } : rest;
}
