import { once } from "node:events";
import { connect, type Socket } from "node:net";
import t, { type Test } from "tap";
import { type RunningApi, startApi } from "../api/running-api.js";
import { until, untilStill } from "../fixtures/eventually.js";
import { LiveClient } from "./live-client.js";

const megabyte = 1024 * 1024;

/** A socket that answers no ping, and reads only what a test reads. */
async function upgraded(t: Test, api: RunningApi): Promise<Socket> {
	const socket = connect(api.port, "127.0.0.1");
	t.teardown(() => socket.destroy());
	socket.write(
		`GET /v1/asr/ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer ${api.token}\r\n\r\n`,
	);
	const [first] = await once(socket, "data");
	t.match(String(first), /^HTTP\/1\.1 101 /);
	return socket;
}

async function begin(api: RunningApi, options: object = {}) {
	const client = await LiveClient.open(api.url, { token: api.token });
	client.start(options);
	await client.receive("RecognitionStarted");
	return client;
}

t.test(
	"a client that is too fast is held back by its socket, and nothing is lost",
	async (t) => {
		const api = await startApi(t);
		api.lane.behaviour = { stallTurns: -1 };
		const client = await begin(api);
		const { last } = api.lane;
		const before = process.memoryUsage().rss;
		const frames = 1000;
		for (let frame = 0; frame < frames; frame++) client.audio(65_536);
		await until(() => last.bytes > 0);
		await untilStill(() => last.bytes);
		const taken = last.bytes;
		t.ok(
			taken <= 2 * megabyte,
			`${taken} bytes of ${frames * 65_536} were read`,
		);
		t.ok(client.socket.bufferedAmount > 30 * megabyte, "the rest waits there");
		client.audio(new Uint8Array(100)); // it can still be spoken to
		last.emit({ is: "speech-begin", index: 1, atMs: 1 });
		const utterance = {
			index: 1,
			beginMs: 1,
			endMs: 2,
			text: "still heard",
			confidence: 1,
			words: [],
		};
		last.emit({ is: "partial", utterance, audioMs: 2 });
		await client.receive("RecognitionResultChanged");
		const total = frames * 65_536 + 100;
		while (last.bytes < total) {
			last.drain();
			await new Promise((turn) => setImmediate(turn));
		}
		t.equal(last.bytes, total);
		last.drain();
		client.stop();
		const { payload } = await client.receive("RecognitionCompleted");
		t.equal(payload.result, `heard ${total} bytes`);
		t.equal(await client.closed, 1000);
		t.ok(process.memoryUsage().rss - before < 400 * megabyte);
	},
);

t.test("a client that disconnects while it is held is released", async (t) => {
	const api = await startApi(t);
	api.lane.behaviour = { stallTurns: -1 };
	const client = await begin(api);
	const { last } = api.lane;
	client.audio(65_536);
	await until(() => last.bytes > 0);
	client.socket.terminate();
	last.drain();
	await last.cancelled;
	t.equal(api.lane.held, 0);
});

t.test("audio before the slot is granted is queued, in order", async (t) => {
	const api = await startApi(t);
	api.lane.behaviour = { holdSlot: true };
	const client = await LiveClient.open(api.url, { token: api.token });
	client.transcribe();
	for (let frame = 0; frame < 300; frame++) client.audio(8000);
	client.send("SentenceEnd", undefined, "SpeechTranscriber");
	client.audio(10);
	client.send("StopTranscription", undefined, "SpeechTranscriber");
	await until(() => api.lane.waiting === 1);
	// others are answered while it waits
	for (let round = 0; round < 10; round++) await api.ask("/healthz");
	api.lane.admit();
	await client.receive("TranscriptionCompleted");
	t.same(client.names, ["TranscriptionStarted", "TranscriptionCompleted"]);
	const { orders } = api.lane.last;
	t.same(orders.slice(-3), ["end-sentence", "10 bytes", "finish"]);
	t.equal(api.lane.last.bytes, 300 * 8000 + 10);
});

t.test("many short frames work like a few large ones", async (t) => {
	const api = await startApi(t);
	api.lane.behaviour = { keepBytes: true };
	const client = await begin(api);
	const count = 200_000;
	const length = 60; // as many come in one read as may wait
	const head = [0x82, 0x80 | length, 0, 0, 0, 0]; // binary, masked
	const frame = Uint8Array.of(...head, ...new Uint8Array(length));
	const batch = 2000;
	const bytes = new Uint8Array(batch * frame.length);
	const raw = (
		client.socket as unknown as { _socket: import("node:net").Socket }
	)._socket;
	for (let sent = 0; sent < count; sent += batch) {
		for (let index = 0; index < batch; index++) {
			bytes.set(frame, index * frame.length);
			bytes.fill(
				(sent + index) % 251,
				index * frame.length + head.length,
				(index + 1) * frame.length,
			);
		}
		if (!raw.write(bytes.slice())) await once(raw, "drain");
	}
	client.stop();
	await client.receive("RecognitionCompleted");
	const { last } = api.lane;
	t.equal(last.bytes, count * length);
	t.ok(
		last.orders.length < count / 50,
		`${last.orders.length} writes for ${count} frames`,
	);
	const received = Buffer.concat(last.chunks);
	const wrong = received.findIndex(
		(byte, index) => byte !== Math.floor(index / length) % 251,
	);
	t.equal(wrong, -1, "every byte in its place");
});

t.test("a client that does not read its results is closed", async (t) => {
	const api = await startApi(t);
	const client = await begin(api);
	client.audio(100);
	client.socket.pause();
	const { last } = api.lane;
	const text = "x".repeat(50_000);
	for (let index = 0; !last.over && index < 2000; index++) {
		const utterance = {
			index: 1,
			beginMs: 1,
			endMs: 2,
			text: text + index,
			confidence: 1,
			words: [],
		};
		last.emit({ is: "partial", utterance, audioMs: index });
		await new Promise((turn) => setImmediate(turn));
	}
	t.ok(last.over, "the recognition was given up");
	client.socket.resume();
	t.equal(await client.closed, 1008);
	t.match(client.messages.at(-1)?.header, {
		name: "TaskFailed",
		status: "230001",
		status_text: /^the client does not read its results: \d+ bytes are unread$/,
	});
	const numbers = client.messages
		.filter((it) => it.header.name === "RecognitionResultChanged")
		.map((it) => Number(it.payload.result?.slice(text.length)));
	t.same(numbers, [...numbers.keys()], "until then nothing was left out");
});

t.test("a client that pings and reads no answer is closed", async (t) => {
	const api = await startApi(t, { limits: { stream_start_seconds: 600 } });
	const socket = await upgraded(t, api);
	socket.pause();
	const ping = Buffer.concat([
		Buffer.of(0x89, 0x80 | 125, 0, 0, 0, 0), // masked with zeros
		Buffer.alloc(125),
	]);
	const batch = Buffer.alloc(2000 * ping.length, ping);
	const sentBytesMax = 40 * megabyte; // far more than the kernel keeps
	let sentBytes = 0;
	while (sentBytes < sentBytesMax && (await api.sessions()) > 0) {
		if (!socket.write(batch)) await once(socket, "drain");
		sentBytes += batch.length;
	}
	t.equal(await api.sessions(), 0, `closed after ${sentBytes} bytes of pings`);
	let last = Buffer.alloc(0);
	socket.on("data", (bytes) => {
		last = Buffer.concat([last, bytes]).subarray(-127); // a close frame is no longer
	});
	socket.resume();
	await once(socket, "end");
	const close = last.lastIndexOf(0x88); // nothing but zeros and ASCII around it
	t.equal(last.readUInt16BE(close + 2), 1008);
});

t.test("a peer that has vanished is soon removed", async (t) => {
	const api = await startApi(t, {
		server: { idle_timeout_seconds: 8 },
		limits: { stream_start_seconds: 600 },
	});
	const socket = await upgraded(t, api);
	t.equal(await api.sessions(), 1);
	socket.on("data", () => {}); // pings come, and no pong goes back
	await once(socket, "close");
	t.equal(await api.sessions(), 0);
});
