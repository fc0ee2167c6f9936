/** A JSON body, read whole within its limit. */
import { CodedError } from "../errors.js";
import type { ApiRequest } from "./exchange.js";

/** @throws CodedError 200003 for what is no JSON, 200004 for too much of it. */
export async function readJson(
	request: ApiRequest,
	bytesMax: number,
): Promise<unknown> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of request.body(bytesMax)) chunks.push(chunk);
	try {
		const text = new TextDecoder("utf-8", { fatal: true }).decode(
			Buffer.concat(chunks),
		);
		return JSON.parse(text);
	} catch {
		// the parser's own words would quote the body
		throw new CodedError("200003", "body is not valid JSON in UTF-8");
	}
}
