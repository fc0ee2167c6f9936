/**
 * Parses an untrusted URL. The WHATWG parser makes one address of every notation (decimal, octal, hex, full-width digits); what it silently repairs (line
 * breaks, backslashes) is refused here instead.
 */
import { isIP } from "node:net";
import { refused } from "./outbound-error.js";

const charactersMax = 2048;

export interface Target {
	readonly url: URL;
	readonly secure: boolean;
	/** Lower case, without brackets and trailing dot. */
	readonly host: string;
	readonly isLiteral: boolean;
	readonly port: number;
}

/** @param base for a redirect that contains only a path. @throws OutboundError "refused" */
export function parseTarget(text: string, base?: URL): Target {
	if (text.length > charactersMax)
		throw refused(`it must be at most ${charactersMax} characters long`);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
	if (/[\x00-\x20\x7f\\]/.test(text))
		throw refused(
			"it must not contain spaces, backslashes or control characters",
		);
	if (!base && !/^https?:\/\//i.test(text))
		throw refused("it must begin with http:// or https://");
	const url = parsed(text, base);
	if (url.protocol !== "http:" && url.protocol !== "https:")
		throw refused("it must be http or https");
	if (url.username !== "" || url.password !== "")
		throw refused("it must not contain a user name or password");
	const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
	if (host === "" || host.includes("%") || host.endsWith("."))
		throw refused("it has no host name");
	const secure = url.protocol === "https:";
	const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
	if (port === 0) throw refused("port 0 is not valid");
	return { url, secure, host, isLiteral: isIP(host) !== 0, port };
}

function parsed(text: string, base: URL | undefined): URL {
	try {
		return new URL(text, base);
	} catch {
		throw refused("it is not a URL");
	}
}
