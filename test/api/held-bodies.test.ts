/** A socket that is paused, because its body's reader is behind: a client that leaves is noticed, and one that only stalls is not ended. */
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import t from "tap";
import type { ApiRequest, ApiResponse } from "../../runtime/api/exchange.js";
import { HttpServer } from "../../runtime/api/server/http-server.js";
import { readSocket } from "./read-socket.js";
import { serverSettings } from "./server-settings.js";

t.jobs = 3; // most of the time of the last one is waiting

const settings = { ...serverSettings, secondMs: 50 };
/** At which the socket is held (body-stream.ts). */
const heldBytes = 256 * 1024;

const chunkOf = (bytes: Uint8Array) =>
	Buffer.concat([
		Buffer.from(`${bytes.length.toString(16)}\r\n`),
		bytes,
		Buffer.from("\r\n"),
	]);

async function countedBody(
	request: Pick<ApiRequest, "body">,
): Promise<ApiResponse> {
	let bytes = 0;
	for await (const piece of request.body(1e6)) bytes += piece.length;
	return { http: 200, headers: {}, body: `${bytes} bytes` };
}

t.test(
	"a client that leaves before its answer is noticed, also where the read that completed its chunked body had to hold it",
	async (t) => {
		for (const [framing, body, last] of [
			// the last byte that may be buffered and the end of the body arrive together
			[
				"Transfer-Encoding: chunked",
				chunkOf(Buffer.alloc(heldBytes - 1)),
				"1\r\na\r\n0\r\n\r\n",
			],
			[`Content-Length: ${heldBytes}`, Buffer.alloc(heldBytes - 1), "a"],
			// it is held, and never complete
			[`Content-Length: ${2 * heldBytes}`, Buffer.alloc(heldBytes), "a"],
		] as const) {
			let onAborted = () => {};
			const aborted = new Promise<void>((done) => {
				onAborted = done;
			});
			const server = new HttpServer(settings, async (request) => {
				request.signal.addEventListener("abort", onAborted);
				await aborted; // nobody reads the body meanwhile
				return { http: 200, headers: {}, body: "" };
			});
			t.teardown(() => server.stop(0));
			const socket = connect(await server.start(), "127.0.0.1");
			socket.setNoDelay();
			socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${framing}\r\n\r\n`);
			socket.write(body);
			await pause(200); // it has arrived, or the rest comes with it
			socket.write(last);
			await pause(500); // paused, and read again and again
			socket.destroy();
			await aborted;
			t.pass(framing);
		}
	},
);

t.test(
	"the connection of a complete body that was paused is used for the next request",
	async (t) => {
		const server = new HttpServer(settings, async (request) => {
			if (request.path === "/wait") await pause(1000);
			return countedBody(request);
		});
		t.teardown(() => server.stop(0));
		const socket = connect(await server.start(), "127.0.0.1");
		t.teardown(() => socket.destroy());
		for (let round = 0; round < 3; round++) {
			socket.write(
				"POST /wait HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
			);
			socket.write(chunkOf(Buffer.alloc(heldBytes - 1)));
			socket.write("1\r\na\r\n0\r\n\r\n");
			t.match(await readSocket(socket, /bytes$/), `\n${heldBytes} bytes`);
			socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
			t.match(await readSocket(socket, /bytes$/), "\n0 bytes");
		}
	},
);

t.test(
	"a client that sends nothing while its body is held, for longer than the library's 10 seconds, may send the rest",
	async (t) => {
		const bytes = 2 * heldBytes;
		let read = () => {};
		const reading = new Promise<void>((done) => {
			read = done;
		});
		const server = new HttpServer(settings, async (request) => {
			await reading;
			return countedBody(request);
		});
		t.teardown(() => server.stop(0));
		const socket = connect(await server.start(), "127.0.0.1");
		t.teardown(() => socket.destroy());
		socket.write(
			`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`,
		);
		socket.write(Buffer.alloc(heldBytes));
		const answer = readSocket(socket, /bytes$/);
		await pause(14_000);
		read();
		socket.write(Buffer.alloc(heldBytes));
		t.match(await answer, `\n${bytes} bytes`);
	},
);
