import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import t from "tap";
import type { ApiResponse } from "../../runtime/api/exchange.js";
import { HttpServer } from "../../runtime/api/server/http-server.js";
import { untilStill } from "../fixtures/eventually.js";
import { serverSettings } from "./server-settings.js";

async function serve(
	t: { teardown(act: () => Promise<void>): unknown },
	answer: () => ApiResponse,
): Promise<number> {
	const server = new HttpServer(serverSettings, async () => answer());
	t.teardown(() => server.stop(0));
	return server.start();
}

function streamed(
	pieces: () => AsyncIterable<string | Uint8Array>,
	bytes?: number,
): ApiResponse {
	const body = {
		pieces,
		...(bytes !== undefined && { bytes }),
	};
	return { http: 200, headers: { "Content-Type": "text/plain" }, body };
}

const piece = "earshot ".repeat(1024);

async function* manyPieces(count: number) {
	for (let i = 0; i < count; i++) yield i % 2 ? piece : Buffer.from(piece);
}

/** Read in small pieces, so that the server has to wait. */
function slowly(port: number): Promise<string> {
	return new Promise((resolve, reject) => {
		const sent = request({ port, agent: false }, async (response) => {
			let text = "";
			for await (const bytes of response) {
				text += String(bytes);
				if (text.length % 7 === 0) await new Promise(setImmediate);
			}
			resolve(text);
		});
		sent.on("error", reject);
		sent.end();
	});
}

t.test(
	"a body of pieces arrives completely, its length known or not",
	async (t) => {
		const count = 2000;
		for (const bytes of [undefined, count * piece.length]) {
			const port = await serve(t, () =>
				streamed(() => manyPieces(count), bytes),
			);
			const response = await fetch(`http://127.0.0.1:${port}/`);
			t.equal(
				response.headers.get("content-length"),
				bytes === undefined ? null : String(bytes),
			);
			t.ok((await response.text()) === piece.repeat(count));
			t.ok((await slowly(port)) === piece.repeat(count));
		}
		for (const bytes of [undefined, 0]) {
			const port = await serve(t, () => streamed(() => manyPieces(0), bytes));
			t.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), "");
		}
		const port = await serve(t, () =>
			streamed(() => manyPieces(3), 3 * piece.length),
		);
		const head = await fetch(`http://127.0.0.1:${port}/`, { method: "HEAD" });
		t.equal(head.headers.get("content-length"), String(3 * piece.length));
	},
);

t.test("a client that disconnects ends the pieces", async (t) => {
	for (const bytes of [undefined, 1e9]) {
		let given = 0;
		let ended: () => void = () => {};
		const over = new Promise<void>((resolve) => {
			ended = resolve;
		});
		const port = await serve(t, () =>
			streamed(async function* () {
				try {
					for (; given < 1e5; given++) yield piece;
				} finally {
					ended();
				}
			}, bytes),
		);
		const socket = connect(port, "127.0.0.1");
		socket.on("error", () => {});
		socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
		await once(socket, "data");
		socket.pause();
		await untilStill(() => given);
		socket.destroy();
		await over;
		t.ok(given < 1e4, "it waited for its reader");
	}
});

t.test(
	"pieces that fail, or are too few or many, break the connection",
	async (t) => {
		const failing = async function* () {
			yield piece;
			throw new Error("no more");
		};
		for (const answer of [
			() => streamed(failing),
			() => streamed(failing, 1e6),
			() => streamed(() => manyPieces(2), 3 * piece.length),
			() => streamed(() => manyPieces(2), 2 * piece.length - 1),
		]) {
			const port = await serve(t, answer);
			await t.rejects(
				fetch(`http://127.0.0.1:${port}/`).then((it) => it.text()),
			);
		}
	},
);
