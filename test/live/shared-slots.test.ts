/** Many sessions of one token beside one of another, over real sockets, with the real admission and an engine without models. */
import t from "tap";
import { startApi } from "../api/running-api.js";
import { fakeLane } from "../engine/fake-lane.js";
import { eventually } from "../fixtures/eventually.js";
import { LiveClient } from "./live-client.js";

const slots = 8;

t.test("one token never holds the last quarter of the slots", async (t) => {
	const { lane } = fakeLane(t, { slots, queueMax: 16, queueMsMax: 100 });
	const api = await startApi(t, {}, lane);
	const hoards = async (token: string) => {
		const client = await LiveClient.open(api.url, { token });
		client.transcribe({ connect_timeout: 60 });
		client.audio(2);
		return client;
	};
	const namesake = await api.makeToken(["asr"]);
	const tokens = [api.token, namesake, api.token, namesake];
	const hoard = await Promise.all([...tokens, ...tokens].map(hoards));
	await eventually("an answer to every start", () =>
		hoard.every(({ names }) => names.length > 0),
	);
	const started = hoard.filter(({ names }) =>
		names.includes("TranscriptionStarted"),
	);
	t.equal(started.length, 6, "however many tokens go by that name");
	for (const client of hoard) {
		if (started.includes(client)) continue;
		t.match((await client.receive("TaskFailed")).header, {
			status: "100004",
			status_text: /reserved for other callers/,
		});
		t.equal(await client.closed, 1013);
	}
	t.match(await api.recognize("lang_type=en", { body: "hello" }), {
		http: 503,
		status: "100004",
	});

	const token = await api.makeToken(["asr"], 600, "other");
	const headers = { Authorization: `Bearer ${token}` };
	const recognize = () =>
		api.recognize("lang_type=en", { body: "hello", headers });
	t.match(await recognize(), { http: 200, data: { result: "hello" } });
	const other = await LiveClient.open(api.url, { token });
	other.start();
	await other.receive("RecognitionStarted");
	t.match(await recognize(), { http: 200 }, "beside its session");
	other.audio(Buffer.from("hello"));
	other.stop();
	t.match((await other.receive("RecognitionCompleted")).payload, {
		result: "hello",
	});
	t.equal(await other.closed, 1000);
	for (const client of started) {
		client.send("StopTranscription", undefined, "SpeechTranscriber");
		await client.receive("TranscriptionCompleted");
	}
	t.equal(lane.state.busy, 0);
});

t.test("a session before its start holds no slot", async (t) => {
	const { lane } = fakeLane(t, { slots: 1, queueMax: 0 });
	const api = await startApi(t, {}, lane);
	for (let i = 0; i < 5; i++) {
		const client = await LiveClient.open(api.url, { token: api.token });
		client.send("ping");
		await client.receive("pong");
	}
	t.equal(lane.state.busy, 0);
	t.match(await api.recognize("lang_type=en", { body: "hello" }), {
		http: 200,
	});
});

t.test("without tokens, slots are shared by address", async (t) => {
	const { lane } = fakeLane(t, { slots: 4, queueMax: 0 });
	const api = await startApi(t, { auth: { required: false } }, lane);
	const clients = [];
	for (let i = 0; i < 3; i++) {
		const client = await LiveClient.open(api.url);
		client.transcribe();
		await client.receive("TranscriptionStarted");
		clients.push(client);
	}
	const fourth = await LiveClient.open(api.url);
	fourth.transcribe();
	t.match((await fourth.receive("TaskFailed")).header, { status: "100004" });
	const neighbour = await LiveClient.open(api.url, {
		localAddress: "127.0.0.2",
	});
	neighbour.transcribe();
	await neighbour.receive("TranscriptionStarted");
	t.equal(lane.state.busy, 4);
	for (const client of [...clients, neighbour]) client.socket.terminate();
});
