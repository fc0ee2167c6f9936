/** A clip has the same text at every endpoint. An endpoint that lands adds a line to `endpoints`. */

import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import t from "tap";
import { CallClient } from "../calls/call-client.js";
import { eventually } from "../fixtures/eventually.js";
import { nextUuid } from "../fixtures/ids.js";
import { LiveClient } from "../live/live-client.js";
import { RealtimeClient } from "../realtime/realtime-client.js";
import { VoskClient } from "../vosk/vosk-client.js";
import { WyomingClient } from "../wyoming/wyoming-client.js";
import { type RunningAppliance, repository } from "./running-appliance.js";
import { sharedWithPorts } from "./shared-appliance.js";

interface Clip {
	readonly file: string;
	readonly language: string;
	readonly wav: Buffer;
	/** 16 kHz, 16 bits, mono. */
	readonly pcm: Buffer;
}

/** Of a callback. */
interface Transcript {
	readonly call: string;
	readonly result: readonly { readonly transcript: string }[];
}

/** Two languages, one sentence and two. */
const english = clipOf("en-librivox-0930");
const japanese = clipOf("ja-kokoro-weather");

const { appliance: earshot, ports, callbacks } = await sharedWithPorts();

type Transcribe = (earshot: RunningAppliance, clip: Clip) => Promise<string>;

/** The first is what the others are compared with. */
const endpoints: readonly (readonly [name: string, transcribe: Transcribe])[] =
	[
		[
			"POST /v1/asr/api",
			async (earshot, { wav, language }) =>
				(await short(earshot, { lang_type: language, format: "wav" }, wav))
					.result,
		],
		[
			"/v1/asr/ws",
			async (earshot, { pcm, language }) =>
				(await live(earshot, language, pcm)).result ?? "",
		],
		["POST /v1/asrfile/upload", file],
		["POST /v1/audio/transcriptions", openAi],
		["the same with stream", openAiStream],
		["POST /inference", inference],
		["Realtime", realtime],
		["Wyoming", wyoming],
		["Vosk", vosk],
		["/v1/calls/ws", call],
	];

/** Their English is compared with the first one's in openai.test.ts, realtime.test.ts and listeners.test.ts. */
const comparedInEnglish = new Set([
	"POST /v1/audio/transcriptions",
	"the same with stream",
	"Realtime",
	"Wyoming",
	"Vosk",
]);

t.test("with an appliance", async (t) => {
	/** By language. */
	const wanted = new Map<string, string>();
	for (const clip of [english, japanese])
		t.test(clip.language, async (t) => {
			for (const [name, transcribe] of endpoints) {
				if (clip.language === "en" && comparedInEnglish.has(name)) continue;
				const text = await transcribe(earshot, clip);
				if (!wanted.has(clip.language)) wanted.set(clip.language, text);
				t.ok(text.length > 5, `${name}: ${text}`);
				t.equal(text, wanted.get(clip.language), name);
			}
			const isOneSentence = clip.language === "en";
			t.equal(
				await audioSocket(clip),
				isOneSentence
					? wanted.get(clip.language)
					: await call(earshot, clip, {}),
				"AudioSocket ends sentences as calls do by default",
			);
		});

	t.test("`earshot transcribe` prints it", async (t) => {
		const { language, file } = japanese;
		const { stdout } = await earshot.command(
			...["transcribe", "--lang", language, file],
		);
		t.equal(stdout.trim(), wanted.get(language));
	});

	t.test("lang_type=auto identifies the language", async (t) => {
		const query = { format: "wav", lang_type: "auto" };
		const auto = await short(earshot, query, japanese.wav);
		t.same([auto.result, auto.lang_type], [wanted.get("ja"), "ja-JP"]);
		const payload = await live(earshot, "AUTO", english.pcm);
		t.same([payload.result, payload.lang_type], [wanted.get("en"), "en-US"]);
	});
});

async function short(
	earshot: RunningAppliance,
	query: Record<string, string>,
	body: Uint8Array,
): Promise<{ readonly result: string; readonly lang_type?: string }> {
	const answer = await earshot.recognize(query, body);
	const { data } = (await answer.json()) as {
		data: { result: string; lang_type?: string };
	};
	return data;
}

async function live(
	{ url, token }: RunningAppliance,
	language: string,
	pcm: Uint8Array,
) {
	const client = await LiveClient.open(url, { token });
	const enable_intermediate_result = false;
	client.send("StartRecognition", {
		lang_type: language,
		enable_intermediate_result,
	});
	await client.receive("RecognitionStarted");
	client.socket.send(pcm);
	client.send("StopRecognition");
	const { payload } = await client.receive("RecognitionCompleted");
	client.socket.close();
	return payload;
}

async function file(
	{ url, token }: RunningAppliance,
	{ wav, language }: Clip,
): Promise<string> {
	const form = new FormData();
	form.set("file", new Blob([wav]), "clip.wav");
	form.set("lang_type", language);
	form.set("format", "wav");
	form.set("enable_modal_particle_filter", "true"); // as elsewhere
	const headers = { Authorization: `Bearer ${token}` };
	const begun = (await (
		await fetch(`${url}/v1/asrfile/upload`, {
			method: "POST",
			body: form,
			headers,
		})
	).json()) as { data: { task_id: string } };
	const id = begun.data.task_id;
	const segments = await eventually("the transcript", async () => {
		const answer = await fetch(`${url}/v1/asrfile/result?task_id=${id}`, {
			headers,
		});
		const { data } = (await answer.json()) as {
			data: { result?: readonly { readonly transcript: string }[] };
		};
		return data.result;
	});
	const texts = segments.map(({ transcript }) => transcript);
	return joined(language, texts);
}

async function openAi(earshot: RunningAppliance, clip: Clip): Promise<string> {
	const answer = await posted(earshot, "/v1/audio/transcriptions", clip, {});
	return ((await answer.json()) as { text: string }).text;
}

/** What its deltas make. */
async function openAiStream(
	earshot: RunningAppliance,
	clip: Clip,
): Promise<string> {
	const stream = { stream: "true" };
	const answer = await posted(
		earshot,
		"/v1/audio/transcriptions",
		clip,
		stream,
	);
	const events = [...(await answer.text()).matchAll(/^data: (\{.*)$/gm)].map(
		([, json = ""]) => JSON.parse(json) as { type: string; delta?: string },
	);
	return events.map(({ delta = "" }) => delta).join("");
}

async function inference(
	earshot: RunningAppliance,
	clip: Clip,
): Promise<string> {
	const answer = await posted(earshot, "/inference", clip, {});
	return ((await answer.json()) as { text: string }).text;
}

function posted(
	{ url, token }: RunningAppliance,
	path: string,
	{ wav, language }: Clip,
	fields: Readonly<Record<string, string>>,
): Promise<Response> {
	const body = new FormData();
	body.set("file", new Blob([wav]), "clip.wav");
	const all = { language, model: "whisper-1", ...fields };
	for (const [name, value] of Object.entries(all)) body.set(name, value);
	const headers = { Authorization: `Bearer ${token}` };
	return fetch(url + path, { method: "POST", body, headers });
}

/** The client commits: the whole clip is one text, as elsewhere. */
async function realtime(
	{ url, token }: RunningAppliance,
	{ pcm, language }: Clip,
): Promise<string> {
	const client = await RealtimeClient.open(url, { token });
	client.update({
		format: { type: "audio/pcm", rate: 16_000 },
		transcription: { language, delay: "xhigh" },
		turn_detection: null,
	});
	client.append(pcm);
	client.commit();
	const { transcript = "" } = await client.completed();
	client.socket.close();
	return transcript;
}

async function wyoming(
	_: RunningAppliance,
	{ pcm, language }: Clip,
): Promise<string> {
	const client = await WyomingClient.open(ports.wyoming);
	client.send("transcribe", { language });
	for (let at = 0; at < pcm.length; at += 4096)
		client.audio(pcm.subarray(at, at + 4096));
	client.send("audio-stop");
	const { data } = await client.receive("transcript");
	client.socket.destroy();
	return data.text as string;
}

async function vosk(
	_: RunningAppliance,
	{ pcm, language }: Clip,
): Promise<string> {
	const client = await VoskClient.open(ports.vosk);
	client.configure({ sample_rate: 16_000 });
	const answers = [];
	for (let at = 0; at < pcm.length; at += 64_000)
		answers.push(await client.ask(pcm.subarray(at, at + 64_000)));
	answers.push(await client.eof());
	return joined(
		language,
		answers.map(({ text = "" }) => text),
	);
}

/** @param pause that ends a sentence: as elsewhere. */
async function call(
	{ url, token }: RunningAppliance,
	{ pcm, language }: Clip,
	pause: Readonly<Record<string, string>> = { max_sentence_silence: "800" },
): Promise<string> {
	const client = await CallClient.open({
		url,
		token,
		query: { rate: "16000", lang_type: language, ...pause },
	});
	client.send({ type: "start", sampleRateHz: 16_000, language });
	client.audio(pcm, 6400);
	client.send({ type: "stop" });
	await client.closed();
	return joined(language, client.finals);
}

async function audioSocket({ pcm, language }: Clip): Promise<string> {
	const id = nextUuid();
	const socket = connect(ports.audioSocket, "127.0.0.1");
	const frame = (kind: number, payload: Uint8Array) =>
		socket.write(
			Buffer.concat([
				Buffer.from([kind, payload.length >> 8, payload.length & 255]),
				payload,
			]),
		);
	frame(0x01, Buffer.from(id.replaceAll("-", ""), "hex"));
	for (let at = 0; at < pcm.length; at += 640)
		frame(0x12, pcm.subarray(at, at + 640));
	frame(0x00, new Uint8Array(0));
	const { result } = await eventually("its transcript", () =>
		callbacks.received
			.map(({ body }) => JSON.parse(body).data as Transcript)
			.find(({ call }) => call === id),
	);
	socket.destroy();
	return joined(
		language,
		result.map(({ transcript }) => transcript),
	);
}

function joined(language: string, texts: readonly string[]): string {
	return texts.filter((it) => it !== "").join(language === "en" ? " " : "");
}

function clipOf(name: string): Clip {
	const file = join(repository, "test/clips", `${name}.wav`);
	const wav = readFileSync(file);
	const pcm = wav.subarray(wav.indexOf("data") + 8);
	return { file, language: name.slice(0, 2), wav, pcm };
}
