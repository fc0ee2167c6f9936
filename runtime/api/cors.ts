/** Which web pages may read our answers. Off until the operator names their origins. */
import type { ApiRequest } from "./exchange.js";

const preflightSeconds = 600;

export class Cors {
	readonly #origins: () => readonly string[];

	/** @param origins currently in force: `https://example.org`; `*`: any. */
	constructor(origins: () => readonly string[]) {
		this.#origins = origins;
	}

	headersFor(request: ApiRequest): Record<string, string> {
		const origin = request.header("origin");
		const allowed = this.#origins();
		if (allowed.length === 0 || !origin) return {};
		if (!allowed.includes("*") && !allowed.includes(origin))
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
