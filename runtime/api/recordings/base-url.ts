/** This server as its caller knows it, for links in answers: as the operator says (`server.public_url`), else as the caller addressed it. */
import type { ApiRequest } from "../exchange.js";

const hostPattern =
	/^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** @returns without a slash at the end; empty where a caller says nothing that could be a host: its link is a path then. */
export function baseUrlOf(
	request: Pick<ApiRequest, "header">,
	publicUrl: string,
): string {
	if (publicUrl !== "") return publicUrl.replace(/\/+$/, "");
	const host = request.header("host") ?? "";
	if (!hostPattern.test(host)) return "";
	// a proxy in front speaks TLS for us
	const isSecure = request.header("x-forwarded-proto") === "https";
	return `${isSecure ? "https" : "http"}://${host}`;
}
