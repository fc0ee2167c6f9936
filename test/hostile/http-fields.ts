/** Every parameter, body key and form field of the HTTP API, from its own OpenAPI document: a new one is here by itself. */
import { pcmWav } from "../audio/wav-bytes.js";
import {
	anyText,
	baseOf,
	exampleOf,
	type Field,
	type FieldSchema,
	kindOf,
	type Value,
} from "./field.js";

interface Parameter {
	readonly name: string;
	readonly in: "path" | "query";
	readonly required: boolean;
	readonly schema: FieldSchema;
}

interface Operation {
	readonly parameters: readonly Parameter[];
	readonly requestBody?: {
		readonly content: Readonly<
			Record<string, { readonly schema: FieldSchema }>
		>;
	};
}

interface OpenApi {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Of a request's headers and line there are 64 KiB; a byte that is escaped takes three. */
const urlBytesMax = 20_000;
const tokenBytesMax = 60 * 1024;
/** `limits.json_body_bytes_max`, but for what stands around. */
const bodyBytesMax = 8 * 1024 * 1024 - 1024;
const uploadBytesMax = 900 * 1024;

/** A tenth of a second, so that a form with a file is read to its end. */
export const silence = new Blob([pcmWav(Buffer.alloc(3200))]);

/** Its name is enough to refuse it, or to leave it out: its text is nobody's. */
const unknownField: [string, FieldSchema] = ["unknown", { type: "unknown" }];

/** Where words come with their language, it decides what they may be. */
const wordForms: readonly Record<string, unknown>[] = [
	{ lang_type: "en-US" },
	{ lang_type: "ja-JP" },
	{ lang_type: "zh-cmn-Hans-CN", auto_extraction: true },
];

export class HttpFields {
	readonly #url: string;
	readonly #token: string;

	constructor(url: string, token: string) {
		this.#url = url;
		this.#token = token;
	}

	async all(): Promise<Field[]> {
		const ids = {
			hotwords_id: await this.makeList("hotwords", ["a"]),
			correction_words_id: await this.makeList("correction-words", ["a,b"]),
			forbidden_words_id: await this.makeList("forbidden-words", ["a"]),
		};
		const answer = await this.#send("GET", "/v1/openapi.json");
		const { paths } = (await answer.json()) as OpenApi;
		return Object.entries(paths).flatMap(([path, operations]) =>
			Object.entries(operations).flatMap(([method, operation]) =>
				this.#fieldsOf(method.toUpperCase(), path, operation, ids),
			),
		);
	}

	/** @returns its id. */
	async makeList(kind: string, words: readonly string[]): Promise<string> {
		const body = JSON.stringify({ lang_type: "en-US", words });
		const answer = await this.#send("POST", `/v1/${kind}`, body);
		const { data } = (await answer.json()) as { data: { id: string } };
		return data.id;
	}

	/** @returns the status that came back, or the code of an error in OpenAI's shape. */
	async ask(
		method: string,
		path: string,
		body?: string | FormData,
	): Promise<string | undefined> {
		const text = await (await this.#send(method, path, body)).text();
		const [, status, code] =
			/^\{"status":"(\d{6})"|^\{"error":\{.*"code":"(\w+)"/.exec(text) ?? [];
		return status ?? code;
	}

	/** @param ids of lists that are there, by the names of their parameters. */
	#fieldsOf(
		method: string,
		path: string,
		operation: Operation,
		ids: Readonly<Record<string, string>>,
	): Field[] {
		const name = `${method} ${path}`;
		const named = path.replace(/\{(\w+)\}/g, (whole, id) => ids[id] ?? whole);
		const { parameters, requestBody } = operation;
		const content = Object.entries(requestBody?.content ?? {});
		return [
			...parameters.map((it) => this.#parameter(method, path, it, parameters)),
			...content.flatMap(([type, { schema }]) => {
				if (type === "application/json")
					return this.#jsonFields(`${name} (JSON)`, method, named, schema);
				if (type === "multipart/form-data")
					return this.#formFields(`${name} (form)`, method, named, schema);
				return []; // audio
			}),
		];
	}

	#parameter(
		method: string,
		path: string,
		parameter: Parameter,
		all: readonly Parameter[],
	): Field {
		const { name } = parameter;
		return {
			name: `${method} ${path}: ${name}`,
			bytesMax: urlBytesMax,
			...kindOf(parameter.schema),
			shapes: anyText.shapes,
			send: async (value) => {
				const given = new URLSearchParams();
				let place = path;
				for (const it of all) {
					if (!it.required && it.name !== name) continue;
					const text = it.name === name ? `${value}` : `${exampleOfText(it)}`;
					if (it.in === "query") given.set(it.name, text);
					else place = place.replace(`{${it.name}}`, escaped(text));
				}
				return this.ask(method, `${place}?${given}`);
			},
		};
	}

	#jsonFields(
		name: string,
		method: string,
		path: string,
		schema: FieldSchema,
	): Field[] {
		const bytesMax = path.startsWith("/platform/")
			? tokenBytesMax
			: bodyBytesMax;
		const fields: readonly [string, FieldSchema][] = [
			...Object.entries(schema.properties ?? {}),
			unknownField,
		];
		return fields.flatMap(([field, property]) =>
			formsOf(field, schema).map((form): Field => {
				const send = async (value: Value) => {
					const body = { ...baseOf(schema), ...form, [field]: value };
					const text = JSON.stringify(body);
					return this.ask(method, path, text);
				};
				const shown = `${name}: ${field} ${form.lang_type ?? ""}`.trim();
				return { name: shown, bytesMax, ...kindOf(property), send };
			}),
		);
	}

	#formFields(
		name: string,
		method: string,
		path: string,
		schema: FieldSchema,
	): Field[] {
		const bytesMax = path.includes("/upload") ? uploadBytesMax : bodyBytesMax;
		const fields: readonly [string, FieldSchema][] = [
			...Object.entries(schema.properties ?? {}),
			unknownField,
		];
		return fields.flatMap(([field, property]) =>
			formsOf(field, schema).map((form): Field => {
				const { isChoice } = kindOf(property);
				const send = async (value: Value) => {
					const data = new FormData();
					const base = { ...baseOf(schema), ...form };
					if (path.includes("/upload"))
						data.set("file_url", `${exampleOf("file_url", {})}`);
					for (const [key, it] of Object.entries(base))
						data.set(key, key === "file" ? silence : `${it}`);
					data.delete(field);
					for (const text of [value].flat())
						data.append(field, field === "file" ? new Blob([text]) : text);
					return this.ask(method, path, data);
				};
				const shown = `${name}: ${field} ${form.lang_type ?? ""}`.trim();
				return {
					name: shown,
					bytesMax,
					shapes: anyText.shapes,
					isChoice,
					send,
				};
			}),
		);
	}

	#send(
		method: string,
		path: string,
		body?: string | FormData,
	): Promise<Response> {
		return fetch(this.#url + path, {
			method,
			headers: { Authorization: `Bearer ${this.#token}` },
			...(body !== undefined && { body }),
		});
	}
}

function formsOf(
	field: string,
	{ properties = {} }: FieldSchema,
): readonly Record<string, unknown>[] {
	const isWords = field === "words" || (field === "file" && properties.words);
	return isWords && properties.lang_type ? wordForms : [{}];
}

function exampleOfText({ name, schema }: Parameter): unknown {
	return /_id$|^file$/.test(name) ? "none" : exampleOf(name, schema);
}

/** Halves of surrogate pairs have no bytes. */
function escaped(text: string): string {
	return encodeURIComponent(Buffer.from(text).toString());
}
