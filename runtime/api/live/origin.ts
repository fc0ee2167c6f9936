/**
 * Which web pages may open a socket. A browser lets any page of the world try, and says only where the page is from; whoever shows an
 * `Authorization` header, or says nothing, is no browser.
 */
import type { UpgradeRequest } from "../live-socket.js";

/** @param allowed `https://example.org`; `*`: any. A page of this very server always may. */
export function mayComeFrom(
	request: Pick<UpgradeRequest, "header">,
	allowed: readonly string[],
): boolean {
	const origin = request.header("origin");
	if (origin === undefined || request.header("authorization") !== undefined)
		return true;
	if (allowed.includes("*") || allowed.includes(origin)) return true;
	const host = request.header("host");
	return host !== undefined && hostOf(origin) === host.toLowerCase();
}

function hostOf(origin: string): string | undefined {
	return URL.canParse(origin) ? new URL(origin).host : undefined;
}
