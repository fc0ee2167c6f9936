/** A JSON body, read whole within its limit and parsed in slices that do not block the event loop. */
import { TextDecoder } from "node:util";
import { CodedError } from "../errors.js";
import { finishInSlices } from "../event-loop/slices.js";
import { JsonBoundError, parsingJson } from "../json/json-parser.js";
import type { ApiRequest } from "./exchange.js";

/** Of requests that have a few short fields. */
export const smallBodyBytesMax = 4096;

/** @throws CodedError 200003 for invalid JSON, 200004 for a body over the limit. */
export async function readJson(
	request: ApiRequest,
	bytesMax: number,
): Promise<unknown> {
	const { text } = await readText(request, bytesMax);
	return parsed(text, request.signal);
}

/** @returns undefined where there is no body: a byte order mark alone is one. @throws CodedError as `readJson` does. */
export async function readJsonIfAny(
	request: ApiRequest,
	bytesMax: number,
): Promise<unknown> {
	const { text, isAny } = await readText(request, bytesMax);
	return isAny ? parsed(text, request.signal) : undefined;
}

/** Decoded as it arrives: decoding a large body at once would block the event loop. */
async function readText(
	request: ApiRequest,
	bytesMax: number,
): Promise<{ readonly text: string; readonly isAny: boolean }> {
	const decoder = new TextDecoder("utf-8", { fatal: true });
	const pieces: string[] = [];
	let bytes = 0;
	for await (const chunk of request.body(bytesMax)) {
		bytes += chunk.byteLength;
		pieces.push(decoded(decoder, chunk));
	}
	pieces.push(decoded(decoder));
	return { text: pieces.join(""), isAny: bytes > 0 };
}

/** @param chunk absent at the end of the body. */
function decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
	try {
		return decoder.decode(chunk, { stream: chunk !== undefined });
	} catch {
		throw notJson();
	}
}

/** @throws CodedError 200003; the reason of the signal */
async function parsed(text: string, signal: AbortSignal): Promise<unknown> {
	const facts = { units: text.length, signal };
	try {
		return await finishInSlices(parsingJson(text), facts);
	} catch (thrown) {
		signal.throwIfAborted(); // nobody reads what is wrong
		if (thrown instanceof JsonBoundError)
			throw new CodedError("200003", `body ${thrown.message}`);
		throw notJson(); // the parser's message would quote the body
	}
}

function notJson(): CodedError {
	return new CodedError("200003", "body is not valid JSON in UTF-8");
}
