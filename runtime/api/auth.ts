/**
 * Who may ask for what (decisions.md section 9). A token is looked up for each request, so one that was made or revoked by the command line counts at once.
 */
import { CodedError } from "../errors.js";
import type { TokenRepository, TokenRow } from "../store/tokens.js";
import type { ApiRequest, Principal } from "./exchange.js";
import type { RateLimiter } from "./rate-limit.js";
import type { Route } from "./router.js";

/** A longer one can't be ours. */
const tokenCharactersMax = 512;

const anonymous: Principal = {
	id: "anonymous",
	name: "anonymous",
	may: () => true,
};

export class Authenticator {
	readonly #tokens: Pick<TokenRepository, "findValid">;
	readonly #limiter: RateLimiter;
	readonly #required: boolean;
	readonly #nowSeconds: () => number;

	constructor(
		tokens: Pick<TokenRepository, "findValid">,
		limiter: RateLimiter,
		required: boolean,
		nowSeconds: () => number = () => Date.now() / 1000,
	) {
		this.#tokens = tokens;
		this.#limiter = limiter;
		this.#required = required;
		this.#nowSeconds = nowSeconds;
	}

	/** @throws CodedError 110001, 110002, 110003 or 100005. */
	admit(request: ApiRequest, access: Route["access"]): Principal {
		if (access === "open" || !this.#required) return anonymous;
		const row = this.#tokenOf(request);
		const principal = principalOf(row);
		if (access !== "token" && !principal.may(access))
			throw new CodedError("110003", `token lacks the scope ${access}`);
		this.#limiter.take(row.id);
		return principal;
	}

	#tokenOf(request: ApiRequest): TokenRow {
		const header = request.header("authorization");
		const token = header && /^Bearer ([\x21-\x7e]+)$/.exec(header)?.[1];
		if (!token) throw new CodedError("110001");
		const row =
			token.length <= tokenCharactersMax
				? this.#tokens.findValid(token, this.#nowSeconds())
				: undefined;
		if (!row) throw new CodedError("110002");
		return row;
	}
}

function principalOf(row: TokenRow): Principal {
	const scopes: readonly string[] = row.scopes;
	return {
		id: row.id,
		name: row.name,
		may: (scope) => scopes.includes(scope) || scopes.includes("admin"),
	};
}
