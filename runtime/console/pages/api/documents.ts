/** The parts of OpenAPI and AsyncAPI that this device writes. */

export interface Schema {
	readonly type?: string;
	/** `binary`: a file. */
	readonly format?: string;
	/** Names of properties. */
	readonly required?: readonly string[];
	readonly enum?: readonly unknown[];
	readonly default?: unknown;
	readonly description?: string;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly items?: Schema;
	readonly anyOf?: readonly Schema[];
	readonly const?: unknown;
}

export interface Parameter {
	readonly name: string;
	readonly in: "path" | "query" | "form";
	readonly required: boolean;
	readonly description?: string;
	readonly schema: Schema;
}

export interface Operation {
	readonly summary: string;
	readonly security?: unknown;
	readonly parameters: readonly Parameter[];
	readonly requestBody?: {
		readonly required: boolean;
		readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
	};
	readonly responses: Readonly<
		Record<string, { readonly description: string }>
	>;
}

export interface OpenApi {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Channel {
	readonly address: string;
	readonly description?: string;
	readonly messages: Readonly<
		Record<string, { readonly payload?: Schema; readonly $ref?: string }>
	>;
}

export interface AsyncApi {
	readonly channels: Readonly<Record<string, Channel>>;
	readonly components?: {
		readonly messages?: Readonly<Record<string, { readonly payload?: Schema }>>;
	};
}

export interface Named extends Operation {
	readonly method: string;
	readonly path: string;
}

export function operationsOf({ paths }: OpenApi): readonly Named[] {
	return Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({
			...operation,
			path,
			method: method.toUpperCase(),
		})),
	);
}

/** In a word or two. */
export function typeText(schema: Schema): string {
	if (schema.enum) return schema.enum.map(String).join(" | ");
	if (schema.const !== undefined) return String(schema.const);
	if (schema.anyOf) return schema.anyOf.map(typeText).join(" | ");
	if (schema.type === "array") return `${typeText(schema.items ?? {})}[]`;
	return schema.type ?? "";
}

/** The fields of the form that an operation takes, its file aside; none where JSON does as well. */
export function formFields({ requestBody }: Operation): readonly Parameter[] {
	const content = requestBody?.content ?? {};
	const form = content["multipart/form-data"]?.schema;
	if (!form || content["application/json"]) return [];
	return Object.entries(form.properties ?? {})
		.filter(([, schema]) => schema.format !== "binary")
		.map(([name, schema]) => ({
			name,
			in: "form",
			required: form.required?.includes(name) ?? false,
			...(schema.description !== undefined && {
				description: schema.description,
			}),
			schema,
		}));
}

/** What is typed for a request, by the names of its parameters. */
export type Values = Readonly<Record<string, string>>;

export function pathWith(
	{ path, parameters }: Named,
	values: Values,
): { path: string; query: Record<string, string> } {
	const query: Record<string, string> = {};
	let filled = path;
	for (const { name, in: where } of parameters)
		if (where === "path")
			filled = filled.replace(
				`{${name}}`,
				encodeURIComponent(values[name] ?? ""),
			);
		else if (values[name]) query[name] = values[name];
	return { path: filled, query };
}
