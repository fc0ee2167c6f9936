/** Whatever comes over the port: the peer is answered as WebSocket and HTTP say, and nothing is kept of it. */
import { connect } from "node:net";
import t from "tap";
import { until } from "../fixtures/eventually.js";
import { startVosk } from "./running-vosk.js";
import { VoskClient } from "./vosk-client.js";

const { port, endpoint, lane } = await startVosk(t);

const upgrade = [
	"GET / HTTP/1.1",
	"Host: kiosk:2700",
	"Upgrade: websocket",
	"Connection: keep-alive, Upgrade",
	"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
	"Sec-WebSocket-Version: 13",
	"\r\n",
].join("\r\n");

/** Sends it in one piece, or a byte at a time. @returns everything that came until the end. */
async function exchange(
	sent: Buffer,
	pieceBytes = sent.length,
): Promise<Buffer> {
	const socket = connect(port, "127.0.0.1");
	socket.setNoDelay(true);
	const came: Buffer[] = [];
	socket.on("data", (bytes) => came.push(bytes));
	socket.on("error", () => {});
	for (let at = 0; at < sent.length; at += pieceBytes) {
		socket.write(sent.subarray(at, at + pieceBytes));
		await new Promise((turn) => setImmediate(turn));
	}
	await new Promise((resolve) => socket.once("close", resolve));
	return Buffer.concat(came);
}

/** @param first byte of the frame. @param length as it claims to be. */
function frame(
	first: number,
	payload: Buffer,
	length = payload.length,
): Buffer {
	const header = Buffer.alloc(14);
	header[0] = first;
	header[1] = 0x80 | 127;
	header.writeBigUInt64BE(BigInt(length), 2); // mask: zeros
	return Buffer.concat([header, payload]);
}

const short = (first: number, payload: string | Buffer) =>
	Buffer.concat([
		Buffer.of(first, 0x80 | payload.length, 0, 0, 0, 0),
		Buffer.from(payload),
	]);

t.test("what is no WebSocket's beginning is answered over HTTP", async (t) => {
	const cases: readonly [string, RegExp][] = [
		["GET / HTTP/1.1\r\nHost: a\r\n\r\n", /^HTTP\/1.1 426 /],
		[upgrade.replace("13", "8"), /^HTTP\/1.1 426 .*Version: 13/s],
		[upgrade.replace("GET", "POST"), /^HTTP\/1.1 400 /],
		[upgrade.replace("dGhlI", "dGhl"), /^HTTP\/1.1 400 /],
		[upgrade.replace("Host:", "Ho st:"), /^HTTP\/1.1 400 /],
		["describe\r\n\r\n", /^HTTP\/1.1 400 /],
		[`GET / HTTP/1.1\r\nX: ${"x".repeat(9000)}`, /^HTTP\/1.1 400 /],
		[
			upgrade.replace("\r\n\r\n", "\r\nOrigin: http://evil.example\r\n\r\n"),
			/^HTTP\/1.1 403 /,
		],
	];
	for (const [head, answer] of cases)
		t.match(`${await exchange(Buffer.from(head))}`, answer, head.slice(0, 60));
	const friend = { origin: "https://friend.example" };
	(await VoskClient.open(port, "/", friend)).socket.terminate();
	const page = { origin: `http://127.0.0.1:${port}` };
	(await VoskClient.open(port, "/", page)).socket.terminate();
});

t.test("frames that break the protocol close it with a code", async (t) => {
	const huge = Buffer.alloc(0);
	const cases: readonly [string, Buffer, number][] = [
		["not masked", Buffer.of(0x82, 1, 0), 1002],
		["an extension's bit", short(0xc2, "ab"), 1002],
		["an unknown opcode", short(0x83, "ab"), 1002],
		["a long ping", frame(0x89, Buffer.alloc(200)), 1002],
		["a ping in fragments", short(0x09, "ab"), 1002],
		["the rest of nothing", short(0x80, "ab"), 1002],
		[
			"a message within another",
			Buffer.concat([short(0x02, "ab"), short(0x82, "cd")]),
			1002,
		],
		["a gigabyte", frame(0x82, huge, 2 ** 30), 1009],
		["more than any memory", frame(0x82, huge, Number.MAX_SAFE_INTEGER), 1009],
		["a long text", frame(0x81, huge, 65_537), 1009],
		[
			"fragments of a long text",
			Buffer.concat([
				frame(0x01, Buffer.alloc(65_000)),
				frame(0x80, Buffer.alloc(600)),
			]),
			1009,
		],
		["text that is not UTF-8", short(0x81, Buffer.of(0xff, 0xfe)), 1007],
	];
	for (const [what, bytes, code] of cases) {
		const came = await exchange(Buffer.concat([Buffer.from(upgrade), bytes]));
		const closing = came.subarray(came.indexOf("\r\n\r\n") + 4);
		t.equal(closing[0], 0x88, what);
		t.equal(closing.readUInt16BE(2), code, what);
	}
	await until(() => endpoint.stats.connectionsOpen === 0);
	t.equal(lane.opened.length, 0);
});

t.test(
	"all of it a byte at a time, in fragments, with pings between",
	async (t) => {
		const came = await exchange(
			Buffer.concat([
				Buffer.from(upgrade),
				short(0x01, '{"config":'),
				short(0x89, "still there?"),
				short(0x00, ""),
				short(0x80, '{"sample_rate":16000}}'),
				short(0x02, "ab"),
				short(0x8a, ""),
				short(0x80, "cd"),
				short(0x88, ""),
			]),
			1,
		);
		const frames = came.subarray(came.indexOf("\r\n\r\n") + 4);
		t.match(`${came}`, "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="); // RFC 6455, section 1.3
		const expected = [
			Buffer.of(0x8a, 12),
			Buffer.from("still there?"),
			Buffer.of(0x81, 14),
			Buffer.from('{"partial":""}'),
			Buffer.of(0x88, 2, 1000 >> 8, 1000 & 0xff),
		];
		t.same(frames, Buffer.concat(expected));
		t.equal(lane.last.bytes, 4);
		t.equal(lane.options?.sampleRateHz, 16_000);
		await until(() => lane.held === 0);
	},
);

t.test("clients that leave in the middle leave nothing", async (t) => {
	for (const cut of [10, upgrade.length, upgrade.length + 3]) {
		const all = Buffer.concat([
			Buffer.from(upgrade),
			frame(0x82, Buffer.alloc(900), 1000),
		]);
		const socket = connect(port, "127.0.0.1");
		socket.on("error", () => {});
		socket.write(all.subarray(0, cut));
		await until(() => endpoint.stats.connectionsOpen === 1);
		socket.resetAndDestroy();
		await until(() => endpoint.stats.connectionsOpen === 0);
	}
	t.pass();
});

t.test(
	"networks that are not allowed are closed, and logged once",
	async (t) => {
		const closed = await startVosk(t, { allow: ["10.0.0.0/8"] });
		for (let i = 0; i < 3; i++) await t.rejects(VoskClient.open(closed.port));
		t.equal(closed.endpoint.stats.refusals.get("not allowed"), 3);
		t.equal(closed.log.filter((it) => it.includes("vosk.allow")).length, 1);
	},
);
