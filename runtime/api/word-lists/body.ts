/**
 * The body of a word-list request: JSON, or a form whose `file` is a text with one entry per line (docs/decisions.md section 5). Both become the object that
 * the schemas validate.
 */
import { type TObject, type TProperties, Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import type { Piecewise } from "../../event-loop/piecewise.js";
import { finishInSlices } from "../../event-loop/slices.js";
import { JsonBoundError, parsingJson } from "../../json/json-parser.js";
import { lowerCaseOf } from "../../text/lower-case.js";
import type { ApiRequest } from "../exchange.js";
import { readJson } from "../json-body.js";
import { isForm, readFormTexts } from "../multipart.js";

/** The maximum for a JSON list as well. */
const entriesMax = 1_000_000;
const linesOfPiece = 1000;
/** Of texts: what an entry hardly begins with. Its lines would be entries with quotes and commas. */
const beginsAsArray = /^\s*\[\s*(?:"|\]|$)/u;

/** For OpenAPI: the JSON properties, and a file. */
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

/** @param headers first lines that a download of this kind may have: they are skipped in an uploaded file. @throws CodedError 200003, 200004 */
export async function readBody(
	request: ApiRequest,
	bytesMax: number,
	headers: readonly string[],
): Promise<unknown> {
	if (!isForm(request)) return readJson(request, bytesMax);
	const fields = new Map<string, unknown>();
	const words: unknown[][] = [];
	const parts = await readFormTexts(request, bytesMax);
	// a field that was left empty is absent: browsers send every one; only a named file may be an empty list
	for (const { name, text, isFile, isNamed } of parts)
		if (text === "" && !isNamed) continue;
		else if (name === "file")
			words.push(await linesIn(text, headers, request.signal));
		else if (name === "words") words.push(await wordsIn(text, request.signal));
		else if (!isFile) fields.set(name, fieldValue(name, text));
	const [first, ...others] = words;
	if (words.reduce((sum, it) => sum + it.length, 0) > entriesMax)
		throw unreadable(`has more than ${entriesMax} entries`);
	// `flat` would take a tenth of a second for a million
	if (first) fields.set("words", first.concat(...others));
	return Object.fromEntries(fields);
}

async function linesIn(
	text: string,
	headers: readonly string[],
	signal: AbortSignal,
): Promise<string[]> {
	const facts = { units: text.length, signal };
	const lines = await finishInSlices(cuttingLines(text), facts);
	return headers.includes(lines[0]?.trim() ?? "") ? lines.slice(1) : lines;
}

/** Parses a JSON array, or one entry per line: a bracket may also begin the first of those, "[Music] at night". @throws CodedError 200003 for a broken array */
async function wordsIn(text: string, signal: AbortSignal): Promise<unknown[]> {
	if (!text.trimStart().startsWith("[")) return linesIn(text, [], signal);
	const facts = { units: text.length, signal };
	try {
		const list = await finishInSlices(parsingJson(text), facts);
		return Array.isArray(list) ? list : [list];
	} catch (thrown) {
		signal.throwIfAborted();
		if (thrown instanceof JsonBoundError) throw unreadable(thrown.message);
		if (beginsAsArray.test(text)) throw unreadable("is a broken JSON array");
		return linesIn(text, [], signal);
	}
}

/** Cuts at LF, CR and CR LF. A line end at the end of the text adds no empty line. */
function* cuttingLines(text: string): Piecewise<string[]> {
	const lines: string[] = [];
	let lineFeed = placeOf("\n", text, 0);
	let carriageReturn = placeOf("\r", text, 0);
	for (let from = 0; from < text.length; ) {
		if (lineFeed < from) lineFeed = placeOf("\n", text, from);
		if (carriageReturn < from) carriageReturn = placeOf("\r", text, from);
		const to = Math.min(lineFeed, carriageReturn);
		lines.push(text.slice(from, to));
		from = text.startsWith("\r\n", to) ? to + 2 : to + 1;
		if (lines.length > entriesMax)
			throw unreadable(`has more than ${entriesMax} lines`);
		if (lines.length % linesOfPiece === 0) yield;
	}
	return lines;
}

/** @returns the text's end where `mark` is not found. */
function placeOf(mark: string, text: string, from: number): number {
	const at = text.indexOf(mark, from);
	return at < 0 ? text.length : at;
}

function unreadable(why: string): CodedError {
	return new CodedError("200003", `the text of words ${why}`);
}

/** Converts a field to its JSON type; an invalid value is left for the schema to report. */
function fieldValue(name: string, text: string): unknown {
	if (name !== "auto_extraction") return text;
	const word = lowerCaseOf(text);
	return word === "true" ? true : word === "false" ? false : text;
}
