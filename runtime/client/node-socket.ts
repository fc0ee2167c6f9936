/** The WebSocket of a session in Node: all of its events, translated to the client's errors. The only file that uses `ws`. */
import WebSocket from "ws";
import { ConnectionLostError } from "./client-error.js";
import {
	checkToken,
	endedWith,
	type OpenSocket,
	streamAddress,
} from "./client-socket.js";
import { readRefusal } from "./refusal.js";

/** Far larger than a result with the words of ten minutes. */
const messageBytesMax = 16 * 1024 * 1024;

/** Time for the service to close a connection that is finished. */
const closeGraceMs = 2000;

export const openNodeSocket: OpenSocket = (url, token, events) => {
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
	socket.on("close", (code, reason) =>
		events.onLost(
			new ConnectionLostError(code, endedWith(code, reason.toString())),
		),
	);
	return {
		send: (data, left) => socket.send(data, left),
		close() {
			socket.close(1000);
			setTimeout(() => socket.terminate(), closeGraceMs).unref();
		},
		terminate: () => socket.terminate(),
	};
};

function authorization(token: string | undefined): Record<string, string> {
	if (token === undefined) return {};
	checkToken(token, /^[\x21-\x7e]+$/);
	return { authorization: `Bearer ${token}` };
}
