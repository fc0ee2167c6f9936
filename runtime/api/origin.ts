/** Which pages may call this server from a browser: its own, and those of `server.cors_origins`. */
import { CodedError } from "../errors.js";
import type { UpgradeRequest } from "./live-socket.js";

/** @param origin of the page, as its browser says. @param host that the request addresses, with its port. */
export function isOriginOf(origin: string, host: string | undefined): boolean {
	if (host === undefined || !URL.canParse(origin)) return false;
	const page = new URL(origin);
	// the scheme is the page's: a host may be written with the port that the scheme implies
	return URL.canParse(`${page.protocol}//${host}`)
		? page.host === new URL(`${page.protocol}//${host}`).host
		: false;
}

/** Of a request for a socket. @param allowed `https://example.org`; `*`: any. A page of this server is always allowed. */
export function mayComeFrom(
	request: Pick<UpgradeRequest, "header" | "host">,
	allowed: readonly string[],
): boolean {
	const origin = request.header("origin");
	if (origin === undefined || request.header("authorization") !== undefined)
		return true;
	if (allowed.includes("*") || allowed.includes(origin)) return true;
	return isOriginOf(origin, request.host);
}

/** @throws CodedError 110003 */
export function expectOrigin(
	request: Pick<UpgradeRequest, "header" | "host">,
	allowed: readonly string[],
): void {
	if (mayComeFrom(request, allowed)) return;
	throw new CodedError(
		"110003",
		"pages of this origin may not call this server (server.cors_origins)",
	);
}
