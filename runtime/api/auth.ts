/**
 * Authentication and scopes (docs/decisions.md section 9). A token is looked up for each request, so one that the command line creates or revokes counts at
 * once.
 */
import type { Clock } from "../clock/clock.js";
import { CodedError } from "../errors.js";
import { anonymousOwner, type Owner } from "../owner.js";
import {
	type TokenRepository,
	type TokenRow,
	tokenOwner,
} from "../store/tokens.js";
import type { ApiRequest, Principal } from "./exchange.js";
import type { RateLimiter } from "./rate-limit.js";
import type { Route } from "./router.js";

/** A longer token can't be one of ours. */
const tokenCharactersMax = 512;

/** The part of a request that carries the token. */
export type Credentials = Pick<ApiRequest, "header">;

const bearerSubprotocol = "bearer.";

const anonymous: Principal = {
	id: "anonymous",
	owner: anonymousOwner,
	name: "anonymous",
	may: () => true,
};

export class Authenticator {
	readonly #tokens: Pick<TokenRepository, "findValid">;
	readonly #limiter: RateLimiter;
	readonly #required: boolean;
	readonly #clock: Pick<Clock, "expirySeconds">;

	constructor(
		tokens: Pick<TokenRepository, "findValid">,
		limiter: RateLimiter,
		required: boolean,
		clock: Pick<Clock, "expirySeconds">,
	) {
		this.#tokens = tokens;
		this.#limiter = limiter;
		this.#required = required;
		this.#clock = clock;
	}

	/** @throws CodedError 110001, 110002, 110003 or 100005. */
	admit(request: Credentials, access: Route["access"]): Principal {
		const principal = this.identify(request, access);
		this.charge(principal);
		return principal;
	}

	/** @throws CodedError 110001, 110002 or 110003. */
	identify(request: Credentials, access: Route["access"]): Principal {
		if (access === "open" || !this.#required) return anonymous;
		const principal = principalOf(this.#tokenOf(request));
		if (access !== "token" && !principal.may(access))
			throw new CodedError("110003", `token lacks the scope ${access}`);
		return principal;
	}

	/** Charges one request to the caller's rate limit. @throws CodedError 100005. */
	charge(principal: Principal): void {
		if (principal !== anonymous) this.#limiter.take(principal.id);
	}

	#tokenOf(request: Credentials): TokenRow {
		const token = tokenIn(request);
		if (!token) throw new CodedError("110001");
		const row =
			token.length <= tokenCharactersMax
				? this.#tokens.findValid(token, (made) =>
						this.#clock.expirySeconds(made),
					)
				: undefined;
		if (!row) throw new CodedError("110002");
		return row;
	}
}

/** @returns undefined where there is no token, or its form is not the one accepted. */
function tokenIn(request: Credentials): string | undefined {
	const header = request.header("authorization");
	if (header !== undefined) return /^Bearer ([\x21-\x7e]+)$/.exec(header)?.[1];
	return bearerSubprotocolOf(request)?.slice(bearerSubprotocol.length);
}

/** A browser can't set headers on a WebSocket, but it can request a subprotocol: `bearer.<token>`. */
export function bearerSubprotocolOf(request: Credentials): string | undefined {
	return request
		.header("sec-websocket-protocol")
		?.split(",")
		.map((name) => name.trim())
		.find((name) => name.startsWith(bearerSubprotocol));
}

function principalOf(row: TokenRow): Principal {
	const scopes: readonly string[] = row.scopes;
	return {
		id: row.id,
		owner: tokenOwner(row),
		name: row.name,
		may: (scope) => scopes.includes(scope) || scopes.includes("admin"),
	};
}

/** A resource is visible to its owner and to `admin` tokens. */
export function maySee(principal: Principal, owner: Owner): boolean {
	return principal.owner === owner || principal.may("admin");
}
