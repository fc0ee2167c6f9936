import { once } from "node:events";
import type { Socket } from "node:net";
import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import { startApi } from "../api/running-api.js";
import { eventually, until } from "../fixtures/eventually.js";
import { LiveClient } from "./live-client.js";

const api = await startApi(t, { limits: { stream_start_seconds: 600 } });

type Act = (client: LiveClient) => void | Promise<void>;

const started: Act = async (client) => {
	client.start();
	await client.receive("RecognitionStarted");
};
const text =
	(message: unknown): Act =>
	(client) =>
		client.socket.send(
			typeof message === "string" ? message : JSON.stringify(message),
		);
const named = (namespace: unknown, name: unknown) =>
	text({ header: { namespace, name } });

/** Each case and its error. */
const refusals: Record<string, [acts: Act[], status: string, message: RegExp]> =
	{
		"audio before start": [
			[(client) => client.audio(100)],
			"230001",
			/^audio before StartRecognition$/,
		],
		"a second start": [
			[started, (client) => client.start()],
			"230001",
			/^a second StartRecognition/,
		],
		"a second start of the other kind": [
			[started, (client) => client.transcribe()],
			"230001",
			/^a second StartTranscription/,
		],
		"stop before start": [
			[(client) => client.stop()],
			"230001",
			/^StartRecognition must come first$/,
		],
		"an unknown name": [
			[named("SpeechRecognizer", "Begin")],
			"230001",
			/^header.name must be one of StartRecognition.*, got "Begin"$/,
		],
		"a name of the other kind": [
			[named("SpeechRecognizer", "StartTranscription")],
			"230001",
			/^header.name must be/,
		],
		"a name that every object has": [
			[named("SpeechRecognizer", "constructor")],
			"230001",
			/got "constructor"$/,
		],
		"an unknown namespace": [
			[named("speechRecognizer", "StartRecognition")],
			"230001",
			/^header.namespace must be SpeechRecognizer or SpeechTranscriber, got/,
		],
		"no namespace": [
			[text({ header: { name: "StartRecognition" } })],
			"200001",
			/^header.namespace is required$/,
		],
		"a name that is a number": [
			[named("SpeechRecognizer", 1)],
			"200002",
			/^header.name must be a string, got 1$/,
		],
		"no header": [[text({})], "200001", /^header is required$/],
		"a header that is a list": [
			[text({ header: [] })],
			"200002",
			/^header must be an object/,
		],
		"a payload that is text": [
			[
				text({
					header: { namespace: "SpeechRecognizer", name: "StartRecognition" },
					payload: "en",
				}),
			],
			"200002",
			/^payload must be an object, got "en"$/,
		],
		"no payload": [
			[named("SpeechRecognizer", "StartRecognition")],
			"200001",
			/^lang_type is required$/,
		],
		"JSON that is a list": [[text("[]")], "200003", /must be a JSON object/],
		"JSON that is null": [[text("null")], "200003", /must be a JSON object/],
		"no JSON": [[text("hello")], "200003", /^message is not valid JSON$/],
		"nothing at all": [[text("")], "200003", /not valid JSON/],
		"1 MiB of text": [
			[text("x".repeat(1024 * 1024))],
			"200004",
			/^a message must be at most 262144 bytes, got 1048576$/,
		],
		"no JSON in the middle of a session": [
			[started, (client) => client.audio(9), text("{")],
			"200003",
			/not valid JSON/,
		],
	};

for (const [name, [acts, status, message]] of Object.entries(refusals))
	t.test(`${name} is refused`, async (t) => {
		const client = await LiveClient.open(api.url, { token: api.token });
		for (const act of acts) await act(client);
		t.match((await client.receive("TaskFailed")).header, {
			namespace: "SpeechRecognizer",
			status,
			status_text: message,
			task_id: /^[0-9a-f]{32}$/,
			app_id: "tester",
		});
		t.equal(await client.closed, 1008);
		t.equal(api.lane.held, 0);
	});

t.test("a wrong speaker is reported", async (t) => {
	for (const speaker_id of [undefined, 1, "x".repeat(37)]) {
		const client = await LiveClient.open(api.url, {
			token: api.token,
			path: "/v1/asr/transcriber/ws",
		});
		client.transcribe();
		await client.receive("TranscriptionStarted");
		client.send("SpeakerStart", { speaker_id }, "SpeechTranscriber");
		t.match((await client.receive("TaskFailed")).header, {
			namespace: "SpeechTranscriber",
			status: /^20000[12]$/,
			status_text: /^speaker_id /,
		});
	}
});

t.test(
	"messages after stop are ignored, and the result still comes",
	async (t) => {
		api.lane.behaviour = { holdResult: true };
		const client = await LiveClient.open(api.url, { token: api.token });
		await started(client);
		client.audio(101);
		client.stop();
		client.stop();
		client.audio(5000);
		client.send("ping");
		await client.receive("pong");
		client.stop();
		api.lane.last.release();
		const { payload } = await client.receive("RecognitionCompleted");
		t.equal(payload.result, "heard 101 bytes");
		t.equal(await client.closed, 1000);
		t.equal(
			client.names.filter((it) => it === "RecognitionCompleted").length,
			1,
		);
		t.same(api.lane.last.orders, ["101 bytes", "finish"]);
		api.lane.behaviour = {};
	},
);

t.test("a ping is answered at any time and starts nothing", async (t) => {
	const client = await LiveClient.open(api.url, { token: api.token });
	client.send("ping", undefined, "SpeechTranscriber");
	t.match(await client.receive("pong"), {
		header: { namespace: "SpeechTranscriber", status: "000000" },
	});
	await started(client);
	client.send("ping", { any: "thing" });
	await client.receive("pong", 2);
	client.stop();
	const { payload } = await client.receive("RecognitionCompleted");
	t.match(payload, { result: "", index: 1, time: 0 });
});

/** Below the messages: what a broken or hostile library sends. */
const frames: Record<string, Buffer> = {
	"an unmasked frame": Buffer.from([0x81, 0x02, 0x7b, 0x7d]),
	"invalid UTF-8": Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]),
	"a reserved opcode": Buffer.from([0x83, 0x80, 0, 0, 0, 0]),
	"a reserved bit": Buffer.from([0xc1, 0x80, 0, 0, 0, 0]),
	"a fragmented ping": Buffer.from([0x09, 0x80, 0, 0, 0, 0]),
	"a continuation of nothing": Buffer.from([0x80, 0x81, 0, 0, 0, 0, 1]),
	"a frame of 2^63 bytes": Buffer.from([
		0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	]),
	"a frame of 5 MiB": Buffer.concat([
		Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0x50, 0, 0, 0, 0, 0, 0]),
		Buffer.alloc(5 * 1024 * 1024),
	]),
	"half a frame, and no more": Buffer.from([0x82, 0xff, 0, 0]),
};

t.test("below the messages", async (t) => {
	// some of them only end because nothing is started in time
	const hasty = await startApi(t, { limits: { stream_start_seconds: 1 } });
	const open = () => LiveClient.open(hasty.url, { token: hasty.token });
	for (const [name, bytes] of Object.entries(frames))
		await t.test(`${name} ends only that connection`, async (t) => {
			const client = await open();
			const raw = (client.socket as unknown as { _socket: Socket })._socket;
			raw.write(bytes);
			await client.closed;
			t.equal(await hasty.sessions(), 0);
			const other = await eventually("one that starts in time", async () => {
				const it = await open();
				await started(it);
				return it;
			});
			other.socket.terminate();
		});
});

t.test(
	"audio may be cut anywhere, also between the bytes of a sample",
	async (t) => {
		api.lane.behaviour = { keepBytes: true };
		const client = await LiveClient.open(api.url, { token: api.token });
		await started(client);
		const sent = Uint8Array.from({ length: 70_001 }, (_, index) => index % 253);
		const sizes = [1, 3, 0, 4095, 1, 4096, 4097, 7, 16_384, 16_385, 1, 20_001];
		let offset = 0;
		for (const size of sizes) {
			client.audio(sent.subarray(offset, offset + size));
			offset += size;
		}
		client.audio(sent.subarray(offset));
		client.stop();
		await client.receive("RecognitionCompleted");
		t.ok(Buffer.concat(api.lane.last.chunks).equals(sent));
		api.lane.behaviour = {};
	},
);

t.test(
	"an engine that dies is reported as 230004, and the next session works",
	async (t) => {
		for (const status of ["100003", "230004"] as const) {
			const client = await LiveClient.open(api.url, { token: api.token });
			await started(client);
			client.audio(100);
			api.lane.last.fail(new CodedError(status));
			t.match((await client.receive("TaskFailed")).header, {
				status: "230004",
				status_text: "engine failed while recognising",
			});
			t.equal(await client.closed, 1011);
		}
		const next = await LiveClient.open(api.url, { token: api.token });
		await started(next);
		next.audio(10);
		next.stop();
		await next.receive("RecognitionCompleted");
	},
);

t.test("a bug is an internal error without details", async (t) => {
	const client = await LiveClient.open(api.url, { token: api.token });
	api.lane.behaviour = { refuse: new TypeError("secret") as CodedError };
	client.start();
	t.match((await client.receive("TaskFailed")).header, {
		status: "100003",
		status_text: "internal error",
	});
	t.equal(await client.closed, 1011);
	t.match(api.log.join(""), /secret/);
	api.lane.behaviour = {};
});

t.test(
	"a Completed without a close by the client is closed after a moment",
	async (t) => {
		const client = await LiveClient.open(api.url, { token: api.token });
		await started(client);
		client.audio(10);
		api.lane.last.release(); // the silence after speech, say
		await client.receive("RecognitionCompleted");
		client.stop(); // too late, and no harm
		t.equal(await client.closed, 1000);
		await until(() => api.lane.held === 0);
		await once(api.socket(), "connect");
	},
);
