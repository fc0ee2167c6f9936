/** Asterisk's AudioSocket, with frames written from its documentation (docs/calls.md). */
import { once } from "node:events";
import { connect } from "node:net";
import t from "tap";
import { eventually, until } from "../fixtures/eventually.js";
import { frame, named, startAudioSocket, uuid } from "./running-audiosocket.js";
import { final } from "./running-calls.js";

const { lane, opened, stored, log, asterisk, endpoint } =
	await startAudioSocket(t);

/** 20 ms of a square wave. */
function sound(rateHz: number, height = 8000): Buffer {
	const bytes = Buffer.alloc((rateHz / 50) * 2);
	for (let at = 0; at < bytes.length; at += 2)
		bytes.writeInt16LE(at % 16 < 8 ? height : -height, at);
	return bytes;
}

function times(count: number, bytes: Uint8Array): Buffer {
	return Buffer.concat(Array.from({ length: count }, () => bytes));
}

const taskOf = (call: string) =>
	eventually("its task", () =>
		[...stored.tasks.list()].find((it) => it.call === call),
	);

t.test("a call: its UUID, audio, a digit, and the end", async (t) => {
	const socket = await asterisk();
	socket.write(
		Buffer.concat([
			named(),
			times(60, frame(0x10, sound(8000))),
			frame(0x03, Buffer.from("5")),
		]),
	);
	const recognition = await opened(1);
	t.match(lane.options, {
		format: "pcm_s16le",
		sampleRateHz: 8000,
		language: "en-US",
		languageChoices: ["ja-JP", "en-US"],
	});
	await until(() => recognition.bytes >= 16_000);
	recognition.emit(final("Five.", 300));
	await taskOf(uuid);
	socket.end(frame(0x00));
	const task = await stored.finished((await taskOf(uuid)).id);
	t.match(
		[...(stored.tasks.result(task.id)?.segments() ?? [])],
		[{ transcript: "Five.", cluster_id: 1 }],
	);
	t.equal(socket.got, 0, "nothing is ever sent back");
});

t.test(
	"a hang-up twice, as a frame and as the end: the last words stay",
	async (t) => {
		const name = "88888888-2222-3333-4444-555555555555";
		const socket = await asterisk();
		lane.behaviour = { holdResult: true };
		socket.write(
			Buffer.concat([named(name), times(60, frame(0x10, sound(8000)))]),
		);
		const recognition = await opened(1);
		await until(() => recognition.bytes >= 16_000);
		const { id } = await taskOf(name);
		socket.end(frame(0x00));
		await until(() => recognition.finished);
		const next = await asterisk(); // what it sends comes after both
		next.write(Buffer.concat([named(), frame(0x10, sound(8000))]));
		await opened(1);
		next.end();
		recognition.emit(final("Bye.", 300));
		recognition.release();
		await stored.finished(id);
		t.match(
			[...(stored.tasks.result(id)?.segments() ?? [])],
			[{ transcript: "Bye." }],
		);
	},
);

t.test("two sockets with one UUID are both legs", async (t) => {
	const name = "11111111-2222-3333-4444-555555555555";
	const [one, two] = [await asterisk(), await asterisk()];
	for (const socket of [one, two])
		socket.write(
			Buffer.concat([named(name), times(60, frame(0x12, sound(16_000)))]),
		);
	const [first, second] = [await opened(1), await opened(2)];
	await until(() => first.bytes >= 32_000 && second.bytes >= 32_000);
	t.equal(lane.options?.sampleRateHz, 16_000);
	first.emit(final("Hello.", 100));
	second.emit(final("Yes.", 500));
	for (const socket of [one, two]) socket.end(frame(0x00));
	const { id } = await taskOf(name);
	await stored.finished(id);
	t.match(
		[...(stored.tasks.result(id)?.segments() ?? [])].map((it) => it.cluster_id),
		[1, 2],
	);
});

t.test("every rate, frames cut anywhere, and the longest", async (t) => {
	for (const [at, rateHz] of [
		8000, 12_000, 16_000, 24_000, 32_000, 44_100, 48_000, 96_000, 192_000,
	].entries()) {
		const socket = await asterisk();
		const bytes = Buffer.concat([
			named(`00000000-0000-0000-0000-00000000000${at}`),
			frame(0x10 + at, sound(rateHz)),
			frame(0x10 + at, Buffer.alloc(65_535, 0x30)),
		]);
		for (let from = 0; from < bytes.length; from += 7001)
			socket.write(bytes.subarray(from, from + 7001));
		await opened(1);
		t.equal(lane.options?.sampleRateHz, rateHz);
		socket.end();
	}
});

t.test("a byte at a time", async (t) => {
	const socket = await asterisk();
	socket.setNoDelay();
	const name = "22222222-2222-3333-4444-555555555555";
	const bytes = Buffer.concat([named(name), frame(0x10, sound(8000))]);
	for (const byte of bytes) socket.write(Buffer.of(byte));
	await until(() => lane.opened.length === 1);
	socket.end(frame(0x00)); // until then so little waits for more
	await until(() => lane.last.bytes === 320);
	await until(() => endpoint.stats.connectionsOpen === 0);
	t.equal(lane.held, 0);
});

t.test("a peer that vanishes anywhere gives its slot back", async (t) => {
	const name = "33333333-2222-3333-4444-555555555555";
	const begun = Buffer.concat([named(name), frame(0x10, sound(8000))]);
	for (const cut of [0, 2, 10, 19, 21, 200, begun.length]) {
		const socket = await asterisk();
		socket.write(begun.subarray(0, cut));
		await until(() => endpoint.stats.connectionsOpen === 1);
		if (cut === begun.length) await opened(1);
		socket.resetAndDestroy();
		await until(() => endpoint.stats.connectionsOpen === 0);
		await until(() => lane.held === 0);
	}
	t.pass();
});

t.test("what is no AudioSocket is closed", async (t) => {
	for (const bytes of [
		Buffer.from("GET / HTTP/1.1\r\n\r\n"),
		frame(0x10, sound(8000)),
		frame(0x01, new Uint8Array(15)),
	]) {
		const socket = await asterisk();
		const closed = new Promise((resolve) => socket.once("close", resolve));
		socket.write(bytes);
		await closed;
		t.equal(socket.got, 0);
	}
	t.equal(lane.opened.length, 0);
});

t.test("a third leg is not recognized, and its dialplan goes on", async (t) => {
	const name = "99999999-2222-3333-4444-555555555555";
	const sockets = [await asterisk(), await asterisk(), await asterisk()];
	for (const socket of sockets) {
		socket.write(Buffer.concat([named(name), frame(0x10, sound(8000))]));
		await until(() => log.length > 0);
	}
	await until(() => log.some((line) => line.includes("not recognized")));
	t.notOk(sockets.some((it) => it.destroyed));
	for (const socket of sockets) socket.end(frame(0x00));
});

t.test("an error that Asterisk repeats is logged once", async (t) => {
	log.length = 0;
	const socket = await asterisk();
	const codes = [...Array(500).fill(2), ...Array(256).keys()];
	socket.end(
		Buffer.concat([
			named(),
			...codes.map((code) => frame(0xff, Buffer.of(code))),
			frame(0x00),
		]),
	);
	await once(socket, "close");
	const logged = log
		.filter((line) => line.includes("reports an error"))
		.map((line) => JSON.parse(line).code);
	t.strictSame(logged, [2, 0, 1, 3, 4, 5, 6, 7]);
});

t.test("mu-law that is called slin: the log says what to do", async (t) => {
	const socket = await asterisk();
	const noise = Buffer.alloc(320);
	for (let at = 0; at < noise.length; at++) noise[at] = (at * 97 + 13) & 255;
	const name = "77777777-2222-3333-4444-555555555555";
	socket.write(Buffer.concat([named(name), times(260, frame(0x10, noise))]));
	await until(() => log.some((line) => line.includes("c(slin)")));
	t.equal(log.filter((line) => line.includes("c(slin)")).length, 1);
	socket.end(frame(0x00));
});

t.test(
	"networks that are not allowed are closed, and logged once",
	async (t) => {
		const closed = await startAudioSocket(t, { allow: ["10.0.0.0/8"] });
		for (let i = 0; i < 3; i++) {
			const socket = connect(closed.port, "127.0.0.1");
			socket.on("error", () => {});
			socket.write(named());
			await new Promise((done) => socket.once("close", done));
		}
		t.equal(closed.endpoint.stats.refusals.get("not allowed"), 3);
		const lines = closed.log.filter((it) => it.includes("audiosocket.allow"));
		t.equal(lines.length, 1);
		t.equal(closed.lane.opened.length, 0);
	},
);
