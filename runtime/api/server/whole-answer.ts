/**
 * Answers that are there as a whole. What the library's `end` can't send it keeps, without a limit, and takes the connection's next request: a client that asks
 * again and again and reads nothing would fill the memory. Here a connection takes no further request while it has unread bytes: the answer stays pending, and
 * the library closes a connection that sends a request meanwhile. All functions are called within `cork`, after the status and the other headers.
 */
import type { HttpResponse } from "uWebSockets.js";
import type { StreamedBody } from "../exchange.js";
import { pieceBytesMax } from "./body-writer.js";

/** @returns what the connection has not taken: the answer is pending until it has; undefined: it is over. */
export function sendWhole(
	res: HttpResponse,
	body: string,
): StreamedBody | undefined {
	// over TLS what was not taken has to be offered again at the same length
	const isLong = Buffer.byteLength(body) > pieceBytesMax;
	if (!isLong) {
		const [, isOver] = res.tryEnd(body, 0); // 0: all of it
		if (isOver) return undefined;
	}
	const bytes = Buffer.from(body);
	const rest = bytes.subarray(res.getWriteOffset());
	return {
		async *pieces() {
			yield rest;
		},
		bytes: bytes.byteLength,
	};
}

/** @param bytes length of the body that a GET would return; undefined if it is not known. */
export function sendHeaders(
	res: HttpResponse,
	bytes: number | undefined,
): void {
	if (bytes !== undefined) res.writeHeader("Content-Length", String(bytes));
	res.endWithoutBody(); // with any argument it would write the length again
}

/**
 * Sends an answer after which the connection will be closed, but not yet: the library closes it along with an answer that it knows to be the last. To the library
 * this one has no end: the body follows in the last header's value, and its last line break is the one that ends the header.
 * @param bytes for an answer to HEAD, with an empty body: the length of the body that a GET would return.
 */
export function sendLast(
	res: HttpResponse,
	body: string,
	bytes = body === "" ? 0 : Buffer.byteLength(body) + "\r\n".length,
): void {
	res.writeHeader("Date", new Date().toUTCString());
	res.writeHeader("Content-Length", String(bytes));
	res.writeHeader("Connection", `close\r\n${body && `\r\n${body}`}`);
}
