/**
 * Errors in the shape that OpenAI's clients read: `{"error": {message, type, param, code}}`, all four keys always there (docs/openai.md). Their SDKs map the
 * HTTP status to an exception and repeat 408, 409, 429 and 5xx twice, unless `x-should-retry` says otherwise; a `Retry-After` above two minutes they ignore.
 */
import type { CodedError, StatusCode } from "../../errors.js";
import { json, retryAfterOf, withHeaders } from "../envelope.js";
import type { ApiResponse } from "../exchange.js";

const retryAfterSecondsMax = 120;

interface Shape {
	readonly code: string;
	/** Default: `invalid_request_error`, or `server_error` from 500 on. */
	readonly type?: string;
	/** Where it differs from the table of errors. */
	readonly http?: number;
}

/** 415 has no class of its own in the SDKs: what is wrong with the audio is 400. */
const shapes: Readonly<Partial<Record<StatusCode, Shape>>> = {
	"100001": { code: "unknown_url" },
	"100002": { code: "method_not_allowed" },
	"100003": { code: "internal_error" },
	"100004": { code: "overloaded" },
	"100005": { code: "rate_limit_exceeded", type: "requests" },
	"100006": { code: "timeout" },
	"110001": { code: "invalid_api_key" },
	"110002": { code: "invalid_api_key" },
	"110003": { code: "insufficient_permissions" },
	"200001": { code: "missing_required_parameter" },
	"200002": { code: "invalid_value" },
	"200003": { code: "invalid_value" },
	"200004": { code: "file_too_large" },
	"200005": { code: "audio_too_long" },
	"200006": { code: "unsupported_format", http: 400 },
	"200007": { code: "empty_audio" },
	"200008": { code: "unsupported_language" },
	"210404": { code: "list_not_found" },
	"211404": { code: "list_not_found" },
	"212404": { code: "list_not_found" },
	"230002": { code: "timeout" },
	"230004": { code: "internal_error" },
};

export function openAiFailure(error: CodedError): ApiResponse {
	const shape = shapes[error.status];
	const http = shape?.http ?? error.http;
	return withHeaders(json(http, { error: openAiError(error) }), {
		...retryHeaders(error),
		...(http === 401 && { "WWW-Authenticate": "Bearer" }),
	});
}

/** What stands under the key `error`. */
export function openAiError(error: CodedError) {
	const shape = shapes[error.status];
	const usualType =
		error.http >= 500 ? "server_error" : "invalid_request_error";
	return {
		message: error.message,
		type: shape?.type ?? usualType,
		param: error.param ?? null,
		code: error.code ?? shape?.code ?? "invalid_value",
	};
}

function retryHeaders(error: CodedError): Record<string, string> {
	if (error.retry === "never") return { "x-should-retry": "false" };
	const seconds = retryAfterOf(error);
	return seconds === undefined
		? {}
		: { "Retry-After": String(Math.min(seconds, retryAfterSecondsMax)) };
}
