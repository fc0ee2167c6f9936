/**
 * The envelope of every JSON answer: `{status, message, data}` (docs/interface.md section 2.1).
 */
import { type CodedError, successStatus } from "../errors.js";
import type { ApiResponse } from "./exchange.js";

const unknownRetryAfterSeconds = 5;
const jsonType = "application/json; charset=utf-8";

/** @param message what there is to say beside the plain word. */
export function success(data: unknown, message = "success"): ApiResponse {
	return json(200, { status: successStatus, message, data });
}

/** @param data what an endpoint promises to send beside an error. */
export function failure(error: CodedError, data: unknown = null): ApiResponse {
	const answer = json(error.http, {
		status: error.status,
		message: error.message,
		data,
	});
	const extra: Record<string, string> = {};
	const { retryAfterSeconds = retryAfterUsual(error) } = error;
	if (retryAfterSeconds !== undefined)
		extra["Retry-After"] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
	if (error.http === 401) extra["WWW-Authenticate"] = "Bearer";
	return withHeaders(answer, extra);
}

/** An engine that is at capacity does not say for how long; docs/decisions.md section 1 wants it said. */
function retryAfterUsual({ status }: CodedError): number | undefined {
	return status === "100004" ? unknownRetryAfterSeconds : undefined;
}

export function withHeaders(
	response: ApiResponse,
	headers: Readonly<Record<string, string>>,
): ApiResponse {
	return { ...response, headers: { ...response.headers, ...headers } };
}

function json(http: number, body: object): ApiResponse {
	return {
		http,
		headers: { "Content-Type": jsonType, "Cache-Control": "no-store" },
		body: JSON.stringify(body),
	};
}
