/** What a browser may do with the console: nothing but talk to this server. */
import type { Addressed } from "../exchange.js";

/** @param host that the browser addresses: `'self'` does not cover WebSockets everywhere. */
export function pageHeaders({
	host,
	signedIn,
}: Pick<Addressed, "host" | "signedIn">): Record<string, string> {
	const sockets = host === undefined ? "" : ` ws://${host} wss://${host}`;
	const policy = {
		"default-src": "'none'",
		"script-src": "'self'",
		"style-src": "'self'",
		"img-src": "'self' data:",
		"media-src": "'self' blob:",
		"connect-src": `'self'${sockets}`,
		"worker-src": "'self'",
		"manifest-src": "'self'",
		"base-uri": "'none'",
		"form-action": "'none'",
		"frame-ancestors": signedIn ? "'self'" : "'none'",
	};
	return {
		"Content-Security-Policy": Object.entries(policy)
			.map(([name, value]) => `${name} ${value}`)
			.join("; "),
		"X-Frame-Options": signedIn ? "SAMEORIGIN" : "DENY",
		"Referrer-Policy": "no-referrer",
		"Permissions-Policy": "microphone=(self)",
		"Cross-Origin-Opener-Policy": "same-origin",
	};
}
