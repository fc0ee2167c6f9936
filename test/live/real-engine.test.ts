import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import t, { type Test } from "tap";
import { startApi } from "../api/running-api.js";
import { clipBytes, ownClipFolder } from "../audio/clips.js";
import { realLane, skipped } from "../engine/real-lane.js";
import { eventually } from "../fixtures/eventually.js";
import { randomOf } from "../fuzz/random.js";
import { nonSpeech } from "../non-speech/pieces.js";
import { LiveClient, type ReceivedMessage } from "./live-client.js";

if (skipped) console.error(`skipped: ${skipped}`);

const clip = (name: string) => readFileSync(join(ownClipFolder, `${name}.wav`));
const pcm = (name: string) => clipBytes(`${name}.wav`);
const silence = (seconds: number) => new Uint8Array(seconds * 32_000);
const second = 32_000;
/** All is sent, and the texts of a busy machine come late. */
const patient = { connect_timeout: 60 };

t.test("streaming through the real engine", { skip: skipped }, async (t) => {
	const { lane, supervisor } = realLane(t);
	supervisor.start();
	await supervisor.engine();
	const api = await startApi(t, {}, lane);

	const open = (path = "/v1/asr/ws") =>
		LiveClient.open(api.url, { token: api.token, path });
	/** A recognition of these frames, and its last message. */
	const recognize = async (
		frames: Iterable<Uint8Array>,
		options: object = {},
	): Promise<{ completed: ReceivedMessage; client: LiveClient }> => {
		const client = await open();
		client.start(options);
		await client.receive("RecognitionStarted");
		for (const frame of frames) client.audio(frame);
		client.stop();
		return { completed: await client.receive("RecognitionCompleted"), client };
	};
	const overHttp = async (bytes: Uint8Array, query = "lang_type=en") => {
		const { data } = await api.recognize(query, {
			body: new Uint8Array(bytes),
		});
		return (data as { result: string }).result;
	};

	t.test(
		"however the audio is cut, the result equals the one over HTTP",
		async (t) => {
			const bytes = pcm("en-librivox-0880");
			const expected = await overHttp(bytes);
			t.match(expected, /young man/i);
			const random = randomOf(1);
			const cuts: Record<string, () => number> = {
				"odd sizes": () => 3331,
				"all of it": () => bytes.length,
				anywhere: () => 1 + Math.floor(random() * 20_000),
			};
			for (const [name, size] of Object.entries(cuts)) {
				const { completed } = await recognize(pieces(bytes, size));
				t.equal(completed.payload.result, expected, `cut by ${name}`);
				t.equal(completed.header.status, "000000");
			}
		},
	);

	t.test("speech that is not recognized is not silence", async (t) => {
		const crowd = nonSpeech(1).find((it) => it.name.startsWith("eight who"));
		if (!crowd) throw new Error("no crowd");
		const bytes = new Uint8Array(
			Int16Array.from(crowd.samples, (it) => it * 32767).buffer,
		);
		const note = "success; speech was detected but not recognized";
		const before = lane.state.unrecognizedSeconds.get("doubt") ?? 0;
		const answer = await api.recognize("lang_type=zh", { body: bytes });
		t.match(answer, { status: "000000", message: note, data: { result: "" } });
		const seconds = (lane.state.unrecognizedSeconds.get("doubt") ?? 0) - before;
		t.ok(seconds > 0.5 && seconds < 1.2, `${seconds} s of it are counted`);
		const { completed } = await recognize([bytes], { lang_type: "zh" });
		t.match(completed.header, { status: "000000", status_text: note });
		t.equal(completed.payload.result, "");
		const silent = await api.recognize("lang_type=zh", {
			body: silence(1),
		});
		t.match(silent, { message: "success", data: { result: "" } });
	});

	t.test("words appear during speech, and at the end with times", async (t) => {
		const client = await open();
		client.start({ ...patient, duration: 600, enable_words: true });
		await client.receive("RecognitionStarted");
		const body = pcm("en-librivox-0870");
		const middle = 6400 * Math.floor(body.length / 12_800);
		const speak = async (part: Uint8Array) => {
			for (const frame of pieces(part, () => 6400)) {
				client.audio(frame);
				await new Promise((wait) => setTimeout(wait, 100)); // twice as fast as spoken
			}
		};
		await speak(body.subarray(0, middle));
		await untilShown(client, 1);
		await speak(body.subarray(middle));
		await untilShown(client, 2);
		const before = client.messages.length - 1;
		t.ok(before >= 2, `${before} intermediate results`);
		client.stop();
		const { payload } = await client.receive("RecognitionCompleted");
		t.match(payload.result, /dashwood/i);
		const words = payload.words ?? [];
		t.ok(words.length >= 18, `${words.length} words`);
		let endMs = 0;
		for (const { start_time, end_time } of words) {
			t.ok(
				Number(start_time) >= endMs - 1 &&
					Number(end_time) >= Number(start_time),
			);
			endMs = Number(end_time);
		}
		const times = client.messages.map((it) => it.payload.time ?? 0);
		t.same(
			times,
			times.toSorted((a, b) => a - b),
			"time never decreases",
		);
	});

	t.test(
		"a WAV as wav and as pcm, and a header in the middle of the audio",
		async (t) => {
			const wav = clip("en-librivox-0880");
			const expected = await overHttp(wav, "lang_type=en&format=wav");
			for (const format of ["wav", "pcm"]) {
				const { completed } = await recognize(
					pieces(wav, () => 1000),
					{ format },
				);
				t.equal(completed.payload.result, expected, format);
			}
			const body = pcm("en-librivox-0880");
			const twice = Buffer.concat([
				body,
				silence(1),
				wav.subarray(0, 44),
				body,
			]);
			const { completed } = await recognize(pieces(twice, () => 7680));
			t.match(completed.payload.result, /young man.*young man/is);
		},
	);

	t.test("odd numbers of bytes, a header alone, and silence", async (t) => {
		const odd = await recognize([new Uint8Array(1)]);
		t.match(odd.completed, {
			header: { status: "000000" },
			payload: { result: "" },
		});
		const cut = pcm("en-librivox-0880").subarray(0, -1);
		t.match((await recognize([cut])).completed.payload.result, /young man/i);
		const header = clip("en-librivox-0880").subarray(0, 44);
		const empty = await recognize([header], { format: "wav" });
		t.match(empty.completed.payload, { result: "", index: 1 });
		const quiet = await recognize(pieces(silence(3), () => 7680));
		t.match(quiet.completed.payload, { result: "", time: 3000, begin_time: 0 });
	});

	t.test("silence for the whole duration ends with 230003", async (t) => {
		const client = await open();
		client.start({ duration: 60 });
		await client.receive("RecognitionStarted");
		for (let index = 0; index < 70; index++) client.audio(silence(1));
		const completed = await client.receive("RecognitionCompleted");
		t.match(completed, {
			header: { status: "230003", status_text: "duration passed" },
			payload: { result: "" },
		});
		t.ok((completed.payload.time ?? 0) >= 60_000);
		t.equal(await client.closed, 1000);
	});

	t.test("it ends on its own when the speech does", async (t) => {
		const client = await open();
		client.start({ ...patient, max_suffix_silence: -1 });
		await client.receive("RecognitionStarted");
		client.audio(silence(1));
		client.audio(pcm("en-librivox-0880"));
		client.audio(silence(3));
		const { header, payload } = await client.receive("RecognitionCompleted");
		t.equal(header.status, "000000");
		t.match(payload.result, /young man/i);
		t.equal(await client.closed, 1000);
	});

	t.test("bytes that do not match their format give 200006", async (t) => {
		for (const format of ["opus", "mp3", "flac", "aac", "amr", "wav"]) {
			const client = await open();
			client.start({ format });
			await client.receive("RecognitionStarted");
			client.audio(Buffer.from("this is no audio at all ".repeat(3000)));
			client.stop();
			t.match(
				(await client.receive("TaskFailed")).header,
				{ status: "200006" },
				format,
			);
			t.equal(await client.closed, 1008);
		}
	});

	t.test("a transcriber sends sentence by sentence", async (t) => {
		const client = await open("/v1/asr/transcriber/ws");
		client.transcribe(patient);
		await client.receive("TranscriptionStarted");
		for (const name of ["en-librivox-0880", "en-librivox-0930"]) {
			client.audio(pcm(name));
			client.audio(silence(2));
		}
		const ends = [
			await client.receive("SentenceEnd", 1),
			await client.receive("SentenceEnd", 2),
		];
		t.same(
			ends.map((it) => it.payload.index),
			[1, 2],
		);
		t.match(ends[0]?.payload.result, /young man/i);
		t.match(ends[1]?.payload.result, /amiable himself/i);
		const begins = client.messages.filter(
			(it) => it.header.name === "SentenceBegin",
		);
		t.same(
			begins.map((it) => it.payload.index),
			[1, 2],
		);
		client.audio(pcm("en-librivox-0870").subarray(0, 4 * second));
		client.send("SentenceEnd", undefined, "SpeechTranscriber");
		const forced = await client.receive("SentenceEnd", 3);
		t.match(forced.payload, { index: 3, result: /dashwood/i });
		client.send("StopTranscription", undefined, "SpeechTranscriber");
		const { payload } = await client.receive("TranscriptionCompleted");
		t.match(payload, { index: 3, result: "" });
		t.equal(await client.closed, 1000);
	});

	t.test(
		"an engine killed in the middle of a sentence: 230004, and the next session works",
		async (t) => {
			const client = await open();
			client.start({ ...patient, duration: 600 });
			await client.receive("RecognitionStarted");
			client.audio(pcm("en-librivox-0870"));
			await untilShown(client, 1);
			const { pid } = await supervisor.engine();
			process.kill(pid as number, "SIGKILL");
			t.match((await client.receive("TaskFailed")).header, {
				status: "230004",
			});
			t.equal(await client.closed, 1011);
			const next = await recognize([pcm("en-librivox-0880")]);
			t.match(next.completed.payload.result, /young man/i);
		},
	);

	t.test("nothing is left", async (t: Test) => {
		await eventually(
			"all sessions to be gone",
			async () => (await api.sessions()) === 0,
		);
		t.match(lane.state, { busy: 0, queued: 0 });
	});
});

/**
 * Silence follows where no text comes, as from a microphone: a slow machine has got all that was said before its first text, and the next one, which agrees with
 * it or not, waits for audio.
 */
async function untilShown(client: LiveClient, texts: number): Promise<void> {
	const shown = client.receive("RecognitionResultChanged", texts);
	for (;;) {
		const found = await Promise.race([shown, pause(1000)]);
		if (found) return;
		client.audio(silence(1));
	}
}

function* pieces(bytes: Uint8Array, size: () => number): Generator<Uint8Array> {
	for (let offset = 0; offset < bytes.length; ) {
		const end = offset + size();
		yield bytes.subarray(offset, end);
		offset = end;
	}
}
