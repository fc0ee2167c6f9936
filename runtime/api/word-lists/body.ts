/**
 * The body of a request about a list: JSON, or a form whose `file` is a text with one entry a line (decisions.md section 5). Either becomes the object that
 * the schemas check.
 */
import { type TObject, type TProperties, Type } from "@sinclair/typebox";
import type { ApiRequest } from "../exchange.js";
import { readJson } from "../json-body.js";
import { isForm, readFormTexts } from "../multipart.js";

/** For OpenAPI: the same as JSON, and a file. */
export function formType<T extends TProperties>({ properties }: TObject<T>) {
	const file = Type.String({
		format: "binary",
		description:
			"UTF-8 text, one entry a line, in place of words or beside them.",
	});
	return Type.Object({
		...properties,
		...("words" in properties && { words: Type.Optional(properties.words) }),
		file: Type.Optional(file),
	});
}

/** @param headers first lines that a download of this kind may have: a file that begins with one was downloaded here. @throws CodedError 200003, 200004 */
export async function readBody(
	request: ApiRequest,
	bytesMax: number,
	headers: readonly string[],
): Promise<unknown> {
	if (!isForm(request)) return readJson(request, bytesMax);
	const fields = new Map<string, unknown>();
	let words: unknown[] | undefined;
	for (const { name, text, isFile } of await readFormTexts(request, bytesMax))
		if (name === "file" || name === "words") {
			words ??= [];
			const more = name === "file" ? linesOf(text, headers) : wordsIn(text);
			for (const word of more) words.push(word);
		} else if (!isFile && text !== "") fields.set(name, fieldValue(name, text));
	if (words) fields.set("words", words);
	return Object.fromEntries(fields);
}

/** What ends the last line begins no entry. */
function linesOf(text: string, headers: readonly string[]): string[] {
	const lines = text.split(/\r\n|\n|\r/);
	if (headers.includes(lines[0]?.trim() ?? "")) lines.shift();
	if (lines.at(-1) === "") lines.pop();
	return lines;
}

/** A JSON array, or one entry a line. */
function wordsIn(text: string): unknown[] {
	if (!text.trimStart().startsWith("[")) return linesOf(text, []);
	try {
		const list: unknown = JSON.parse(text);
		return Array.isArray(list) ? list : [list];
	} catch {
		return [text];
	}
}

/** As JSON would have it; what can't be is left for the check to name. */
function fieldValue(name: string, text: string): unknown {
	if (name !== "auto_extraction") return text;
	const word = text.toLowerCase();
	return word === "true" ? true : word === "false" ? false : text;
}
