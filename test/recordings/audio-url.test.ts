/** `audio_url`: audio is stored in the requested format, and its link returned (docs/interface.md section 2.3, docs/decisions.md section 11). */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { openEncoder } from "../../drivers/ffmpeg/encoder.js";
import { findExecutable } from "../../drivers/ffmpeg/executable.js";
import { Conversions } from "../../runtime/recordings/conversions.js";
import { startApi } from "../api/running-api.js";
import { eventually } from "../fixtures/eventually.js";
import { LiveClient } from "../live/live-client.js";
import { allOf } from "../store/all-of.js";
import { bytesOf, storedUrl, tone } from "./stored-url.js";

const ffmpeg = await findExecutable("ffmpeg");

t.test("PCM is fetched as PCM or WAV, sample for sample", async (t) => {
	const api = await startApi(t);
	const sent = tone(0.5);
	for (const [query, rateHz] of [
		["format=pcm", 16_000],
		["format=pcm&field=call-center", 8000],
	] as const) {
		const pcm = await fetch(
			await storedUrl(api, `${query}&audio_url=pcm`, sent),
		);
		t.equal(pcm.status, 200);
		t.equal(pcm.headers.get("content-type"), "application/octet-stream");
		t.same(await bytesOf(pcm), sent);
		const wav = await fetch(
			await storedUrl(api, `${query}&audio_url=wav`, sent),
		);
		t.equal(wav.headers.get("content-type"), "audio/wav");
		const bytes = await bytesOf(wav);
		t.equal(bytes.toString("latin1", 0, 4), "RIFF");
		t.equal(bytes.readUInt32LE(24), rateHz);
		t.equal(bytes.readUInt32LE(40), sent.length);
		t.same(bytes.subarray(44), sent);
	}
});

t.test(
	"other formats are converted, and the original is removed",
	{ skip: ffmpeg ? false : "ffmpeg is not installed" },
	async (t) => {
		const api = await startApi(t);
		const url = await storedUrl(api, "audio_url=mp3", tone(2));
		const mp3 = await fetch(url);
		t.equal(mp3.headers.get("content-type"), "audio/mpeg");
		const bytes = await bytesOf(mp3);
		t.ok(bytes.length > 8000 && bytes.length < 24_000, `${bytes.length} bytes`);
		const dir = mkdtempSync(join(tmpdir(), "earshot-mp3-"));
		t.teardown(() => rmSync(dir, { recursive: true }));
		writeFileSync(join(dir, "a.mp3"), bytes);
		const decoded = execFileSync("ffmpeg", [
			"-v",
			"error",
			"-i",
			join(dir, "a.mp3"),
			"-f",
			"s16le",
			"-ar",
			"16000",
			"-ac",
			"1",
			"pipe:1",
		]);
		t.ok(Math.abs(decoded.length / 32_000 - 2) < 0.1, "two seconds of sound");
		// it may be fetched before the original is removed
		const [file] = await eventually("the original to be removed", async () => {
			const files = await api.shelf.ids();
			return files.length === 1 && files;
		});
		t.same(await api.shelf.size(file ?? ""), bytes.length);
		// a WAV sent as PCM is a WAV: the actual content decides
		writeFileSync(join(dir, "b.pcm"), tone(1));
		execFileSync("ffmpeg", [
			"-v",
			"error",
			"-f",
			"s16le",
			"-ar",
			"16000",
			"-ac",
			"1",
			"-i",
			join(dir, "b.pcm"),
			"-ac",
			"2",
			"-ar",
			"44100",
			join(dir, "b.wav"),
		]);
		const wav = readFileSync(join(dir, "b.wav"));
		const pcm = await bytesOf(
			await fetch(await storedUrl(api, "format=pcm&audio_url=pcm", wav)),
		);
		t.ok(
			Math.abs(pcm.length - 32_000) < 700,
			`mono at 16 kHz: ${pcm.length} bytes`,
		);
		execFileSync("ffmpeg", [
			...["-v", "error", "-i", join(dir, "b.wav"), join(dir, "b.mp3")],
		]);
		const stereo = readFileSync(join(dir, "b.mp3"));
		const mixed = await fetch(
			await storedUrl(api, "format=mp3&audio_url=mp3", stereo),
		);
		writeFileSync(join(dir, "mixed.mp3"), await bytesOf(mixed));
		const samples = execFileSync("ffmpeg", [
			...["-v", "error", "-i", join(dir, "mixed.mp3")],
			...["-f", "s16le", "pipe:1"],
		]);
		let loudest = 0;
		for (let at = 8000; at < 24_000; at += 2)
			loudest = Math.max(loudest, samples.readInt16LE(at));
		const each = 8000 * Math.SQRT1_2; // as ffmpeg makes two channels of one
		t.ok(
			Math.abs(loudest - each) < 1000,
			`as loud as each channel: ${loudest}`,
		);
	},
);

t.test("live: the link comes with the last message", async (t) => {
	const api = await startApi(t);
	const sent = tone(1);
	for (const [start, completed] of [
		["start", "RecognitionCompleted"],
		["transcribe", "TranscriptionCompleted"],
	] as const) {
		const client = await LiveClient.open(api.url, { token: api.token });
		client[start]({ audio_url: "pcm" });
		for (let at = 0; at < sent.length; at += 1001)
			client.audio(sent.subarray(at, at + 1001));
		client.send(
			start === "start" ? "StopRecognition" : "StopTranscription",
			undefined,
			start === "start" ? "SpeechRecognizer" : "SpeechTranscriber",
		);
		const { payload, header } = await client.receive(completed);
		t.match(header, { status: "000000", status_text: "success" });
		const { audio_url: url } = payload as { audio_url?: string };
		t.same(await bytesOf(await fetch(url ?? "")), sent, completed);
	}
});

t.test(
	"nothing is stored without a request, without audio, after a disconnect, or for a refused request",
	async (t) => {
		const api = await startApi(t);
		const plain = await api.recognize("lang_type=en", { body: tone(0.1) });
		t.notOk("audio_url" in (plain.data as object));
		const client = await LiveClient.open(api.url, { token: api.token });
		client.start({ audio_url: "wav" });
		client.stop();
		const { payload } = await client.receive("RecognitionCompleted");
		t.notOk("audio_url" in payload);
		api.lane.behaviour = { why: "duration" };
		t.match(
			await api.recognize("lang_type=en&audio_url=wav", { body: tone(0.1) }),
			{ status: "200005" },
		);
		api.lane.behaviour = { failAfterBytes: 1, failWith: "200006" };
		t.match(
			await api.recognize("lang_type=en&audio_url=wav", { body: tone(0.1) }),
			{ status: "200006" },
		);
		api.lane.behaviour = { holdResult: true };
		const leaver = await LiveClient.open(api.url, { token: api.token });
		leaver.start({ audio_url: "wav" });
		leaver.audio(tone(0.1));
		await leaver.receive("RecognitionStarted");
		leaver.socket.terminate();
		await api.lane.last.cancelled;
		await eventually(
			"an empty shelf",
			async () => api.shelf.bytes === 0 && (await api.shelf.ids()).length === 0,
		);
		t.same(await allOf(api.store.recordings.list()), []);
	},
);

t.test("a full disk refuses only requests for audio", async (t) => {
	const api = await startApi(t, { audioBytesMax: 0 });
	const body = tone(0.1);
	// no byte can be stored: noticed while they arrive, the result is still returned
	const late = await api.recognize("lang_type=en&audio_url=wav", { body });
	t.match(late, {
		http: 200,
		status: "000000",
		message:
			/^success, but the audio could not be stored: .*audio is limited to/,
	});
	t.notOk("audio_url" in (late.data as object));
	const client = await LiveClient.open(api.url, { token: api.token });
	client.start({ audio_url: "wav" });
	client.audio(body);
	client.stop();
	const { header, payload } = await client.receive("RecognitionCompleted");
	t.match(header, { status: "000000", status_text: /could not be stored/ });
	t.match(payload, { result: `heard ${body.length} bytes` });
	t.match(await api.recognize("lang_type=en", { body }), {
		status: "000000",
		message: "success",
	});
	t.equal(api.shelf.bytes, 0);
});

t.test(
	"with no room at all, the request is refused before recognition",
	async (t) => {
		const other = await startApi(t, { audioBytesMax: -1 });
		const body = tone(0.1);
		t.match(await other.recognize("lang_type=en&audio_url=wav", { body }), {
			http: 503,
			status: "100004",
			message: /audio is limited to/,
		});
		t.equal(other.lane.opened.length, 0, "no slot was taken for it");
		t.match(await other.recognize("lang_type=en", { body }), {
			status: "000000",
		});
	},
);

t.test("a slow disk delays no result", async (t) => {
	const api = await startApi(t, { sealMsMax: 100 });
	const begin = api.shelf.begin.bind(api.shelf);
	let goOn: () => void = () => {};
	const held = new Promise<void>((resolve) => {
		goOn = resolve;
	});
	api.shelf.begin = async (bytes) => {
		const draft = await begin(bytes);
		const append = draft.append.bind(draft);
		draft.append = async (piece) => {
			await held;
			await append(piece);
		};
		return draft;
	};
	const sent = tone(0.5);
	const url = await storedUrl(api, "audio_url=pcm", sent);
	t.equal((await fetch(url)).status, 404, "not yet");
	goOn();
	await eventually("the recording", async () => (await fetch(url)).ok);
	t.same(await bytesOf(await fetch(url)), sent);
});

t.test(
	"what was not converted before the server ended is converted when it is fetched",
	{ skip: ffmpeg ? false : "ffmpeg is not installed" },
	async (t) => {
		const api = await startApi(t);
		await api.recordings.stop(); // as after a crash: nothing is converted any more
		const url = await storedUrl(api, "audio_url=mp3", tone(0.5));
		// a busy machine answers before the recording is sealed
		await eventually(
			"its row",
			async () => (await allOf(api.store.recordings.list())).length > 0,
		);
		t.match(await allOf(api.store.recordings.list()), [
			{ holds: { is: "sent" } },
		]);
		const after = new Conversions({
			rows: api.store.recordings,
			shelf: api.shelf,
			encoder: openEncoder(),
			log: { warn: () => {} } as never,
		});
		const id = /audio\/([\w-]{22})/.exec(url)?.[1] ?? "";
		const [first, second] = await Promise.all([
			after.ready(id),
			after.ready(id),
		]);
		t.equal(first?.holds.is, "mp3");
		t.equal(first?.audioId, second?.audioId, "once");
		t.same(await api.shelf.ids(), [first?.audioId]);
		t.same(
			await allOf(api.recordings.audioIds()),
			[first?.audioId],
			"no sweep removes it",
		);
	},
);
