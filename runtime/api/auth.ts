/**
 * Authentication and scopes (docs/decisions.md section 9). A token is looked up for each request, so one that the command line creates or revokes counts at
 * once.
 */
import type { Clock } from "../clock/clock.js";
import { CodedError } from "../errors.js";
import { anonymousOwner, type Owner } from "../owner.js";
import { type TokenRow, tokenOwner } from "../store/token-row.js";
import type { TokenRepository } from "../store/tokens.js";
import type { LastCalls } from "./access/last-calls.js";
import type { LastUse } from "./access/last-use.js";
import {
	bearerToken,
	type Credentials,
	sessionOf,
	type TokenReader,
} from "./credentials.js";
import type { ApiRequest, Principal } from "./exchange.js";
import { isLoopback } from "./network-of.js";
import { expectOrigin, isOriginOf } from "./origin.js";
import type { RateLimiter } from "./rate-limit.js";
import type { Route } from "./router.js";

/** The part of a request that decides whether its token may be looked at. */
export type Arrived = Credentials &
	Pick<ApiRequest, "isSecure" | "remoteAddress" | "host" | "signedIn"> & {
		/** Undefined for a WebSocket. */
		readonly method?: string;
		readonly path?: string;
	};

/** A longer token can't be one of ours. */
const tokenCharactersMax = 512;

const anonymous: Principal = {
	id: "anonymous",
	owner: anonymousOwner,
	name: "anonymous",
	may: () => true,
};

export interface AuthenticatorParts {
	readonly tokens: Pick<TokenRepository, "findValid">;
	/** Tokens that are not in the store. */
	readonly secrets?: {
		find(token: string): { readonly principal: Principal } | undefined;
	};
	readonly limiter: RateLimiter;
	/** Told of each use of a token. */
	readonly lastUse?: Pick<LastUse, "note">;
	/** Told of each request that is let in, whosever it is. */
	readonly lastCalls?: Pick<LastCalls, "note">;
	/** Tokens are required. */
	readonly required: boolean;
	/** Requests that others could read on their way are refused. Read for each request: a reload may change it. */
	readonly tlsRequired: () => boolean;
	/** Whose pages may change something where no token is required. */
	readonly corsOrigins: () => readonly string[];
	readonly clock: Pick<Clock, "expirySeconds">;
}

export class Authenticator {
	readonly #parts: AuthenticatorParts;

	constructor(parts: AuthenticatorParts) {
		this.#parts = parts;
	}

	/** @throws CodedError 110001, 110002, 110003 or 100005. */
	admit(
		request: Arrived,
		access: Route["access"],
		tokenOf?: TokenReader,
	): Principal {
		const principal = this.identify(request, access, tokenOf);
		this.charge(principal);
		return principal;
	}

	/** @throws CodedError 110001, 110002 or 110003. */
	identify(
		request: Arrived,
		access: Route["access"],
		tokenOf: TokenReader = bearerToken,
	): Principal {
		if (access === "open") return anonymous;
		if (request.signedIn) return request.signedIn;
		this.requirePrivacy(request);
		if (!this.#parts.required) {
			if (isChange(request)) expectOrigin(request, this.#parts.corsOrigins());
			this.#parts.lastCalls?.note(request, "");
			return anonymous;
		}
		const token = tokenOf(request);
		const session = token === undefined ? sessionOf(request) : undefined;
		if (session !== undefined) requireOwnPage(request);
		const principal = this.#principalOf(token, session);
		if (access !== "token" && !principal.may(access))
			throw new CodedError("110003", `token lacks the scope ${access}`);
		const { id, isPassing } = principal;
		this.#parts.lastUse?.note(id, endpointOf(request.path), isPassing);
		this.#parts.lastCalls?.note(request, principal.name);
		return principal;
	}

	/** Refuses what others could read on its way. @throws CodedError 110003 */
	requirePrivacy({ isSecure, remoteAddress, signedIn }: Arrived): void {
		if (isSecure || signedIn) return;
		if (!this.#parts.tlsRequired() || isLoopback(remoteAddress)) return;
		throw new CodedError(
			"110003",
			"this server takes tokens over HTTPS only (tls.required)",
		);
	}

	/** Charges one request to the caller's rate limit. @throws CodedError 100005. */
	charge(principal: Principal): void {
		if (principal === anonymous) return;
		this.#parts.limiter.take(principal.chargedTo ?? principal.id);
	}

	#principalOf(given: string | undefined, session?: string): Principal {
		const token = given ?? session;
		if (!token) throw new CodedError("110001");
		if (token.length > tokenCharactersMax) throw new CodedError("110002");
		const secret = this.#parts.secrets?.find(token);
		if (secret) return secret.principal;
		const row = this.#rowOf(token);
		const isSession = row?.sessionOf !== undefined;
		// a session is good for the browser that it was made in only, and a browser sends nothing else
		if (!row || isSession !== (session !== undefined))
			throw new CodedError("110002");
		return principalOf(row, () => this.#rowOf(token) !== undefined);
	}

	#rowOf(token: string): TokenRow | undefined {
		return this.#parts.tokens.findValid(token, (made) =>
			this.#parts.clock.expirySeconds(made),
		);
	}
}

/** What a page of somebody else may ask for, since it can't read the answer. */
function isReading(method: string | undefined): boolean {
	return method === "GET" || method === "HEAD";
}

/** WebSockets look at their origin themselves. */
function isChange({ method }: Arrived): boolean {
	return method !== undefined && !isReading(method);
}

const pageHeader = "x-earshot-console";

/** A browser sends its cookie along with what the pages of others ask for; only the console can set a header of its own. @throws CodedError 110003 */
function requireOwnPage(request: Arrived): void {
	const origin = request.header("origin");
	const isOwn =
		origin === undefined
			? isReading(request.method)
			: isOriginOf(origin, request.host);
	const isMarked = !isChange(request) || request.header(pageHeader) === "1";
	if (isOwn && isMarked) return;
	throw new CodedError(
		"110003",
		"a session of the console is only good for the console's own requests (X-Earshot-Console, Origin)",
	);
}

function principalOf(row: TokenRow, isInForce: () => boolean): Principal {
	const scopes: readonly string[] = row.scopes;
	return {
		id: row.id,
		...(row.parentId !== undefined && { chargedTo: row.parentId }),
		isPassing: row.appId !== null || row.sessionOf !== undefined,
		owner: tokenOwner(row),
		name: row.name,
		may: (scope) => scopes.includes(scope) || scopes.includes("admin"),
		isInForce,
	};
}

/** Without ids that a path may have. */
function endpointOf(path = ""): string {
	return path.split("/").slice(0, 4).join("/");
}

/** A resource is visible to its owner and to `admin` tokens. */
export function maySee(principal: Principal, owner: Owner): boolean {
	return principal.owner === owner || principal.may("admin");
}
