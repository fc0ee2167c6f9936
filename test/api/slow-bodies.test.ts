/** Bodies over slow lines arrive completely; those that hardly advance are answered and closed; other requests are not affected. */
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import t from "tap";
import { failure } from "../../runtime/api/envelope.js";
import { paceSeconds } from "../../runtime/api/server/body-pace.js";
import { BodyStream } from "../../runtime/api/server/body-stream.js";
import { HttpServer } from "../../runtime/api/server/http-server.js";
import { asCodedError } from "../../runtime/errors.js";
import { startFiles, wavBytes } from "../files/running-files.js";
import { readSocket } from "./read-socket.js";
import { serverSettings } from "./server-settings.js";

t.jobs = 4; // most of the time of the first one is waiting

/** Longer than the library's timeout for 160 KiB. */
const slowSeconds = 14;
const bytesPerSecond = 1024;

const boundary = "a-boundary-of-its-own";
const field = (name: string, text: string, more = "") =>
	`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;

function form(): Buffer {
	const fields = field("lang_type", "en") + field("format", "wav");
	return Buffer.concat([
		Buffer.from(fields),
		Buffer.from(field("file", "", '; filename="a.wav"').slice(0, -2)),
		wavBytes(0.4),
		Buffer.from(`\r\n--${boundary}--\r\n`),
	]);
}

function list(): Buffer {
	const words = Array.from({ length: 1000 }, (_, i) => `word ${i}`);
	return Buffer.from(JSON.stringify({ name: "a", lang_type: "en", words }));
}

/** Sent in equal pieces, twice a second. */
function trickle(socket: Socket, body: Buffer): void {
	const pieces = 2 * slowSeconds;
	const pieceBytes = Math.ceil(body.length / pieces);
	let at = 0;
	const timer = setInterval(() => {
		socket.write(body.subarray(at, at + pieceBytes));
		at += pieceBytes;
		if (at >= body.length || socket.destroyed) clearInterval(timer);
	}, 500);
}

t.test(
	`bodies that take ${slowSeconds} s arrive completely at every endpoint`,
	async (t) => {
		const files = await startFiles(t, {
			overrides: { auth: { rate_per_second: 0 } },
		});
		const token = await files.makeToken(["asr", "hotwords", "files"]);
		const send = (path: string, type: string, body: Buffer) => {
			const socket = files.socket();
			t.teardown(() => socket.destroy());
			socket.write(
				`POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
			);
			trickle(socket, body);
			return readSocket(socket, /\}$/);
		};
		const audio = Buffer.alloc(slowSeconds * bytesPerSecond);
		const asr = "/v1/asr/api?lang_type=en";
		const octets = "application/octet-stream";
		const slow = [
			...Array.from({ length: 50 }, () => send(asr, octets, audio)),
			send("/v1/hotwords", "application/json", list()),
			send(
				"/v1/asrfile/upload",
				`multipart/form-data; boundary=${boundary}`,
				form(),
			),
		];
		let isOver = false;
		const others = (async () => {
			const headers = { Authorization: `Bearer ${token}` };
			for (let requests = 0; ; requests++) {
				if (isOver) return requests;
				t.match(await files.recognize("lang_type=en", { headers }), {
					http: 200,
				});
				await new Promise((next) => setTimeout(next, 100));
			}
		})();
		for (const answer of await Promise.all(slow))
			t.match(answer, /^HTTP\/1\.1 200 .*"status":"000000"/s);
		isOver = true;
		t.ok((await others) > 1, "others were answered all the while");
	},
);

t.test(
	"a complete body waits for its answer as long as that takes",
	async (t) => {
		const server = new HttpServer(serverSettings, async (request) => {
			let bytes = 0;
			if (request.path === "/later") await pause(1000); // it is held back
			for await (const piece of request.body(1e6)) {
				bytes += piece.length;
				if (request.path === "/slowly") await pause(20); // again and again
			}
			if (bytes > 0) await pause(slowSeconds * 1000);
			return { http: 200, headers: {}, body: `${bytes} bytes` };
		});
		t.teardown(() => server.stop(0));
		const port = await server.start();
		const bytes = Buffer.alloc(900_000);
		const chunk = Buffer.concat([
			Buffer.from("1f40\r\n"), // 8000
			Buffer.alloc(8000),
			Buffer.from("\r\n"),
		]);
		const chunked = Array.from({ length: 100 }, () => chunk);
		const answers = ["/", "/later", "/slowly"].flatMap((path) =>
			[
				["Content-Length: 900000", bytes, /\n900000 bytes$/],
				[
					"Transfer-Encoding: chunked",
					Buffer.concat([...chunked, Buffer.from("0\r\n\r\n")]),
					/\n800000 bytes$/,
				],
			].map(async ([framing, body, answer]) => {
				const socket = connect(port, "127.0.0.1");
				t.teardown(() => socket.destroy());
				socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${framing}\r\n\r\n`);
				socket.write(body as Buffer);
				t.match(
					await readSocket(socket, answer as RegExp),
					answer,
					`${path} ${framing}`,
				);
				socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n"); // and is read on
				t.match(await readSocket(socket, /bytes$/), /\n0 bytes$/);
			}),
		);
		await Promise.all(answers);
	},
);

t.test(
	"a body that does not arrive gets an error, and its connection is closed",
	async (t) => {
		const server = new HttpServer(
			{ ...serverSettings, secondMs: 20 },
			async (request) => {
				try {
					for await (const _ of request.body(1e6));
					return { http: 200, headers: {}, body: "whole" };
				} catch (thrown) {
					return failure(asCodedError(thrown));
				}
			},
		);
		t.teardown(() => server.stop(0));
		const port = await server.start();
		for (const framing of [
			"Content-Length: 1000",
			"Content-Length: 900000",
			"Transfer-Encoding: chunked",
		]) {
			const socket = connect(port, "127.0.0.1");
			socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${framing}\r\n\r\n`);
			socket.write("1\r\na"); // and no more
			t.match(
				await readSocket(socket), // until it is closed
				/^HTTP\/1\.1 408 .*Connection: close.*"status":"230002","message":"a body must arrive at 512 bytes per second/s,
				framing,
			);
		}
		t.equal(server.requestsOpen, 0);
	},
);

const kibibyte = 1024;

/** A body whose reader takes everything, with a clock of its own. */
function bodyOf(bytesPerSecondMin: number) {
	const source = { pause: () => {}, resume: () => {} };
	const facts = { declaredBytes: 1e9, bytesPerSecondMin };
	const body = new BodyStream(source, facts);
	const read = (async () => {
		for await (const _ of body.read(1e9));
	})();
	read.catch(() => {});
	const seconds = async (count: number, bytes: number) => {
		for (let second = 0; second < count; second++) {
			if (bytes > 0) body.accept(new Uint8Array(bytes), false);
			await new Promise((turn) => setImmediate(turn)); // it is read
			body.onSecond();
			await new Promise((turn) => setImmediate(turn));
		}
	};
	return { body, seconds };
}

t.test("the pace is that of half a minute", async (t) => {
	const hours = 3600;
	const slow = bodyOf(512);
	await slow.seconds(2 * hours, 512);
	t.notOk(slow.body.tooSlow, "the slowest that is allowed, for hours");
	await slow.seconds(1, 511);
	t.ok(slow.body.tooSlow, "a byte less");

	const stalling = bodyOf(512);
	for (let stall = 0; stall < 20; stall++) {
		await stalling.seconds(15, 1024);
		await stalling.seconds(15, 0);
	}
	t.notOk(stalling.body.tooSlow, "half a minute without a gap of 15 seconds");

	const silent = bodyOf(512);
	await silent.seconds(1, 20 * kibibyte);
	await silent.seconds(paceSeconds - 1, 0);
	t.notOk(silent.body.tooSlow, "what came at first still counts");
	await silent.seconds(1, 0);
	t.ok(silent.body.tooSlow, "and then no more");

	const any = bodyOf(0);
	await any.seconds(2 * paceSeconds, 0);
	t.notOk(any.body.tooSlow, "0: any pace will do");
});

t.test(
	"sending byte by byte costs no more than sending large pieces",
	async (t) => {
		const source = { pause: () => {}, resume: () => {} };
		const body = new BodyStream(source, {
			declaredBytes: undefined,
			bytesPerSecondMin: 512,
		});
		const pieces: Uint8Array[] = [];
		const read = (async () => {
			for await (const piece of body.read(1e9)) pieces.push(piece);
		})();
		const count = 100_000;
		for (let sent = 0; sent < count; sent++) {
			body.accept(Uint8Array.of(sent % 251), false);
			if (sent % 100 === 0) await new Promise((turn) => setImmediate(turn));
		}
		t.equal(pieces.length, Math.floor(count / (16 * kibibyte)));
		body.onSecond();
		await new Promise((turn) => setImmediate(turn));
		const all = Buffer.concat(pieces);
		t.equal(all.length, count, "nothing waits longer than a second");
		t.ok(all.every((byte, at) => byte === at % 251));
		body.accept(Uint8Array.of(1, 2), true);
		await read;
		t.equal(pieces.at(-1)?.length, 2);
	},
);

t.test("time while the socket is held does not count as slow", async (t) => {
	let held = false;
	const body = new BodyStream(
		{
			pause: () => {
				held = true;
			},
			resume: () => {
				held = false;
			},
		},
		{ declaredBytes: 1e9, bytesPerSecondMin: 512 },
	);
	body.accept(new Uint8Array(600 * kibibyte), false); // and nobody reads it
	for (let second = 0; second < 10 * paceSeconds; second++) body.onSecond();
	t.ok(held);
	t.notOk(body.tooSlow);
	const reader = body.read(1e9);
	await reader.next();
	t.notOk(held, "read, and let on");
	for (let second = 0; second <= paceSeconds; second++) body.onSecond();
	t.ok(body.tooSlow, "from then on its pace counts");
	await t.rejects(reader.next(), { message: /slower for 30 seconds/ });
});
