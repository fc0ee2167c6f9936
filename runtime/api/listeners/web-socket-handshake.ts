/** The HTTP request that begins a WebSocket (RFC 6455, section 4), for listeners that serve nothing else over HTTP. Any path is served. */
import { createHash } from "node:crypto";

/** Of section 1.3. */
const acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const keyPattern = /^[+/0-9A-Za-z]{22}==$/;

export interface Handshake {
	readonly path: string;
	/** @param name in lower case. Several headers of one name are joined by ", ". */
	header(name: string): string | undefined;
}

/** Not a WebSocket's beginning: what is answered over HTTP. */
export class HandshakeError extends Error {
	override readonly name = "HandshakeError";
	readonly http: 400 | 403 | 426;

	constructor(http: 400 | 403 | 426, message: string) {
		super(message);
		this.http = http;
	}
}

/** @param head of the request, with the empty line after it. @throws HandshakeError */
export function readHandshake(head: string): Handshake {
	const [first = "", ...lines] = head.trimEnd().split("\r\n");
	const [, path] = /^GET (\/[^ ]*) HTTP\/1\.1$/.exec(first) ?? [];
	if (path === undefined)
		throw new HandshakeError(400, "not a WebSocket request");
	const headers = headersOf(lines);
	const tokens = (name: string) =>
		(headers.get(name) ?? "").toLowerCase().split(/\s*,\s*/);
	if (!tokens("upgrade").includes("websocket"))
		throw new HandshakeError(426, "this port speaks WebSocket only");
	const isWhole =
		tokens("connection").includes("upgrade") &&
		headers.has("host") &&
		keyPattern.test(headers.get("sec-websocket-key") ?? "");
	if (!isWhole) throw new HandshakeError(400, "not a WebSocket request");
	if (headers.get("sec-websocket-version") !== "13")
		throw new HandshakeError(426, "the WebSocket version must be 13");
	return { path, header: (name) => headers.get(name) };
}

/** No subprotocol and no extension is agreed on. */
export function acceptance({ header }: Handshake): string {
	const hash = createHash("sha1")
		.update(`${header("sec-websocket-key")}${acceptSuffix}`)
		.digest("base64");
	return [
		"HTTP/1.1 101 Switching Protocols",
		"Upgrade: websocket",
		"Connection: Upgrade",
		`Sec-WebSocket-Accept: ${hash}`,
		"\r\n",
	].join("\r\n");
}

export function refusal({ http, message }: HandshakeError): string {
	const names = {
		400: "Bad Request",
		403: "Forbidden",
		426: "Upgrade Required",
	};
	return [
		`HTTP/1.1 ${http} ${names[http]}`,
		"Connection: close",
		"Content-Type: text/plain",
		`Content-Length: ${message.length + 1}`,
		...(http === 426
			? ["Upgrade: websocket", "Sec-WebSocket-Version: 13"]
			: []),
		"",
		`${message}\n`,
	].join("\r\n");
}

/** @throws HandshakeError */
function headersOf(lines: readonly string[]): ReadonlyMap<string, string> {
	const headers = new Map<string, string>();
	for (const line of lines) {
		const [, name, value] =
			/^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
		if (name === undefined || value === undefined)
			throw new HandshakeError(400, "not a WebSocket request");
		const key = name.toLowerCase();
		const before = headers.get(key);
		headers.set(key, before === undefined ? value : `${before}, ${value}`);
	}
	return headers;
}
