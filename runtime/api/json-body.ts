/** A JSON body, read whole within its limit. */
import { CodedError } from "../errors.js";
import type { ApiRequest } from "./exchange.js";

/** @throws CodedError 200003 for what is no JSON, 200004 for too much of it. */
export async function readJson(
	request: ApiRequest,
	bytesMax: number,
): Promise<unknown> {
	return parsed(await readBytes(request, bytesMax));
}

/** @returns undefined where there is no body at all. @throws CodedError as `readJson` does. */
export async function readJsonIfAny(
	request: ApiRequest,
	bytesMax: number,
): Promise<unknown> {
	const bytes = await readBytes(request, bytesMax);
	return bytes.length === 0 ? undefined : parsed(bytes);
}

async function readBytes(
	request: ApiRequest,
	bytesMax: number,
): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of request.body(bytesMax)) chunks.push(chunk);
	return Buffer.concat(chunks);
}

function parsed(bytes: Buffer): unknown {
	try {
		const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		return JSON.parse(text);
	} catch {
		// the parser's own words would quote the body
		throw new CodedError("200003", "body is not valid JSON in UTF-8");
	}
}
