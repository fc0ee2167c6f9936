/** What a server writes to a socket that a test opened itself. */
import type { Socket } from "node:net";

/** Reads a socket until the other side ends it, or until `enough` matches. */
export function readSocket(socket: Socket, enough?: RegExp): Promise<string> {
	return new Promise((resolve) => {
		let text = "";
		const done = () => resolve(text);
		socket.on("data", (bytes) => {
			text += bytes.toString();
			if (enough?.test(text)) done();
		});
		socket.on("error", done); // a reset after the answer: what counts is what was read
		socket.on("close", done);
	});
}
