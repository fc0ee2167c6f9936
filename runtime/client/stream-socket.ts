/**
 * The WebSocket under a session: where it connects to, and everything that can become of it, in the client's words. The one file that knows `ws`'s events.
 */
import WebSocket from "ws";
import { ConnectionLostError, EarshotError } from "./client-error.js";
import { readRefusal } from "./refusal.js";

export interface SocketEvents {
	onOpen(): void;
	onText(text: string): void;
	/** Binary: the service never sends that. */
	onNoText(): void;
	/** Refused, broken or ended, whatever the reason. May come more than once. */
	onLost(error: EarshotError): void;
}

/** A result with the words of ten minutes is far smaller. */
const messageBytesMax = 16 * 1024 * 1024;

/** @throws EarshotError where the address or the token can't be one. */
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
		const says = `no connection with ${url}: ${cause.message || "refused"}`;
		events.onLost(new ConnectionLostError(1006, says, { cause }));
	});
	socket.on("close", (code, reason) => {
		const why = reason.length > 0 ? ` (${reason})` : "";
		const says = `the connection ended with ${code}${why}, without a result`;
		events.onLost(new ConnectionLostError(code, says));
	});
	return socket;
}

function authorization(token: string | undefined): Record<string, string> {
	if (token === undefined) return {};
	// not put into the message: a secret with a line break in it is a secret still
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
