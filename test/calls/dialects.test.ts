/** What telephone systems send over `/v1/calls/ws`, each as its documentation has it, and what they get (docs/calls.md). */
import t from "tap";
import { until } from "../fixtures/eventually.js";
import { CallClient } from "./call-client.js";
import { final, loud, runningCalls } from "./running-calls.js";

const calls = await runningCalls(t);
const { lane, client, opened, transcript } = calls;

t.beforeEach(() => {
	lane.opened.length = 0;
});

t.test(
	"jambonz: start, audio, transcriptions, stop, and this side closes",
	async (t) => {
		const jambonz = await client();
		jambonz.send({
			type: "start",
			language: "ja-JP",
			format: "raw",
			encoding: "LINEAR16",
			sampleRateHz: 16_000,
			interimResults: true,
		});
		jambonz.audio(new Uint8Array(640).fill(0x40), 640);
		const recognition = await opened(1);
		t.match(lane.options, {
			language: "ja-JP",
			format: "pcm_s16le",
			sampleRateHz: 16_000,
			gain: 2,
			maxSentenceSilenceMs: 250,
			partials: true,
			words: true,
		});
		recognition.emit({ is: "speech-begin", index: 1, atMs: 0 });
		recognition.emit({ ...final("はい", 10), is: "partial" });
		recognition.emit(final("はい。", 10));
		const partial = await jambonz.receive("transcription");
		const last = await jambonz.receive("transcription", 2);
		t.match(partial, { is_final: false, channel: 1, language: "ja-JP" });
		t.match(last, {
			is_final: true,
			alternatives: [{ transcript: "はい。", confidence: 0.9 }],
			index: 1,
		});
		jambonz.send({ type: "stop" });
		t.equal(await jambonz.closed(), 1000);
		t.ok(recognition.finished);
		t.equal(jambonz.binaries, 0);
		t.match(await transcript(last.task_id), [
			{ transcript: "はい。", cluster_id: 1 },
		]);
	},
);

t.test("jambonz: an error comes in its format", async (t) => {
	const jambonz = await client();
	jambonz.send({ type: "start", language: "tlh", sampleRateHz: 8000 });
	t.match(await jambonz.receive("error"), { error: /lang_type must be/ });
	t.equal(await jambonz.closed(), 1008);
});

t.test(
	"Asterisk: MEDIA_START in words, its own subprotocol, options in the query, and not a word back",
	async (t) => {
		const asterisk = await client({
			query: { lang_type: "ja", call: "a-1", leg: "caller" },
			protocols: ["media"],
		});
		t.equal(asterisk.socket.protocol, "media");
		asterisk.send(
			"MEDIA_START connection_id:media_ws_1 channel:WebSocket/media/0x1 format:ulaw optimal_frame_size:160 ptime:20",
		);
		asterisk.audio(loud(8000));
		asterisk.send("MEDIA_XON");
		asterisk.send("DTMF_END digit:1");
		const recognition = await opened(1);
		t.match(lane.options, {
			language: "ja-JP",
			format: "mulaw",
			sampleRateHz: 8000,
			partials: false,
		});
		await until(() => recognition.bytes >= 6700);
		recognition.emit(final("もしもし", 100));
		asterisk.hangUp();
		const done = await calls.stored.finished(await theOnlyTask("a-1"));
		t.match(done, { state: "completed", call: "a-1", fileName: "a-1" });
		t.match(await transcript(done.id), [{ transcript: "もしもし" }]);
		t.same(asterisk.messages, []);
		t.equal(asterisk.binaries, 0);
	},
);

t.test("Asterisk: MEDIA_START as JSON, and the call named by it", async (t) => {
	const asterisk = await client();
	asterisk.send({
		event: "MEDIA_START",
		connection_id: "media_ws_2",
		channel: "WebSocket/media/0x2",
		channel_id: "1763948412.17",
		format: "slin16",
		channel_variables: { DIALEDPEERNUMBER: "media" },
	});
	asterisk.audio(new Uint8Array(32_000).fill(0x30), 640);
	await opened(1);
	t.match(lane.options, { format: "pcm_s16le", sampleRateHz: 16_000 });
	asterisk.hangUp();
	const id = await theOnlyTask("1763948412.17");
	t.equal((await calls.stored.finished(id)).state, "completed");
});

t.test("Asterisk: a format that can't be recognized", async (t) => {
	const asterisk = await client();
	asterisk.send("MEDIA_START connection_id:x format:opus ptime:20");
	t.equal(await asterisk.closed(), 1008);
	t.same(asterisk.messages, []);
	t.match(asterisk.closeReason, /^200006: format must be/);
	t.match(
		calls.log
			.filter((it) => it.includes("a call's connection was refused"))
			.at(-1),
		/"dialect":"asterisk".*"status":"200006".*format must be/,
	);
});

t.test(
	"mod_audio_stream: metadata, and both legs as two channels",
	async (t) => {
		const fork = await client({ query: { channels: "2", encoding: "l16" } });
		fork.send({ call: "fs-1", lang_type: "en", campaign: { any: ["thing"] } });
		const frame = Buffer.alloc(4 * 4000);
		for (let at = 0; at < frame.length; at += 4) {
			frame.writeInt16LE(at % 8 === 0 ? 9000 : -9000, at);
			frame.writeInt16LE(at % 8 === 0 ? 5000 : -5000, at + 2);
		}
		fork.audio(frame, 641); // cut inside a sample
		const [caller, callee] = [await opened(1), await opened(2)];
		// of 8000: less than 0.16 s waits for more, however it was cut
		await until(() => callee.bytes >= 5400);
		callee.emit(final("Second.", 200));
		await fork.receive("transcription");
		caller.emit(final("First.", 100));
		const result = await fork.receive("transcription", 2);
		t.match(
			fork.messages.map(({ channel, leg, call }) => ({ channel, leg, call })),
			[
				{ channel: 2, leg: "2", call: "fs-1" },
				{ channel: 1, leg: "1", call: "fs-1" },
			],
		);
		fork.hangUp();
		t.match(await transcript(result.task_id), [
			{ transcript: "First.", cluster_id: 1 },
			{ transcript: "Second.", cluster_id: 2 },
		]);
	},
);

t.test("mod_audio_fork: audio without a word before it", async (t) => {
	const fork = await client({ query: { rate: "16000" } });
	fork.audio(new Uint8Array(640).fill(0x40), 640);
	const recognition = await opened(1);
	t.match(lane.options, { format: "pcm_s16le", sampleRateHz: 16_000 });
	recognition.emit(final("Yes.", 0));
	const { data, type, ...result } = await fork.receive("transcription");
	t.match(result, { leg: "1", channel: 1 });
	t.same(data, result, "the module forwards nothing else");
	fork.socket.send(new Uint8Array(0));
	t.equal(await fork.closed(), 1000, "graceful-shutdown");
	t.ok(recognition.finished);
});

t.test("mod_audio_fork: an error is in data, too", async (t) => {
	const fork = await client({ query: { rate: "7" } });
	fork.audio(new Uint8Array(640), 640);
	const { data, error } = await fork.receive("error");
	t.match(data, { error, status: "200002" });
});

t.test(
	"Twilio: refused unless calls from the internet are taken",
	async (t) => {
		const twilio = await client();
		twilio.send({ event: "connected", protocol: "Call", version: "1.0.0" });
		t.equal(await twilio.closed(), 1008);
	},
);

t.test("options that can't be: an error names the option", async (t) => {
	for (const [query, wrong] of [
		[{ rate: "7" }, /^rate must be/],
		[{ encoding: "opus" }, /^encoding must be/],
		[{ channels: "3" }, /^channels must be/],
		[{ channels: "2", leg: "1" }, /^leg can't be given/],
		[{ call: "a b" }, /^call must be/],
		[{ hotwords_id: "nothing-there" }, /does not exist/],
	] as const) {
		const fork = await client({ query });
		fork.audio(new Uint8Array(2), 2);
		t.match(await fork.receive("error"), { error: wrong }, String(wrong));
		await fork.closed();
	}
});

t.test("a token as Basic, in a header of its own, and none", async (t) => {
	const { url, token } = calls;
	const basic = Buffer.from(`freeswitch:${token}`).toString("base64");
	for (const headers of [
		{ Authorization: `Basic ${basic}` },
		{ authorization: `bearer ${token}` },
		{ "X-API-Key": token },
	]) {
		const fork = await CallClient.open({ url, headers });
		fork.hangUp();
	}
	for (const way of [
		{ url },
		{ url, query: { token } },
		{ url, headers: { Authorization: "Basic bm9ib2R5" } },
		{ url, token: await calls.makeToken(["files"]) },
	])
		await t.rejects(CallClient.open(way), /Unexpected server response: 40[13]/);
});

async function theOnlyTask(call: string): Promise<string> {
	await until(() => tasksOf(call).length === 1);
	return tasksOf(call)[0] ?? "";
}

function tasksOf(call: string): string[] {
	return [...calls.stored.tasks.list()]
		.filter((it) => it.call === call)
		.map((it) => it.id);
}
