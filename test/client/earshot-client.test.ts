import { once } from "node:events";
import { createServer } from "node:net";
import t from "tap";
import {
	ConnectionLostError,
	EarshotClient,
	EarshotError,
	RefusedError,
	type Result,
	TaskFailedError,
} from "../../runtime/client/earshot-client.js";
import { type Caller, spoken, startService } from "./fake-service.js";

const english = { lang_type: "en-US" };

async function read(client: EarshotClient): Promise<Result[]> {
	const results: Result[] = [];
	for await (const result of client) results.push(result);
	return results;
}

/** The error that a promise was rejected with. */
async function thrownBy(promise: Promise<unknown>): Promise<unknown> {
	return promise.then(
		() => undefined,
		(error: unknown) => error,
	);
}

t.test("a session from start to result", async (t) => {
	const service = await startService(t, {
		onAudio: (caller) =>
			caller.send("RecognitionResultChanged", spoken("all of")),
	});
	const client = new EarshotClient({ url: service.url, token: "secret" });
	const reading = read(client);
	await client.start({ ...english, enable_words: true, user_id: "u" });
	t.equal(client.taskId, "T1");
	t.equal(await client.send(new Uint8Array(7680)), true);
	const completed = await client.stop();
	t.match(completed, { is: "completed", text: "all of it", confidence: 0.9 });
	t.match(completed, { index: 1, timeMs: 900, beginMs: 100, words: [] });
	t.same(
		(await reading).map((it) => it.is),
		["partial", "completed"],
	);
	const [caller] = service.callers as [Caller];
	t.equal(caller.path, "/v1/asr/ws");
	t.equal(caller.headers.authorization, "Bearer secret");
	t.same(caller.names, ["StartRecognition", "StopRecognition"]);
	t.same(caller.options, { ...english, enable_words: true, user_id: "u" });
	t.equal(caller.audioBytes, 7680);
	t.same(await client.stop(), completed, "the same result again");
	t.equal(await client.send(new Uint8Array(2)), false, "nobody listens");
	client.close();
	await t.rejects(client.start(english), /create another/);
});

t.test("a transcription returns its sentences one by one", async (t) => {
	const service = await startService(t, {
		onStart: (caller) => caller.send("TranscriptionStarted"),
		onAudio: (caller) => {
			for (const index of [1, 2]) {
				caller.send("SentenceBegin", { index, time: 10 * index });
				caller.send("TranscriptionResultChanged", spoken("so", index));
				caller.send("SentenceEnd", spoken(`sentence ${index}`, index));
			}
		},
		onStop: (caller) => caller.send("TranscriptionCompleted", { index: 0 }),
	});
	const client = new EarshotClient({
		url: `${service.url}/v1/asr/transcriber/ws`,
		namespace: "SpeechTranscriber",
	});
	await client.start(english);
	client.startSpeaker("agent-7");
	await client.send(new Uint8Array(2));
	client.endSentence();
	await client.stop();
	const events = (await read(client)).map((it) =>
		it.is === "sentence" ? it.text : `${it.is} ${it.index}`,
	);
	t.same(events, [
		"sentence-begin 1",
		"partial 1",
		"sentence 1",
		"sentence-begin 2",
		"partial 2",
		"sentence 2",
		"completed 0",
	]);
	const [caller] = service.callers as [Caller];
	t.equal(caller.path, "/v1/asr/transcriber/ws");
	t.equal(caller.headers.authorization, undefined, "no token, no header");
	t.same(caller.names, [
		"StartTranscription",
		"SpeakerStart",
		"SentenceEnd",
		"StopTranscription",
	]);
});

t.test("a refused upgrade is an error with both statuses", async (t) => {
	const envelope = { status: "110002", message: "token is unknown" };
	const service = await startService(t, {
		refuse: { http: 401, body: JSON.stringify(envelope) },
	});
	const client = new EarshotClient({ url: service.url, token: "x" });
	const error = await thrownBy(client.start(english));
	t.ok(error instanceof RefusedError && error instanceof EarshotError);
	t.match(error, { http: 401, status: "110002", message: /token is unknown/ });
	t.equal(await thrownBy(read(client)), error, "and the loop throws the same");

	const proxy = await startService(t, {
		refuse: { http: 502, body: "<html>bad gateway</html>" },
	});
	const other = new EarshotClient({ url: proxy.url, token: "x" });
	t.match(await thrownBy(other.start(english)), { http: 502, status: "" });
});

t.test("TaskFailed in any phase ends every wait with that error", async (t) => {
	const fail = (caller: Caller) => {
		const reason = "max_sentence_silence must be an integer from 200 to 1200";
		caller.send("TaskFailed", {}, { status: "200002", status_text: reason });
		caller.socket.close(1008);
	};
	const atStart = await startService(t, { onStart: fail });
	const refused = new EarshotClient({ url: atStart.url });
	const error = await thrownBy(refused.start(english));
	t.ok(error instanceof TaskFailedError);
	t.match(error, { status: "200002", taskId: "T1", retryable: false });
	t.match(error, { message: /max_sentence_silence/ });

	const whileSpeaking = await startService(t, { onAudio: fail });
	const speaking = new EarshotClient({ url: whileSpeaking.url });
	await speaking.start(english);
	const reading = thrownBy(read(speaking));
	await speaking.send(new Uint8Array(2)).catch(() => {});
	const failure = await reading;
	t.ok(failure instanceof TaskFailedError);
	t.equal(await thrownBy(speaking.send(new Uint8Array(2))), failure);
	t.equal(await thrownBy(speaking.stop()), failure);

	const atStop = await startService(t, { onStop: fail });
	const stopping = new EarshotClient({ url: atStop.url });
	await stopping.start(english);
	t.ok((await thrownBy(stopping.stop())) instanceof TaskFailedError);
});

t.test("at capacity is reported as retryable", async (t) => {
	const service = await startService(t, {
		onStart: (caller) => {
			caller.send("TaskFailed", {}, { status: "100004", status_text: "full" });
			caller.socket.close(1013);
		},
	});
	const client = new EarshotClient({ url: service.url });
	t.match(await thrownBy(client.start(english)), { retryable: true });
});

t.test("a connection that ends without a result is an error", async (t) => {
	const service = await startService(t, {
		onStop: (caller) => caller.socket.close(1011, "gone"),
	});
	const client = new EarshotClient({ url: service.url });
	await client.start(english);
	const error = await thrownBy(client.stop());
	t.ok(error instanceof ConnectionLostError);
	t.match(error, { closeCode: 1011, status: "", message: /gone/ });

	const dying = await startService(t, {
		onAudio: (caller) => caller.socket.terminate(),
	});
	const cut = new EarshotClient({ url: dying.url });
	await cut.start(english);
	const reading = thrownBy(read(cut));
	await cut.send(new Uint8Array(2)).catch(() => {});
	t.match(await reading, { closeCode: 1006 });

	const nobody = new EarshotClient({ url: "http://127.0.0.1:1" });
	t.match(await thrownBy(nobody.start(english)), { message: /127\.0\.0\.1:1/ });
});

t.test("an invalid address and an invalid token are reported", async (t) => {
	for (const url of ["kiosk", "ftp://a/", ""])
		t.match(await thrownBy(new EarshotClient({ url }).start(english)), {
			message: /is not an address/,
		});
	const url = "http://127.0.0.1:1";
	const bad = new EarshotClient({ url, token: "a\r\nb: c" });
	const error = (await thrownBy(bad.start(english))) as Error;
	t.match(error.message, /token/);
	t.notMatch(error.message, /b: c/, "and not shown");
});

t.test("a service that sends invalid messages is disconnected", async (t) => {
	const nonsense: readonly (string | Buffer)[] = [
		"not json",
		"[]",
		"null",
		"{}",
		'{"header":{}}',
		'{"header":{"name":7}}',
		'{"header":{"name":"RecognitionResultChanged"},"payload":{"result":7}}',
		'{"header":{"name":"RecognitionResultChanged"},"payload":[]}',
		'{"header":{"name":"RecognitionResultChanged"},"payload":{"result":"","words":[{}]}}',
		Buffer.from("binary"),
	];
	for (const message of nonsense) {
		const service = await startService(t, {
			onAudio: (caller) => caller.socket.send(message),
		});
		const client = new EarshotClient({ url: service.url });
		await client.start(english);
		const reading = thrownBy(read(client));
		await client.send(new Uint8Array(2)).catch(() => {});
		t.match(await reading, { closeCode: 1002 }, String(message));
	}
	const early = await startService(t, {
		onStart: (caller) => caller.send("RecognitionCompleted", spoken("early")),
	});
	const client = new EarshotClient({ url: early.url });
	t.match(await thrownBy(client.start(english)), { closeCode: 1002 });
});

t.test("unknown names and extra fields are accepted as newer", async (t) => {
	const service = await startService(t, {
		onStart: (caller) => {
			caller.send("Warmup", { eta: 1 });
			caller.send("RecognitionStarted", { index: 0, more: [1] }, { more: 1 });
			caller.send("RecognitionStarted");
		},
	});
	const client = new EarshotClient({ url: service.url });
	await client.start(english);
	t.equal((await client.stop()).text, "all of it");
});

t.test("after the result nothing fails any more", async (t) => {
	const service = await startService(t, {
		onAudio: (caller) => {
			// as with max_suffix_silence: the service ends the session
			caller.send("RecognitionCompleted", spoken("by itself"));
			caller.send("RecognitionCompleted", spoken("twice"));
			caller.send("TaskFailed", {}, { status: "100003" });
			caller.socket.terminate();
		},
	});
	const client = new EarshotClient({ url: service.url });
	await client.start(english);
	const reading = read(client);
	const accepted: boolean[] = [];
	for (let i = 0; i < 50 && accepted.at(-1) !== false; i++) {
		accepted.push(await client.send(new Uint8Array(2)));
		await new Promise(setImmediate);
	}
	t.equal(accepted.at(-1), false, "the sender learns that it can stop");
	t.same(
		(await reading).map((it) => it.is),
		["completed"],
	);
	t.equal((await client.stop()).text, "by itself");
});

t.test("an abort ends every wait", async (t) => {
	const mute = await startService(t, { onStart: () => {}, onStop: () => {} });
	const reason = new Error("enough");
	const during = new AbortController();
	const starting = new EarshotClient({ url: mute.url, signal: during.signal });
	const start = thrownBy(starting.start(english));
	during.abort(reason);
	t.equal(await start, reason);

	const before = new EarshotClient({
		url: mute.url,
		signal: AbortSignal.abort(reason),
	});
	t.equal(await thrownBy(before.start(english)), reason);

	const deaf = await startService(t, { onStop: () => {} });
	const later = new AbortController();
	const client = new EarshotClient({ url: deaf.url, signal: later.signal });
	await client.start(english);
	const waits = [thrownBy(client.stop()), thrownBy(read(client))];
	later.abort(reason);
	for (const wait of waits) t.equal(await wait, reason);
});

t.test("a service that never answers times out", async (t) => {
	const mute = await startService(t, { onStart: () => {} });
	const client = new EarshotClient({ url: mute.url, startTimeoutMs: 50 });
	t.match(await thrownBy(client.start(english)), { message: /start in time/ });

	const deaf = await startService(t, { onStop: () => {} });
	const stopping = new EarshotClient({ url: deaf.url, silenceTimeoutMs: 50 });
	await stopping.start(english);
	t.match(await thrownBy(stopping.stop()), { message: /silent/ });

	const silent = createServer(() => {}).listen(0, "127.0.0.1");
	await once(silent, "listening");
	t.teardown(() => silent.close());
	const { port } = silent.address() as { port: number };
	const url = `http://127.0.0.1:${port}`;
	const lost = new EarshotClient({ url, startTimeoutMs: 50 });
	t.match(await thrownBy(lost.start(english)), { message: /start in time/ });
});

t.test("a service that does not read makes the sender wait", async (t) => {
	const service = await startService(t, {
		onStart: (caller) => {
			caller.send("RecognitionStarted");
			caller.socket.pause();
		},
	});
	const client = new EarshotClient({ url: service.url });
	await client.start(english);
	const chunk = new Uint8Array(64 * 1024);
	let sent = 0;
	let waits = false;
	while (!waits && sent < 2000) {
		const sending = client.send(chunk).then(() => "sent");
		waits = (await Promise.race([sending, manyTurns()])) !== "sent";
		sent++;
	}
	t.ok(waits, `after ${sent} chunks`);
	const [caller] = service.callers as [Caller];
	caller.socket.resume();
	t.equal(
		(await client.stop()).text,
		"all of it",
		"what was sent came through",
	);
	t.equal(caller.audioBytes, sent * chunk.length);
});

/** Whether a send is still waiting for the service. */
async function manyTurns(): Promise<void> {
	for (let turn = 0; turn < 500; turn++)
		await new Promise((next) => setImmediate(next));
}

t.test("leaving the loop ends the session", async (t) => {
	const service = await startService(t, {
		onAudio: (caller) => caller.send("RecognitionResultChanged", spoken("a")),
	});
	const client = new EarshotClient({ url: service.url });
	await client.start(english);
	await client.send(new Uint8Array(2));
	for await (const result of client) {
		t.equal(result.is, "partial");
		break;
	}
	const [caller] = service.callers as [Caller];
	if (caller.socket.readyState !== caller.socket.CLOSED)
		await once(caller.socket, "close");
	t.match(await thrownBy(client.stop()), { message: /was closed/ });
});

t.test("unread results do not pile up", async (t) => {
	const service = await startService(t, {
		onStart: (caller) => caller.send("TranscriptionStarted"),
		onAudio: (caller) => {
			for (let index = 1; index <= 5000; index++)
				caller.send("TranscriptionResultChanged", spoken(`${index}`));
			caller.send("SentenceEnd", spoken("sentence"));
		},
		onStop: (caller) => caller.send("TranscriptionCompleted"),
	});
	const client = new EarshotClient({
		url: service.url,
		namespace: "SpeechTranscriber",
	});
	await client.start(english);
	await client.send(new Uint8Array(2));
	await client.stop();
	const results = await read(client);
	t.ok(results.length <= 1000, `${results.length} kept`);
	t.match(results.at(-3), { is: "partial", text: "5000" }, "the newest");
	t.match(results.at(-2), { is: "sentence" });
});

t.test("send and stop before start are errors of the caller", async (t) => {
	const client = new EarshotClient({ url: "http://127.0.0.1:1" });
	await t.rejects(client.send(new Uint8Array(2)), /before start/);
	await t.rejects(client.stop(), /before start/);
});
