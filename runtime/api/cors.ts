/** Which web pages may read our answers. Off until the operator names their origins. */
import type { ApiRequest, ApiResponse } from "./exchange.js";

const preflightSeconds = 600;
const usualHeaders = "Authorization, Content-Type";
/** What a page's script reads of an answer: an SDK that can't see `x-should-retry` sends the whole file again. */
const exposedHeaders =
	"X-Request-Id, Retry-After, x-should-retry, X-Earshot-Ignored, Content-Disposition, Content-Range";
/** Names of headers as a preflight lists them: SDKs send a dozen of their own. */
const headerNames = /^[A-Za-z0-9-]{1,64}(\s*,\s*[A-Za-z0-9-]{1,64}){0,63}$/;

export class Cors {
	readonly #origins: () => readonly string[];

	/** @param origins currently in force: `https://example.org`; `*`: any. */
	constructor(origins: () => readonly string[]) {
		this.#origins = origins;
	}

	headersFor(request: ApiRequest): Record<string, string> {
		const origin = request.header("origin");
		const allowed = this.#origins();
		if (allowed.length === 0) return {};
		// also without one: a browser that cached such an answer would give it to a page's script
		if (!origin || !(allowed.includes("*") || allowed.includes(origin)))
			return { Vary: "Origin" };
		return {
			"Access-Control-Allow-Origin": origin,
			"Access-Control-Expose-Headers": exposedHeaders,
			Vary: "Origin, Access-Control-Request-Headers",
			...(request.method === "OPTIONS" && {
				"Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
				"Access-Control-Allow-Headers": requestedHeaders(request),
				"Access-Control-Max-Age": String(preflightSeconds),
			}),
		};
	}
}

/** @returns the headers; with what the answer itself varies by, if anything. */
export function withVaryOf(
	answer: Pick<ApiResponse, "headers">,
	headers: Record<string, string>,
): Record<string, string> {
	const all = [answer.headers?.Vary, headers.Vary].filter((it) => it);
	return all.length > 0 ? { ...headers, Vary: all.join(", ") } : headers;
}

/** An allowed origin may send whatever it asks for: who may call is decided by the token. */
function requestedHeaders(request: ApiRequest): string {
	const requested =
		request.header("access-control-request-headers")?.trim() ?? "";
	return headerNames.test(requested) ? requested : usualHeaders;
}
