/** Conversations over a real socket, with a lane that does as the test says (docs/wyoming.md). */
import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import { until, untilStill } from "../fixtures/eventually.js";
import { madeUtterance } from "../session/made-utterances.js";
import { startWyoming } from "./running-wyoming.js";
import { frame, pcm, WyomingClient } from "./wyoming-client.js";

const { lane, port, endpoint, metrics } = await startWyoming(t);

async function peer(): Promise<WyomingClient> {
	lane.behaviour = {};
	lane.opened.length = 0;
	return WyomingClient.open(port);
}

const answer = [
	"transcript-start",
	"transcript-chunk",
	"transcript",
	"transcript-stop",
];

t.test(
	"describe says what Home Assistant needs to make an entity",
	async (t) => {
		const client = await peer();
		client.send("describe");
		const { data } = await client.receive("info");
		const [program] = data.asr as [Record<string, unknown>];
		t.match(program, {
			name: "earshot",
			installed: true,
			version: "1.2.3",
			attribution: { name: String, url: String },
			supports_transcript_streaming: true,
			requires_external_vad: true,
			models: [
				{
					name: "whisper-base",
					installed: true,
					languages: ["en", "ja", "zh"],
				},
			],
		});
		for (const name of ["tts", "handle", "intent", "wake", "mic", "snd"])
			t.same(data[name], [], name);
		client.socket.destroy();
	},
);

t.test("a command, as Home Assistant sends one", async (t) => {
	const client = await peer();
	client.send("transcribe", { language: "ja" });
	client.send("audio-start", { ...pcm, timestamp: 0 });
	client.send("ping", { text: "still there?" });
	t.equal((await client.receive("pong")).data.text, "still there?");
	t.equal(lane.opened.length, 0, "no slot before the first audio");
	client.audio(3200);
	client.audio(3200);
	client.send("audio-stop", { timestamp: 200 });
	const { data } = await client.receive("transcript");
	t.same(data, { text: "heard 6400 bytes", language: "ja" });
	await client.receive("transcript-stop");
	t.same(client.types, ["pong", ...answer]);
	t.match(lane.options, {
		language: "ja-JP",
		sampleRateHz: 16_000,
		oneText: true,
	});
	client.socket.destroy();
});

t.test(
	"without transcribe and audio-start, and another turn on the same connection",
	async (t) => {
		const client = await peer();
		for (const nth of [1, 2]) {
			client.audio(640);
			client.send("audio-stop");
			const { data } = await client.receive("transcript", nth);
			t.same(data, { text: "heard 640 bytes", language: "en" });
		}
		t.equal(client.isClosed, false);
		client.socket.destroy();
	},
);

t.test(
	"all of several turns at once: a transcript for each audio-stop",
	async (t) => {
		const client = await peer();
		const turn = (language: string, bytes: number) => [
			frame("transcribe", { language }),
			frame("audio-chunk", pcm, new Uint8Array(bytes)),
			frame("audio-stop"),
		];
		client.raw(
			Buffer.concat([
				...turn("en", 100),
				...turn("ja", 200),
				frame("audio-stop"),
				...turn("cmn", 300),
				frame("ping"),
			]),
		);
		await client.receive("transcript", 4);
		t.same(
			client.events
				.filter((it) => it.type === "transcript")
				.map((it) => it.data),
			[
				{ text: "heard 100 bytes", language: "en" },
				{ text: "heard 200 bytes", language: "ja" },
				{ text: "", language: "en" },
				{ text: "heard 300 bytes", language: "zh" },
			],
		);
		client.socket.destroy();
	},
);

t.test(
	"audio-stop without audio: an empty transcript, and no slot",
	async (t) => {
		const client = await peer();
		client.send("transcribe", {});
		client.send("audio-start", pcm);
		client.audio(0);
		client.send("audio-stop");
		t.equal((await client.receive("transcript")).data.text, "");
		t.equal(lane.opened.length, 0);
		client.socket.destroy();
	},
);

t.test(
	"speech is announced, its text comes in stable chunks that make the transcript",
	async (t) => {
		const client = await peer();
		lane.behaviour = { holdResult: true };
		client.audio(640);
		await until(() => lane.opened.length === 1);
		lane.last.emit({ is: "speech-begin", index: 1, atMs: 100 });
		lane.last.emit({
			is: "final",
			utterance: madeUtterance("Turn it on."),
			audioMs: 900,
		});
		lane.last.emit({ is: "speech-begin", index: 2, atMs: 1000 });
		lane.last.emit({
			is: "final",
			utterance: madeUtterance("All of it.", { index: 2 }),
			audioMs: 2000,
		});
		client.send("audio-stop");
		await until(() => lane.last.finished);
		lane.last.emit({
			is: "completed",
			text: "Turn it on. All of it.",
			confidence: 0.9,
			words: [],
			audioMs: 2000,
			why: "finished",
		});
		await client.receive("transcript-stop");
		t.same(
			client.events.map(({ type, data }) => [
				type,
				data.text ?? data.timestamp,
			]),
			[
				["voice-started", 100],
				["voice-stopped", 900],
				["transcript-start", undefined],
				["transcript-chunk", "Turn it on."],
				["voice-started", 1000],
				["voice-stopped", 900],
				["transcript-chunk", " All of it."],
				["transcript", "Turn it on. All of it."],
				["transcript-stop", undefined],
			],
		);
		client.socket.destroy();
	},
);

t.test(
	"a language that was identified: the transcript names it, and its chunks are joined by its rule",
	async (t) => {
		const client = await peer();
		lane.behaviour = { holdResult: true };
		client.send("transcribe", { language: "auto" });
		client.audio(640);
		await until(() => lane.opened.length === 1);
		t.match(lane.options, { language: "en-US", languageChoices: Array });
		const language = "zh-cmn-Hans-CN";
		for (const [i, text] of ["打开灯。", "全部。"].entries())
			lane.last.emit({
				is: "final",
				utterance: {
					index: i + 1,
					text,
					beginMs: 100,
					endMs: 900,
					confidence: 0.9,
					words: [],
				},
				audioMs: 900,
				language,
			});
		client.send("audio-stop");
		await until(() => lane.last.finished);
		lane.last.emit({
			is: "completed",
			text: "打开灯。全部。",
			confidence: 0.9,
			words: [],
			audioMs: 2000,
			why: "finished",
			language,
		});
		await client.receive("transcript-stop");
		t.same(
			client.events.map(({ type, data }) => [type, data]),
			[
				["transcript-start", { language: "zh" }],
				["transcript-chunk", { text: "打开灯。" }],
				["transcript-chunk", { text: "全部。" }],
				["transcript", { text: "打开灯。全部。", language: "zh" }],
				["transcript-stop", {}],
			],
		);
		client.socket.destroy();
	},
);

t.test(
	"the turn ends before its audio-stop: what comes after is dropped",
	async (t) => {
		const client = await peer();
		lane.behaviour = { completeAfterBytes: 640 };
		client.audio(640);
		await client.receive("transcript");
		client.audio(640);
		client.audio(640);
		client.send("audio-stop");
		client.send("ping");
		await client.receive("pong");
		t.same(client.types.filter((it) => it === "transcript").length, 1);
		lane.behaviour = {};
		client.audio(320);
		client.send("audio-stop");
		t.equal(
			(await client.receive("transcript", 2)).data.text,
			"heard 320 bytes",
		);
		client.socket.destroy();
	},
);

t.test("where this device finds the end, silence has one, too", async (t) => {
	const { lane, port } = await startWyoming(t, { endpointing: true });
	const client = await WyomingClient.open(port);
	client.send("transcribe", { vad_sensitivity: "relaxed" });
	client.audio(640);
	await until(() => lane.opened.length === 1);
	t.match(lane.options, { suffixSilenceMs: 1250, unspokenMs: 15_000 });
	client.socket.destroy();
});

t.test("at capacity: an error, and the next turn is served", async (t) => {
	const client = await peer();
	lane.behaviour = { refuse: new CodedError("100004") };
	client.audio(640);
	client.audio(640);
	const { data } = await client.receive("error");
	t.match(data, { code: "100004", text: /capacity/ });
	client.send("audio-stop");
	lane.behaviour = {};
	client.audio(320);
	client.send("audio-stop");
	t.equal((await client.receive("transcript")).data.text, "heard 320 bytes");
	t.same(client.types.filter((it) => it === "error").length, 1);
	client.socket.destroy();
});

t.test("an engine that dies: an error for this turn only", async (t) => {
	const client = await peer();
	lane.behaviour = { failAfterBytes: 640 };
	client.audio(640);
	client.send("audio-stop");
	t.equal((await client.receive("error")).data.code, "230004");
	lane.behaviour = {};
	client.audio(320);
	client.send("audio-stop");
	await client.receive("transcript");
	client.socket.destroy();
});

t.test("languages as Home Assistant names them", async (t) => {
	const client = await peer();
	let turns = 0;
	for (const [name, language] of [
		["en-GB", "en"],
		["EN", "en"],
		["zh-CN", "zh"],
		["zh_Hans", "zh"],
		["ja-JP", "ja"],
		["", "en"],
	] as const) {
		client.send("transcribe", { language: name });
		client.audio(640);
		client.send("audio-stop");
		const { data } = await client.receive("transcript", ++turns);
		t.equal(data.language, language, name);
	}
	let errors = 0;
	for (const name of ["de-DE", "yue", "xx", 7]) {
		client.send("transcribe", { language: name });
		client.audio(640);
		client.send("audio-stop");
		const { data } = await client.receive("error", ++errors);
		t.match(data, { code: "200008", text: /^language must be/ }, String(name));
	}
	client.send("ping");
	await client.receive("pong");
	t.equal(client.types.filter((it) => it === "transcript").length, turns);
	client.socket.destroy();
});

t.test(
	"names and terms become hotwords, vad_sensitivity the silence",
	async (t) => {
		const client = await peer();
		client.send("transcribe", {
			transcript_names: ["Dashwood", "", 7],
			transcript_terms: ["kitchen lamp"],
			vad_sensitivity: "relaxed",
		});
		client.audio(640);
		client.send("audio-stop");
		await client.receive("transcript");
		t.same(lane.options?.hotwords?.list.entries, ["Dashwood", "kitchen lamp"]);
		t.equal(lane.options?.maxSentenceSilenceMs, 1250);
		t.equal(lane.options?.suffixSilenceMs, undefined);
		client.socket.destroy();
	},
);

t.test("each chunk says its width and channels", async (t) => {
	const client = await peer();
	lane.behaviour = { keepBytes: true };
	const samples = (bytes: Buffer) => new Uint8Array(bytes);
	const s32 = Buffer.alloc(16);
	[0x10000000, 0x20000000, -0x10000000, -0x10000000].forEach((value, at) => {
		s32.writeInt32LE(value, at * 4);
	});
	client.audio(samples(Buffer.from([128, 255, 0])), { ...pcm, width: 1 });
	client.audio(samples(s32), { ...pcm, width: 4, channels: 2 });
	const s16 = Buffer.alloc(4);
	s16.writeInt16LE(1234);
	s16.writeInt16LE(-1234, 2);
	client.audio(samples(s16));
	client.send("audio-stop");
	await client.receive("transcript");
	const written = Buffer.concat(lane.last.chunks);
	const values = Array.from({ length: written.length / 2 }, (_, at) =>
		written.readInt16LE(at * 2),
	);
	t.same(values, [0, 32512, -32768, 6144, -4096, 1234, -1234]);
	client.socket.destroy();
});

t.test("formats that can't be: an error names the field", async (t) => {
	const client = await peer();
	let errors = 0;
	for (const [format, field] of [
		[{ ...pcm, rate: 0 }, "rate"],
		[{ ...pcm, rate: 1e9 }, "rate"],
		[{ ...pcm, width: 3 }, "width"],
		[{ ...pcm, channels: 0 }, "channels"],
		[{ ...pcm, channels: 1.5 }, "channels"],
		[{}, "rate"],
	] as const) {
		client.send("audio-chunk", format, new Uint8Array(640));
		client.audio(640);
		client.send("audio-stop");
		const { data } = await client.receive("error", ++errors);
		t.match(data, { code: "200002", text: new RegExp(`^${field} `) });
	}
	client.audio(640);
	client.audio(640, { ...pcm, rate: 8000 });
	t.match(
		(await client.receive("error", ++errors)).data.text,
		/must stay 16000/,
	);
	client.send("audio-stop");
	client.audio(640);
	client.send("audio-stop");
	t.equal((await client.receive("transcript")).data.text, "heard 640 bytes");
	client.socket.destroy();
});

t.test(
	"a peer that ends after its question still gets its answer",
	async (t) => {
		const client = await peer();
		lane.behaviour = { holdResult: true };
		client.audio(640);
		client.socket.end(frame("audio-stop"));
		await until(() => lane.opened[0]?.finished === true);
		lane.last.release();
		await client.receive("transcript");
		await client.closed;
		t.pass("and is then closed");
	},
);

t.test("a peer that vanishes in the middle gives its slot back", async (t) => {
	const client = await peer();
	lane.behaviour = { holdResult: true };
	client.audio(640);
	await until(() => lane.opened.length === 1);
	client.socket.resetAndDestroy();
	await lane.last.cancelled;
	await until(() => endpoint.stats.connectionsOpen === 0);
	t.match(
		await metrics.text(),
		/^earshot_endpoint_requests_total\{endpoint="wyoming",status="gone"\} [1-9]/m,
	);
});

t.test("a busy engine makes the peer wait", async (t) => {
	const client = await peer();
	lane.behaviour = { stallTurns: -1 };
	const second = 32_000;
	for (let sent = 0; sent < 100; sent++) client.audio(second);
	await until(() => lane.opened.length === 1);
	await untilStill(() => lane.last.bytes);
	t.ok(lane.last.bytes < 10 * second, `${lane.last.bytes} bytes were taken`);
	lane.behaviour = {};
	const drain = setInterval(() => lane.last.drain(), 1);
	t.teardown(() => clearInterval(drain));
	client.send("audio-stop");
	t.equal(
		(await client.receive("transcript")).data.text,
		`heard ${100 * second} bytes`,
	);
	client.socket.destroy();
});
