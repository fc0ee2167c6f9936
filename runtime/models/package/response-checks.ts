/** Which responses are not the file that was asked for. */
import { PackageError } from "./model-package.js";

/**
 * @param requestUrl the URL of the request. @param hosts further ones that it may lead to; undefined: any.
 * @throws PackageError; Error where another attempt may succeed
 */
export function refuseResponse(
	requestUrl: string,
	response: Response,
	hosts: readonly string[] | undefined,
): void {
	refuseStatus(requestUrl, response);
	refuseRedirect(requestUrl, response, hosts);
	refusePage(requestUrl, response);
}

function refuseStatus(url: string, { ok, status }: Response): void {
	if (ok) return;
	if (status >= 500 || status === 429 || status === 408)
		throw new Error(`the server returned ${status}`);
	throw new PackageError(`${url}: the server returned ${status}`);
}

/** Encryption is never given up on the way. */
function refuseRedirect(
	requestUrl: string,
	{ url, redirected }: Response,
	hosts: readonly string[] | undefined,
): void {
	if (!redirected) return;
	const from = new URL(requestUrl);
	const to = new URL(url);
	if (from.protocol === "https:" && to.protocol !== "https:")
		throw new PackageError(
			`${requestUrl} leads to ${to.origin}, which is not encrypted: nothing was fetched`,
		);
	if (hosts && to.host !== from.host && !hosts.includes(to.host))
		throw new PackageError(
			`${requestUrl} leads to ${to.host}, another host, and there is no checksum to tell whether that is the same file: nothing was fetched`,
		);
}

function refusePage(url: string, { headers }: Response): void {
	if (
		/^(?:text\/html|application\/xhtml)/i.test(
			headers.get("content-type") ?? "",
		)
	)
		throw new PackageError(
			`${url} returned a web page instead of the file: open it in a browser to see what it says`,
		);
}
