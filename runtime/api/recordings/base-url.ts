/** The base URL of links in answers: `server.public_url` if set, else the host that the caller addressed. */
import type { ApiRequest } from "../exchange.js";

const hostPattern =
	/^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** @returns without a slash at the end; empty where the request has no valid host: links are paths then. */
export function baseUrlOf(
	request: Pick<ApiRequest, "header" | "isSecure">,
	publicUrl: string,
): string {
	if (publicUrl !== "") return publicUrl.replace(/\/+$/, "");
	const host = request.header("host") ?? "";
	if (!hostPattern.test(host)) return "";
	// a proxy in front may terminate TLS
	const isSecure =
		request.isSecure || request.header("x-forwarded-proto") === "https";
	return `${isSecure ? "https" : "http"}://${host}`;
}
