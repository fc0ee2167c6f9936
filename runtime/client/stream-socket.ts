/** The WebSocket of a session: its address, and all of its events, translated to the client's errors. The only file that uses `ws`'s events. */
import WebSocket from "ws";
import { ConnectionLostError, EarshotError } from "./client-error.js";
import { readRefusal } from "./refusal.js";

export interface SocketEvents {
	onOpen(): void;
	onText(text: string): void;
	/** Binary data, which the service never sends. */
	onNoText(): void;
	/** Refused, broken or ended, for whatever reason. May be called more than once. */
	onLost(error: EarshotError): void;
}

/** Far larger than a result with the words of ten minutes. */
const messageBytesMax = 16 * 1024 * 1024;

/** @throws EarshotError if the address or the token is not valid. */
export function openSocket(
	url: string,
	token: string | undefined,
	events: SocketEvents,
): WebSocket {
	const socket = new WebSocket(streamAddress(url), {
		headers: authorization(token),
		perMessageDeflate: false,
		maxPayload: messageBytesMax,
	});
	socket.on("open", () => events.onOpen());
	socket.on("message", (data, isBinary) =>
		isBinary ? events.onNoText() : events.onText(data.toString()),
	);
	socket.on("unexpected-response", async (_request, response) =>
		events.onLost(await readRefusal(response)),
	);
	socket.on("error", (cause) => {
		const message = `no connection to ${url}: ${cause.message || "refused"}`;
		events.onLost(new ConnectionLostError(1006, message, { cause }));
	});
	socket.on("close", (code, reason) => {
		const why = reason.length > 0 ? ` (${reason})` : "";
		const message = `the connection ended with ${code}${why}, without a result`;
		events.onLost(new ConnectionLostError(code, message));
	});
	return socket;
}

function authorization(token: string | undefined): Record<string, string> {
	if (token === undefined) return {};
	// the token is not quoted: it may still be a secret
	if (!/^[\x21-\x7e]+$/.test(token))
		throw new EarshotError(
			"",
			"the token contains characters that are not allowed in a token",
		);
	return { authorization: `Bearer ${token}` };
}

function streamAddress(url: string): URL {
	const address = URL.canParse(url) ? new URL(url) : undefined;
	if (!address || !/^(http|ws)s?:$/.test(address.protocol))
		throw new EarshotError(
			"",
			`${url} is not an address such as http://127.0.0.1:7100`,
		);
	address.protocol = address.protocol.replace("http", "ws");
	if (!address.pathname.endsWith("/ws"))
		address.pathname = `${address.pathname.replace(/\/$/, "")}/v1/asr/ws`;
	return address;
}
