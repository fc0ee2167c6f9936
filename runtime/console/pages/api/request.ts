/** The request that was typed, as this page sends it and as curl would. */
import { apiUrl, type RequestParts } from "../../app/api.js";
import { shellQuoted } from "../../parts/shell-quoted.js";
import { formFields, type Named, pathWith, type Values } from "./documents.js";

export interface TypedRequest {
	/** Of parameters, and of the fields of a form. */
	readonly values: Values;
	/** JSON. */
	readonly body: string;
	readonly file: File | undefined;
}

export function takesJson({ requestBody }: Named): boolean {
	return requestBody?.content["application/json"] !== undefined;
}

function takesForm(operation: Named): boolean {
	const content = operation.requestBody?.content ?? {};
	return !takesJson(operation) && content["multipart/form-data"] !== undefined;
}

export function requestOf(
	operation: Named,
	typed: TypedRequest,
): RequestParts & { readonly path: string } {
	const { body, file } = typed;
	const parts = {
		...pathWith(operation, typed.values),
		method: operation.method as NonNullable<RequestParts["method"]>,
	};
	if (!operation.requestBody) return parts;
	if (takesForm(operation)) return { ...parts, body: formOf(operation, typed) };
	if (takesJson(operation))
		return body
			? { ...parts, body, headers: { "Content-Type": "application/json" } }
			: parts;
	return file ? { ...parts, body: file } : parts;
}

function formOf(operation: Named, { values, file }: TypedRequest): FormData {
	const form = new FormData();
	for (const { name } of formFields(operation))
		if (values[name]) form.append(name, values[name]);
	if (file) form.append("file", file);
	return form;
}

export function curlOf(operation: Named, typed: TypedRequest): string {
	const { path, query } = pathWith(operation, typed.values);
	const lines = [
		`curl${operation.method === "GET" ? "" : ` -X ${operation.method}`}`,
		...(operation.security ? [`-H "Authorization: Bearer TOKEN"`] : []),
		...bodyOf(operation, typed),
		shellQuoted(apiUrl(path, query)),
	];
	return lines.join(" \\\n  ");
}

function bodyOf(operation: Named, typed: TypedRequest): readonly string[] {
	const { values, body } = typed;
	if (!operation.requestBody) return [];
	if (takesForm(operation))
		return [
			...formFields(operation)
				.filter(({ name }) => values[name])
				.map(({ name }) => `-F ${shellQuoted(`${name}=${values[name]}`)}`),
			"-F file=@FILE",
		];
	if (!takesJson(operation)) return ["--data-binary @FILE"];
	return body
		? [`-H "Content-Type: application/json"`, `-d ${shellQuoted(body)}`]
		: [];
}
