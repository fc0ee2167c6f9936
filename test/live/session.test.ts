import t from "tap";
import { startApi } from "../api/running-api.js";
import { eventually, until } from "../fixtures/eventually.js";
import { LiveClient } from "./live-client.js";

const word = {
	text: "hello",
	startMs: 100,
	endMs: 400,
	kind: "normal",
	confidence: 0.91237,
} as const;

function utterance(index: number, text: string, beginMs = 100) {
	const endMs = beginMs + 900;
	return { index, beginMs, endMs, text, confidence: 0.8, words: [word] };
}

t.test("a recognition, message by message", async (t) => {
	const api = await startApi(t);
	const client = await LiveClient.open(api.url, { token: api.token });
	client.start({ enable_words: true, user_id: "visitor-7" });
	const started = await client.receive("RecognitionStarted");
	client.audio(3200);
	const { last } = api.lane;
	last.emit({ is: "speech-begin", index: 1, atMs: 100 });
	last.emit({ is: "partial", utterance: utterance(1, "hel"), audioMs: 500 });
	last.emit({ is: "partial", utterance: utterance(1, "hel"), audioMs: 600 });
	last.emit({ is: "final", utterance: utterance(1, "hello"), audioMs: 1800 });
	const more = utterance(2, "world", 2000);
	last.emit({ is: "partial", utterance: more, audioMs: 1700 });
	await client.receive("RecognitionResultChanged", 3);
	client.stop();
	const completed = await client.receive("RecognitionCompleted");
	t.equal(await client.closed, 1000);
	const { task_id } = started.header;
	const header = {
		namespace: "SpeechRecognizer",
		name: "RecognitionStarted",
		status: "000000",
		status_text: "success",
		task_id,
		message_id: started.header.message_id,
		app_id: "tester",
		user_id: "visitor-7",
	};
	t.strictSame(started, {
		header,
		payload: {
			index: 0,
			time: 0,
			begin_time: 0,
			speaker_id: null,
			result: "",
			confidence: 0,
			words: null,
			user_id: "visitor-7",
		},
	});
	t.match(task_id, /^[0-9a-f]{32}$/);
	const shown = client.messages.slice(1, -1);
	t.same(
		shown.map(({ payload }) => [payload.result, payload.time]),
		[
			["hel", 500],
			["hello", 1800],
			["hello world", 1800],
		],
		"what did not change is not said again, and time never runs back",
	);
	for (const { payload } of shown)
		t.match(payload, { index: 1, begin_time: 100, words: null });
	t.strictSame(completed, {
		header: {
			...header,
			name: "RecognitionCompleted",
			message_id: completed.header.message_id,
		},
		payload: {
			index: 1,
			time: 1800,
			begin_time: 100,
			speaker_id: null,
			result: "heard 3200 bytes",
			confidence: 0.9,
			words: [
				{
					word: "heard",
					start_time: 10,
					end_time: 20,
					type: "normal",
					confidence: 0.9,
					label: "",
				},
			],
			user_id: "visitor-7",
		},
	});
	const ids = new Set(client.messages.map((it) => it.header.message_id));
	t.equal(
		ids.size,
		client.messages.length,
		"each message has an id of its own",
	);
	for (const message of client.messages)
		t.equal(message.header.task_id, task_id);
});

t.test("a transcription, message by message", async (t) => {
	const api = await startApi(t);
	const client = await LiveClient.open(api.url, {
		token: api.token,
		path: "/v1/asr/transcriber/ws",
	});
	client.transcribe({ enable_intermediate_words: true, enable_words: true });
	await client.receive("TranscriptionStarted");
	client.audio(3200);
	client.send("SpeakerStart", { speaker_id: "anna" }, "SpeechTranscriber");
	client.send("SentenceEnd", undefined, "SpeechTranscriber");
	await until(() => api.lane.last.orders.includes("end-sentence"));
	const { last } = api.lane;
	last.emit({ is: "speech-begin", index: 1, atMs: 100 });
	last.emit({ is: "partial", utterance: utterance(1, "hel"), audioMs: 500 });
	last.emit({ is: "final", utterance: utterance(1, "hello"), audioMs: 1800 });
	await client.receive("SentenceEnd");
	client.send("StopTranscription", undefined, "SpeechTranscriber");
	await client.receive("TranscriptionCompleted");
	const words = [
		{
			word: "hello",
			start_time: 100,
			end_time: 400,
			type: "normal",
			confidence: 0.9124,
			label: "anna",
		},
	];
	const payload = {
		index: 1,
		time: 100,
		begin_time: 100,
		speaker_id: "anna",
		result: "",
		confidence: 0,
		words: null as unknown,
	};
	t.strictSame(
		client.messages.slice(1).map((it) => [it.header.name, it.payload]),
		[
			["SentenceBegin", payload],
			[
				"TranscriptionResultChanged",
				{ ...payload, time: 500, result: "hel", confidence: 0.8, words },
			],
			[
				"SentenceEnd",
				{ ...payload, time: 1800, result: "hello", confidence: 0.8, words },
			],
			["TranscriptionCompleted", { ...payload, time: 1800, words: [] }],
		],
	);
	t.equal(await client.closed, 1000);
	for (const { header } of client.messages)
		t.equal(header.namespace, "SpeechTranscriber");
});

t.test("a sentence that the client ended keeps its speaker", async (t) => {
	const api = await startApi(t);
	const client = await LiveClient.open(api.url, {
		token: api.token,
		path: "/v1/asr/transcriber/ws",
	});
	client.transcribe({});
	await client.receive("TranscriptionStarted");
	const speaker = (speaker_id: string) =>
		client.send("SpeakerStart", { speaker_id }, "SpeechTranscriber");
	speaker("anna");
	client.audio(32_000);
	await until(() => api.lane.opened[0]?.bytes === 32_000);
	const { last } = api.lane;
	last.emit({ is: "speech-begin", index: 1, atMs: 100 });
	await client.receive("SentenceBegin");
	client.send("SentenceEnd", undefined, "SpeechTranscriber");
	speaker("ben");
	await until(() => last.orders.includes("end-sentence"));
	last.emit({ is: "partial", utterance: utterance(1, "hel"), audioMs: 500 });
	last.emit({ is: "final", utterance: utterance(1, "hello"), audioMs: 1800 });
	last.emit({ is: "speech-begin", index: 2, atMs: 2000 });
	last.emit({
		is: "final",
		utterance: utterance(2, "hi", 2000),
		audioMs: 2500,
	});
	client.send("StopTranscription", undefined, "SpeechTranscriber");
	await client.receive("TranscriptionCompleted");
	t.same(
		client.messages
			.slice(1, -1)
			.map(({ header, payload }) => `${header.name} ${payload?.speaker_id}`),
		[
			"SentenceBegin anna",
			"TranscriptionResultChanged anna",
			"SentenceEnd anna",
			"SentenceBegin ben",
			"SentenceEnd ben",
		],
	);
});

t.test(
	"who speaks counts from its place in the audio, however fast that is sent",
	async (t) => {
		const api = await startApi(t);
		const client = await LiveClient.open(api.url, {
			token: api.token,
			path: "/v1/asr/transcriber/ws",
		});
		client.transcribe({});
		await client.receive("TranscriptionStarted");
		const seconds = 32_000;
		for (const speaker_id of ["anna", "ben", "carl"]) {
			client.send("SpeakerStart", { speaker_id }, "SpeechTranscriber");
			client.audio(2 * seconds);
			client.send("SentenceEnd", undefined, "SpeechTranscriber");
		}
		await until(
			() =>
				api.lane.opened[0]?.orders.filter((it) => it === "end-sentence")
					.length === 3,
		);
		const { last } = api.lane;
		const say = (index: number, beginMs: number) => {
			const audioMs = beginMs + 1500;
			last.emit({ is: "speech-begin", index, atMs: beginMs });
			const final = utterance(index, `${index}`, beginMs);
			last.emit({ is: "final", utterance: final, audioMs });
		};
		say(1, 100);
		say(2, 1900); // with what was before the speech
		say(3, 5000);
		client.send("StopTranscription", undefined, "SpeechTranscriber");
		await client.receive("TranscriptionCompleted");
		t.same(
			client.messages
				.slice(1, -1)
				.map(({ header, payload }) => `${header.name} ${payload?.speaker_id}`),
			["anna", "ben", "carl"].flatMap((it) => [
				`SentenceBegin ${it}`,
				`SentenceEnd ${it}`,
			]),
		);
	},
);

t.test("a start that is refused returns its user_id", async (t) => {
	const api = await startApi(t);
	const client = await LiveClient.open(api.url, { token: api.token });
	client.start({ user_id: "visitor-7", gain: 99 });
	t.match(await client.receive("TaskFailed"), {
		header: { status: "200002", user_id: "visitor-7" },
		payload: { user_id: "visitor-7" },
	});
});

t.test("the metrics count sessions, the log contains no words", async (t) => {
	const api = await startApi(t);
	const good = await LiveClient.open(api.url, { token: api.token });
	good.start({ user_id: "visitor-7", unheard_of: 1 });
	await good.receive("RecognitionStarted");
	good.audio(320);
	t.equal(await api.sessions(), 1);
	good.stop();
	await good.receive("RecognitionCompleted");
	const bad = await LiveClient.open(api.url, { token: api.token });
	bad.audio(1);
	await Promise.all([good.closed, bad.closed]);
	const left = await LiveClient.open(api.url, { token: api.token });
	left.start();
	await left.receive("RecognitionStarted");
	left.socket.terminate();
	await eventually(
		"all sessions to be gone",
		async () => (await api.sessions()) === 0,
	);
	const text = await (await fetch(`${api.url}/metrics`)).text();
	for (const line of [
		'earshot_live_sessions{state="streaming"} 0',
		'earshot_live_sessions_total{namespace="SpeechRecognizer",status="000000"} 1',
		'earshot_live_sessions_total{namespace="none",status="230001"} 1',
		'earshot_live_sessions_total{namespace="SpeechRecognizer",status="gone"} 1',
		"earshot_live_audio_seconds_total 1",
	])
		t.ok(text.includes(`${line}\n`), line);
	const log = api.log.join("");
	t.match(log, /"unknown":\["unheard_of"\]/);
	t.equal(log.match(/"msg":"session ended"/g)?.length, 3);
	t.match(log, good.messages[0]?.header.task_id.slice(0, 8));
	t.notMatch(log, /heard 320|visitor-7/);
});
