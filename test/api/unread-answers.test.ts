import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { connect as connectSecurely } from "node:tls";
import t from "tap";
import type { ApiResponse } from "../../runtime/api/exchange.js";
import { HttpServer } from "../../runtime/api/server/http-server.js";
import { until } from "../fixtures/eventually.js";
import { madeCertificate } from "../fixtures/secure-server.js";
import { readSocket } from "./read-socket.js";
import { serverSettings } from "./server-settings.js";

const megabyte = 1024 * 1024;
/** More than the kernel keeps for both sides of a connection, and then many answers. */
const unreadBytesMax = 24 * megabyte;
/** More than the kernel takes at once. */
const long = "earshot hört zu. ".repeat(megabyte);

interface Served {
	readonly port: number;
	readonly server: HttpServer;
	/** Requests that were taken. */
	readonly requests: () => number;
}

async function serve(
	t: { teardown(act: () => Promise<void>): unknown },
	body: ApiResponse["body"],
	onRequest: (server: HttpServer) => void = () => {},
	settings = serverSettings,
): Promise<Served> {
	let count = 0;
	const headers = { "Content-Type": "text/plain" };
	const server = new HttpServer(settings, async () => {
		count++;
		onRequest(server);
		return { http: 200, headers, body };
	});
	t.teardown(() => server.stop(0));
	return { port: await server.start(), server, requests: () => count };
}

for (const bytes of [200_000, 12_000])
	t.test(
		`a connection with unread answers of ${bytes} bytes takes no further requests`,
		async (t) => {
			const { port, server, requests } = await serve(t, "x".repeat(bytes));
			const socket = connect(port, "127.0.0.1");
			const isClosed = once(socket, "close");
			socket.pause();
			await once(socket, "connect");
			let sent = 0;
			do {
				socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
				sent++;
				await until(() => requests() === sent || server.connections === 0);
				// an answer that is not taken stays open, and the next request ends the connection
				for (let turn = 0; turn < 20 && server.requestsOpen > 0; turn++)
					await new Promise((next) => setImmediate(next));
			} while (server.connections > 0 && sent * bytes < unreadBytesMax);
			t.equal(server.connections, 0, `closed after ${sent} requests`);
			t.equal(server.requestsOpen, 0);
			socket.destroy();
			await isClosed;
		},
	);

t.test("a client that takes nothing of its answer is cut off", async (t) => {
	const { port, server } = await serve(t, long);
	for (const request of [
		"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\npart",
	]) {
		const socket = connect(port, "127.0.0.1");
		t.teardown(() => socket.destroy());
		socket.pause();
		socket.write(request);
		await until(() => server.requestsOpen === 1);
		await until(() => server.connections === 0);
		t.equal(server.requestsOpen, 0);
	}
});

t.test("a long text arrives completely, however it is read", async (t) => {
	const { port, server } = await serve(t, long);
	const answer = await fetch(`http://127.0.0.1:${port}/`);
	const length = String(Buffer.byteLength(long));
	t.equal(answer.headers.get("content-length"), length);
	t.ok((await answer.text()) === long);
	const socket = connect(port, "127.0.0.1");
	t.teardown(() => socket.destroy());
	socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
	await once(socket, "data");
	socket.pause();
	t.equal(server.requestsOpen, 1, "it is over once it was taken");
	let receivedBytes = 0;
	socket.on("data", (bytes) => {
		receivedBytes += bytes.length;
	});
	socket.resume();
	await until(() => server.requestsOpen === 0 && receivedBytes > long.length);
	socket.write("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
	const text = await readSocket(socket, /HTTP\/1\.1 200 OK\r\n/);
	t.match(text, /HTTP\/1\.1 200 OK\r\n/, "the connection stays in use");
});

t.test("over TLS as well, where a client pauses", async (t) => {
	const { key, cert, ca } = madeCertificate({
		dns: ["localhost"],
		addresses: ["127.0.0.1"],
	});
	const folder = t.testdir({ "key.pem": key, "cert.pem": cert });
	const certificate = {
		key: join(folder, "key.pem"),
		certificate: join(folder, "cert.pem"),
	};
	const settings = { ...serverSettings, certificate };
	for (const body of [long, "x".repeat(200_000)]) {
		const { port } = await serve(t, body, () => {}, settings);
		const socket = connectSecurely({ port, host: "localhost", ca });
		t.teardown(() => socket.destroy());
		let receivedBytes = 0;
		socket.on("data", (bytes) => {
			receivedBytes += bytes.length;
		});
		for (let times = 1; times <= 3; times++) {
			socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
			await once(socket, "data");
			socket.pause();
			for (let turn = 0; turn < 50; turn++)
				await new Promise((next) => setImmediate(next)); // the server sends what the kernel takes
			socket.resume();
			await until(() => receivedBytes > times * Buffer.byteLength(body));
		}
	}
});

t.test(
	"the answers of a server that was replaced are complete, and end their connections",
	async (t) => {
		const pieces = async function* () {
			yield "piece";
		};
		for (const body of ["short", long, { pieces }, { pieces, bytes: 5 }]) {
			const { port, server } = await serve(t, body, (it) => it.retire());
			const answer = await fetch(`http://127.0.0.1:${port}/`);
			t.equal(answer.headers.get("connection"), "close");
			const text = typeof body === "string" ? body : "piece";
			t.ok((await answer.text()) === text);
			await until(() => server.isClosed);
		}
	},
);
