/** Which web pages may read our answers. Off until the operator names their origins. */
import type { ApiRequest } from "./exchange.js";

const preflightSeconds = 600;

export class Cors {
	readonly #origins: ReadonlySet<string>;

	/** @param origins `https://example.org`; `*`: any. */
	constructor(origins: readonly string[]) {
		this.#origins = new Set(origins);
	}

	headersFor(request: ApiRequest): Record<string, string> {
		const origin = request.header("origin");
		if (this.#origins.size === 0 || !origin) return {};
		if (!this.#origins.has("*") && !this.#origins.has(origin))
			return { Vary: "Origin" };
		return {
			"Access-Control-Allow-Origin": origin,
			"Access-Control-Expose-Headers": "X-Request-Id, Retry-After",
			Vary: "Origin",
			...(request.method === "OPTIONS" && {
				"Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
				"Access-Control-Allow-Headers": "Authorization, Content-Type",
				"Access-Control-Max-Age": String(preflightSeconds),
			}),
		};
	}
}
