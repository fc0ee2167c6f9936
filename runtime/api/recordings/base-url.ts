/** The base URL of links in answers: `server.public_url` if set, else what the caller addressed. */
import type { Addressed } from "../exchange.js";

/** @returns without a slash at the end; empty where the request has no valid host: links are paths then. */
export function baseUrlOf(
	{ host, isSecure, prefix }: Addressed,
	publicUrl: string,
): string {
	if (publicUrl !== "") return publicUrl.replace(/\/+$/, "");
	if (host === undefined) return "";
	return `${isSecure ? "https" : "http"}://${host}${prefix}`;
}
