/**
 * The envelope of every JSON answer: `{status, message, data}` (docs/interface.md section 2.1).
 */
import { type CodedError, successStatus } from "../errors.js";
import type { ApiResponse } from "./exchange.js";
import { joined, type PieceMaker } from "./in-pieces.js";

const unknownRetryAfterSeconds = 5;
const jsonHeaders = {
	"Content-Type": "application/json; charset=utf-8",
	"Cache-Control": "no-store",
};

/** @param message replaces the plain "success". */
export function success(data: unknown, message = "success"): ApiResponse {
	return json(200, { status: successStatus, message, data });
}

/**
 * @param texts that together are the JSON of `data`, where that is too long to be built at once.
 * @param after the end of the envelope, asked for when `texts` has ended.
 */
export function successInPieces(
	texts: Iterable<string>,
	maker: PieceMaker,
	message = "success",
	after = () => "}",
): ApiResponse {
	const before = `{"status":"${successStatus}","message":${JSON.stringify(message)},"data":`;
	const pieces = () => maker.inPieces(joined(before, texts, after));
	return { http: 200, headers: jsonHeaders, body: { pieces } };
}

/** @param data that the endpoint promises to send with an error. */
export function failure(error: CodedError, data: unknown = null): ApiResponse {
	const answer = json(error.http, {
		status: error.status,
		message: error.message,
		data,
	});
	const extra: Record<string, string> = {};
	const retryAfterSeconds = retryAfterOf(error);
	if (retryAfterSeconds !== undefined)
		extra["Retry-After"] = String(retryAfterSeconds);
	if (error.http === 401) extra["WWW-Authenticate"] = "Bearer";
	return withHeaders(answer, extra);
}

/** @returns whole seconds, at least one; undefined where a retry is not recommended. */
export function retryAfterOf(error: CodedError): number | undefined {
	const { retryAfterSeconds = retryAfterUsual(error) } = error;
	return retryAfterSeconds === undefined
		? undefined
		: Math.max(1, Math.ceil(retryAfterSeconds));
}

/** An engine at capacity does not know for how long, and docs/decisions.md section 1 requires a Retry-After. */
function retryAfterUsual({ status }: CodedError): number | undefined {
	return status === "100004" ? unknownRetryAfterSeconds : undefined;
}

export function withHeaders(
	response: ApiResponse,
	headers: Readonly<Record<string, string>>,
): ApiResponse {
	return { ...response, headers: { ...response.headers, ...headers } };
}

/** Without an envelope: for the protocols of others. */
export function json(http: number, body: object): ApiResponse {
	return {
		http,
		headers: jsonHeaders,
		body: JSON.stringify(body),
	};
}
