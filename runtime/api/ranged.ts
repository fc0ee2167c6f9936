/** A stored body, whole or the `Range` of it that was asked for; of HEAD the whole (RFC 9110, section 14.2). */
import { CodedError } from "../errors.js";
import { failure, withHeaders } from "./envelope.js";
import type { ApiRequest, ApiResponse } from "./exchange.js";
import { byteRange } from "./recordings/byte-range.js";

/** @param bytes of the whole. @param pieces of a part of it, `to` excluded; opened before the header is sent. */
export function ranged(
	request: Pick<ApiRequest, "header" | "method">,
	bytes: number,
	headers: Readonly<Record<string, string>>,
	pieces: (from: number, to: number) => AsyncIterable<Uint8Array>,
): ApiResponse {
	const isGet = request.method === "GET";
	const range = byteRange(isGet ? request.header("range") : undefined, bytes);
	if (range.is === "outside")
		return withHeaders(
			{
				...failure(
					new CodedError("200002", `Range must lie within ${bytes} bytes`),
				),
				http: 416,
			},
			{ "Content-Range": `bytes */${bytes}` },
		);
	const { from, to } = range.is === "part" ? range : { from: 0, to: bytes };
	return {
		http: range.is === "part" ? 206 : 200,
		headers: {
			...headers,
			"Accept-Ranges": "bytes",
			...(range.is === "part" && {
				"Content-Range": `bytes ${from}-${to - 1}/${bytes}`,
			}),
		},
		body: { pieces: () => pieces(from, to), bytes: to - from },
	};
}
