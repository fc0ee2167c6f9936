/** A clip has the same text at every endpoint. An endpoint that lands adds a line to `endpoints`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { claimedPort } from "../fixtures/claimed-port.js";
import { eventually } from "../fixtures/eventually.js";
import { LiveClient } from "../live/live-client.js";
import { RealtimeClient } from "../realtime/realtime-client.js";
import { WyomingClient } from "../wyoming/wyoming-client.js";
import { RunningAppliance, repository } from "./running-appliance.js";

interface Clip {
	readonly language: string;
	readonly wav: Buffer;
	/** 16 kHz, 16 bits, mono. */
	readonly pcm: Buffer;
}

/** The two languages of the included model, a question, and short and long sentences. */
const clips = [
	...["0880", "0930"].map((it) => `en-librivox-${it}`),
	...["station", "weather", "meeting"].map((it) => `ja-kokoro-${it}`),
].map((name): Clip & { readonly name: string } => {
	const wav = readFileSync(join(repository, "test/clips", `${name}.wav`));
	return { name, language: name.slice(0, 2), wav, pcm: pcmOf(wav) };
});

const wyomingPort = await claimedPort();

type Heard = (earshot: RunningAppliance, clip: Clip) => Promise<string>;

/** The first is what the others are compared with. */
const endpoints: readonly (readonly [name: string, heard: Heard])[] = [
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
	["Realtime", realtime],
	["Wyoming", wyoming],
];

t.test("with an appliance", async (t) => {
	const earshot = await RunningAppliance.start({
		EARSHOT_WYOMING_ENABLED: "true",
		EARSHOT_WYOMING_HOST: "127.0.0.1",
		EARSHOT_WYOMING_PORT: String(wyomingPort),
	});
	t.teardown(() => earshot.dispose());
	for (const clip of clips)
		t.test(clip.name, async (t) => {
			let wanted: string | undefined;
			for (const [name, heard] of endpoints) {
				const text = await heard(earshot, clip);
				wanted ??= text;
				t.ok(text.length > 5, `${name}: ${text}`);
				t.equal(text, wanted, name);
			}
		});

	t.test("lang_type=auto identifies the language", async (t) => {
		for (const { language, wav, pcm } of [clips[1], clips[3]] as Clip[]) {
			const name = language === "en" ? "en-US" : "ja-JP";
			const query = { format: "wav", lang_type: language };
			const { result } = await short(earshot, query, wav);
			const auto = await short(earshot, { ...query, lang_type: "auto" }, wav);
			t.same([auto.result, auto.lang_type], [result, name]);
			const payload = await live(earshot, "AUTO", pcm);
			t.same([payload.result, payload.lang_type], [result, name]);
		}
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
	client.say("StartRecognition", {
		lang_type: language,
		enable_intermediate_result,
	});
	await client.hear("RecognitionStarted");
	client.socket.send(pcm);
	client.say("StopRecognition");
	const { payload } = await client.hear("RecognitionCompleted");
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
	const segments = await eventually(
		"the transcript",
		async () => {
			const answer = await fetch(`${url}/v1/asrfile/result?task_id=${id}`, {
				headers,
			});
			const { data } = (await answer.json()) as {
				data: { result?: readonly { readonly transcript: string }[] };
			};
			return data.result;
		},
		{ deadlineMs: 60_000 },
	);
	const texts = segments.map(({ transcript }) => transcript);
	return texts.join(language === "en" ? " " : "");
}

async function openAi(
	{ url, token }: RunningAppliance,
	{ wav, language }: Clip,
): Promise<string> {
	const body = new FormData();
	body.set("file", new Blob([wav]), "clip.wav");
	body.set("language", language);
	body.set("model", "whisper-1");
	const headers = { Authorization: `Bearer ${token}` };
	const answer = await fetch(`${url}/v1/audio/transcriptions`, {
		method: "POST",
		body,
		headers,
	});
	return ((await answer.json()) as { text: string }).text;
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
	const client = await WyomingClient.open(wyomingPort);
	client.send("transcribe", { language });
	for (let at = 0; at < pcm.length; at += 4096)
		client.audio(pcm.subarray(at, at + 4096));
	client.send("audio-stop");
	const { data } = await client.hear("transcript", 1, 60_000);
	client.socket.destroy();
	return data.text as string;
}

function pcmOf(wav: Buffer): Buffer {
	return wav.subarray(wav.indexOf("data") + 8);
}
