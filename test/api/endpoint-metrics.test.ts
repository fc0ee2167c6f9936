/** `earshot_endpoint_*` in /metrics: every endpoint has its own (docs/service.md). */
import t from "tap";
import { pcmWav } from "../audio/wav-bytes.js";
import { eventually, until } from "../fixtures/eventually.js";
import { LiveClient } from "../live/live-client.js";
import { startWyoming } from "../wyoming/running-wyoming.js";
import { WyomingClient } from "../wyoming/wyoming-client.js";
import { type RunningApi, startApi } from "./running-api.js";
import { transcribe } from "./transcribe.js";

const wav = pcmWav(Buffer.alloc(3200));

/** @param series name and labels. @returns its value; 0 where it is not there */
function valueIn(text: string, series: string): number {
	const line = text.split("\n").find((it) => it.startsWith(`${series} `));
	return Number(line?.split(" ").at(-1) ?? 0);
}

async function reader(api: RunningApi, endpoint: string) {
	const text = await (await fetch(`${api.url}/metrics`)).text();
	const at = (name: string) =>
		valueIn(text, `earshot_endpoint_${name}{endpoint="${endpoint}"}`);
	const ended = (status: string) =>
		valueIn(
			text,
			`earshot_endpoint_requests_total{endpoint="${endpoint}",status="${status}"}`,
		);
	return { at, ended };
}

t.test("with an API", async (t) => {
	const api = await startApi(t);
	const untilEnded = (endpoint: string, status: string) =>
		eventually(
			`${endpoint} to have ended with ${status}`,
			async () => (await reader(api, endpoint)).ended(status) > 0,
		);

	t.test("short requests", async (t) => {
		await api.recognize("lang_type=en");
		await api.recognize("lang_type=xx");
		await api.ask("/v1/asr/api", { method: "POST", body: "x" });
		const { at, ended } = await reader(api, "asr");
		t.equal(ended("000000"), 1);
		t.equal(ended("200008"), 1);
		t.equal(ended("110001"), 1, "without a token");
		t.equal(at("open"), 0);
		t.equal(at("audio_seconds_total"), 1);
		t.equal(at("first_text_seconds_count"), 1);
		t.equal(at("final_seconds_count"), 1);
	});

	t.test("a client that leaves", async (t) => {
		api.lane.behaviour = { holdResult: true };
		const leaving = new AbortController();
		const { signal } = leaving;
		const request = api.recognize("lang_type=en", { signal });
		const opened = api.lane.opened.length;
		await until(() => api.lane.opened.length > opened);
		t.equal((await reader(api, "asr")).at("open"), 1);
		leaving.abort();
		await t.rejects(request);
		await untilEnded("asr", "gone");
		t.equal((await reader(api, "asr")).at("open"), 0);
		api.lane.behaviour = {};
	});

	t.test("sessions", async (t) => {
		const client = await LiveClient.open(api.url, { token: api.token });
		t.equal((await reader(api, "asr_ws")).at("open"), 1);
		client.send("StartRecognition", { lang_type: "en-US" });
		await client.receive("RecognitionStarted");
		client.socket.send(new Uint8Array(3200));
		client.send("StopRecognition");
		await client.receive("RecognitionCompleted");
		client.socket.close();
		await untilEnded("asr_ws", "000000");
		const { at } = await reader(api, "asr_ws");
		t.equal(at("open"), 0);
		t.equal(at("first_text_seconds_count"), 1);
		t.equal(at("final_seconds_count"), 1);
	});

	t.test("OpenAI's requests, whole and as events", async (t) => {
		const answered = async (fields: Record<string, string>) => {
			const answer = await transcribe(api, wav, fields);
			return { http: answer.status, text: await answer.text() };
		};
		t.equal((await answered({ language: "en" })).http, 200);
		t.match((await answered({ stream: "true" })).text, "[DONE]");
		t.equal((await answered({ language: "de" })).http, 400);
		const { at, ended } = await reader(api, "openai");
		t.equal(ended("000000"), 2);
		t.equal(ended("200008"), 1);
		t.equal(at("open"), 0);
		t.equal(at("first_text_seconds_count"), 2);
		t.equal(at("final_seconds_count"), 2);
	});
});

t.test("commands over Wyoming", async (t) => {
	const { port, metrics } = await startWyoming(t);
	const client = await WyomingClient.open(port);
	client.audio(3200);
	client.send("audio-stop");
	await client.receive("transcript");
	client.send("transcribe", { language: "de" });
	client.send("audio-stop");
	await client.receive("error");
	client.socket.destroy();
	const text = await metrics.text();
	const value = (name: string) => valueIn(text, `earshot_endpoint_${name}`);
	t.equal(value('requests_total{endpoint="wyoming",status="000000"}'), 1);
	t.equal(value('requests_total{endpoint="wyoming",status="200008"}'), 1);
	t.equal(value('open{endpoint="wyoming"}'), 0);
	t.equal(value('final_seconds_count{endpoint="wyoming"}'), 1);
});
