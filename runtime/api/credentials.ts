/** Where a request carries its token. Each endpoint names the ways that its clients use; a query is none of them, since it ends in logs and histories. */
import type { ApiRequest } from "./exchange.js";

/** The part of a request that carries the token. */
export type Credentials = Pick<ApiRequest, "header">;

/** @returns undefined where there is no token, or its form is not one of those accepted. */
export type TokenReader = (request: Credentials) => string | undefined;

const bearerSubprotocol = "bearer.";
/** Of Azure's clients, and of gateways. */
const keyHeaders = ["api-key", "x-api-key"];

/** `Authorization: Bearer <token>`, written so, or the subprotocol. */
export function bearerToken(request: Credentials): string | undefined {
	const header = request.header("authorization");
	if (header !== undefined) return /^Bearer ([\x21-\x7e]+)$/.exec(header)?.[1];
	return bearerSubprotocolOf(request)?.slice(bearerSubprotocol.length);
}

/** A browser can't set headers on a WebSocket, but it can request a subprotocol: `bearer.<token>`. */
export function bearerSubprotocolOf(request: Credentials): string | undefined {
	return subprotocolsOf(request).find((it) => it.startsWith(bearerSubprotocol));
}

/** The scheme in any case, `Basic` with the token as password, `api-key` and `X-API-Key`: for the clients of other servers' protocols. */
export function tokenOfAnyClient(request: Credentials): string | undefined {
	const header = request.header("authorization");
	if (header === undefined) return keyHeaderOf(request) ?? bearerToken(request);
	const [, scheme = "", value = ""] =
		/^([A-Za-z]+) +([\x21-\x7e]+) *$/.exec(header) ?? [];
	switch (scheme.toLowerCase()) {
		case "bearer":
			return value;
		case "basic":
			return passwordOf(value);
		default:
			return undefined;
	}
}

/** What a client addressed, as far as its cookies depend on it. */
type CookiePlace = Pick<ApiRequest, "isSecure" | "host">;

/**
 * One for each scheme: browsers let no page of plain HTTP replace what HTTPS of the same host has set as `Secure`. And one for each port: cookies are a host's,
 * and several appliances may be there.
 */
function sessionCookieOf({ isSecure, host = "" }: CookiePlace): string {
	const scheme = isSecure ? "" : "_http";
	const [, port] = /:(\d+)$/.exec(host) ?? [];
	return `earshot_session${scheme}${port === undefined ? "" : `_${port}`}`;
}

/** @returns the session of a browser that has signed in to the console by the scheme of this request. */
export function sessionOf(
	request: Credentials & CookiePlace,
): string | undefined {
	const sessionCookie = sessionCookieOf(request);
	for (const pair of (request.header("cookie") ?? "").split(";")) {
		const [name, value] = pair.trim().split("=", 2);
		if (name === sessionCookie && value) return value;
	}
	return undefined;
}

/** `Set-Cookie` that begins a session, or ends it with 0 seconds. */
export function sessionCookieFor(
	request: CookiePlace & Pick<ApiRequest, "prefix">,
	session: string,
	seconds: number,
): string {
	const { isSecure, prefix } = request;
	const secure = isSecure ? "; Secure" : "";
	return `${sessionCookieOf(request)}=${session}; Path=${prefix}/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

const realtimeSubprotocol = "openai-insecure-api-key.";

/** As `tokenOfAnyClient`, or the subprotocol that OpenAI's clients send from browsers. */
export function tokenOfRealtimeClient(
	request: Credentials,
): string | undefined {
	return (
		tokenOfAnyClient(request) ??
		subprotocolsOf(request)
			.find((it) => it.startsWith(realtimeSubprotocol))
			?.slice(realtimeSubprotocol.length)
	);
}

/** Those that a client offers, in its order. */
export function subprotocolsOf(request: Credentials): readonly string[] {
	const header = request.header("sec-websocket-protocol") ?? "";
	return header.split(",").map((name) => name.trim());
}

function keyHeaderOf(request: Credentials): string | undefined {
	for (const name of keyHeaders) {
		const value = request.header(name)?.trim();
		if (value) return value;
	}
	return undefined;
}

function passwordOf(base64: string): string | undefined {
	const text = Buffer.from(base64, "base64").toString("utf8");
	const colon = text.indexOf(":");
	const password = colon < 0 ? "" : text.slice(colon + 1);
	return password === "" ? undefined : password;
}
