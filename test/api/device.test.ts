/** Endpoints that report on the device itself. */
import { once } from "node:events";
import t from "tap";
import { WebSocket } from "ws";
import { eventually } from "../fixtures/eventually.js";
import { startApi } from "./running-api.js";

t.test("the device", async (t) => {
	const api = await startApi(t);
	const watcher = await api.makeToken(["status", "asr"]);
	const admin = await api.makeToken(["admin"]);
	const by = (token: string, body?: unknown): RequestInit => ({
		headers: { authorization: `Bearer ${token}` },
		...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
	});

	t.test("says how it is, once and every second", async (t) => {
		t.match(await api.ask("/v1/status", by(watcher)), {
			data: { device: "tester" },
		});
		t.match(await api.ask("/v1/status", by(api.token)), { http: 403 });
		t.match(await api.ask("/v1/status/history", by(watcher)), {
			data: [{ at: 1, load: 0.5, memory_used: 0.4, lag_ms: 2 }],
		});
		t.match(await api.ask("/v1/status/history", by(api.token)), { http: 403 });
		const stop = new AbortController();
		const stream = await fetch(`${api.url}/v1/status/events`, {
			...by(watcher),
			signal: stop.signal,
		});
		t.equal(
			stream.headers.get("content-type"),
			"text/event-stream; charset=utf-8",
		);
		let seen = "";
		for await (const piece of stream.body ?? []) {
			seen += Buffer.from(piece).toString();
			if (seen.split('data: {"device"').length > 2) break;
		}
		stop.abort();
		const between = seen.split('data: {"device":"tester"}\n\n')[1] ?? "";
		const levels =
			'event: levels\ndata: [{"id":"desk","levels_dbfs":[-20,-22]}]\n\n';
		t.equal(between, levels.repeat(10), "ten of them in between");
		await eventually("the stream to be over for the server", async () => {
			const metrics = await (await fetch(`${api.url}/metrics`)).text();
			return /^earshot_http_requests_open 1$/m.test(metrics); // the one that asks
		});
	});

	t.test(
		"wakes once a second for who follows a device without microphones",
		async (t) => {
			const { microphones } = api;
			microphones.isThere = false;
			t.teardown(() => {
				microphones.isThere = true;
			});
			const stop = new AbortController();
			const before = microphones.statsReads;
			const sinceMs = performance.now();
			const stream = await fetch(`${api.url}/v1/status/events`, {
				...by(watcher),
				signal: stop.signal,
			});
			let seen = "";
			for await (const piece of stream.body ?? []) {
				seen += Buffer.from(piece).toString();
				if (seen.split("data: {").length > 3) break;
			}
			stop.abort();
			t.notMatch(seen, "levels");
			const reads = microphones.statsReads - before;
			// on a busy machine the third event is read late
			const seconds = (performance.now() - sinceMs) / 1000;
			t.ok(reads <= 1 + 1.01 * seconds, `${reads} times in ${seconds} s`);
		},
	);

	t.test("knows who used which interface last", async (t) => {
		const { lastCalls } = api.api;
		await api.ask("/v1/hotwords", by(admin));
		const before = lastCalls.of("http");
		t.match(before, { address: "127.0.0.1", name: "tester" });
		await api.ask("/v1/status", by(admin));
		t.equal(lastCalls.of("http"), before, "looking is no use");
		t.equal(lastCalls.of("openai"), undefined);
		await api.ask("/v1/models", by(api.token));
		t.equal(lastCalls.of("openai"), lastCalls.of("http"));
		await api.ask("/v1/models", by("unknown"));
		t.equal(lastCalls.of("openai"), lastCalls.of("http"));
		t.equal(lastCalls.of("https"), undefined);
	});

	t.test("shows its log from a line on", async (t) => {
		const lines = async (after: number) => {
			const answer = await api.ask(`/v1/logs?after=${after}`, by(admin));
			return answer.data as { number: number; line: string }[];
		};
		const all = await lines(0);
		const last = all.at(-1);
		t.equal(all[0]?.number, 1);
		t.match(JSON.parse(last?.line ?? ""), { level: "info", msg: "answered" });
		const later = await lines(last?.number ?? 0);
		t.equal(later[0]?.number, (last?.number ?? 0) + 1);
		t.match(await api.ask("/v1/logs?after=-1", by(admin)), {
			status: "200002",
		});
	});

	t.test("lists microphones, mutes them and lets them talk", async (t) => {
		t.match(await api.ask("/v1/microphones", by(watcher)), {
			data: [
				{
					id: "desk",
					room: "hall",
					phase: "listening",
					levels_dbfs: [-30, -32],
				},
			],
		});
		const mute = (id: string, body: unknown, token = admin) =>
			api.ask(`/v1/microphones/${id}`, by(token, body));
		t.match(await mute("desk", { muted: true }), {
			data: { phase: "muted", muted: true },
		});
		await mute("desk", { muted: false, talking: true });
		t.same(api.microphones.done, ["mute true", "talk true", "mute false"]);
		t.match(await mute("desk", {}), { status: "200001" });
		t.match(await mute("desk", { muted: 1 }), { status: "200002" });
		t.match(await mute("nowhere", { muted: true }), { status: "200002" });
		t.match(await mute("desk", { muted: true }, watcher), { http: 403 });
	});

	t.test("restarts an engine and reads its configuration again", async (t) => {
		const post = (path: string, token = admin) =>
			api.ask(path, { ...by(token), method: "POST" });
		t.match(await post("/v1/engines/live/restart"), { status: "000000" });
		t.match(await post("/v1/engines/other/restart"), { status: "200002" });
		t.match(await post("/v1/config/reload"), {
			data: { changed: ["log.level"], need_restart: ["server.port"] },
		});
		t.same(api.controlled, ["restart live", "reload"]);
		for (const path of ["/v1/engines/live/restart", "/v1/config/reload"])
			t.match(await post(path, watcher), { http: 403 });
	});

	t.test("gets a name, and is set up", async (t) => {
		const name = (body: unknown, token = admin) =>
			api.ask("/v1/device", { ...by(token, body), method: "PATCH" });
		t.match(await name({ name: "  会议室 1 ", set_up: true }), {
			data: { name: "会议室 1", set_up: true },
		});
		t.match(await name({ name: "" }), { data: { name: "tester" } });
		t.match(await name({}), { status: "200001" });
		t.match(await name({ name: "a\nb" }), { status: "200002" });
		t.match(await name({ name: "x".repeat(101) }), { status: "200002" });
		t.match(await name({ set_up: 1 }), { status: "200002" });
		t.match(await name({ name: "x" }, watcher), { http: 403 });
		t.same(api.controlled.slice(-2), ["named 会议室 1", "named "]);
	});

	t.test("looks for another version of its program", async (t) => {
		const check = (token: string) =>
			api.ask("/v1/update/check", { ...by(token), method: "POST" });
		t.match(await check(admin), {
			data: { is: "newer", version: "1.3.0", bytes: 9, notes: "Better." },
		});
		t.match(await check(watcher), { http: 403 });
	});

	t.test("sends a microphone's events to who watches it", async (t) => {
		const open = (id: string, token: string) =>
			new WebSocket(`ws://127.0.0.1:${api.port}/v1/microphones/${id}/ws`, {
				headers: { authorization: `Bearer ${token}` },
			});
		const refused = (socket: WebSocket) =>
			new Promise<string>((done) => {
				socket.on("error", ({ message }) => done(message));
				socket.on("open", () => done("opened"));
			});
		t.match(await refused(open("nowhere", watcher)), /400/);
		t.match(await refused(open("desk", api.token)), /403/);
		const socket = open("desk", watcher);
		const messages: Record<string, unknown>[] = [];
		await new Promise<void>((done) => {
			socket.on("message", (text) => {
				const message = JSON.parse(String(text));
				messages.push(message);
				if (message.is === "state")
					api.microphones.emitFinal("good morning", 40);
				if (message.is === "final") done();
			});
		});
		t.match(messages[0], { is: "state", microphone: { id: "desk" } });
		t.match(
			messages.find((it) => it.is === "final"),
			{ text: "good morning", index: 1, azimuth_deg: 40 },
		);
		const closed = new Promise((done) => socket.on("close", done));
		socket.close();
		await closed;
	});

	t.test("is shown to nobody whose token is revoked", async (t) => {
		const leaving = await api.makeToken(["status", "asr"], 3600, "leaving");
		const stream = await fetch(`${api.url}/v1/status/events`, by(leaving));
		const socket = new WebSocket(
			`ws://127.0.0.1:${api.port}/v1/microphones/desk/ws`,
			{ headers: { authorization: `Bearer ${leaving}` } },
		);
		const closed = once(socket, "close");
		await once(socket, "message");
		const listening = api.microphones.listening;
		const tokens = await api.ask("/v1/tokens", by(admin));
		const { id } = (tokens.data as { id: string; name: string }[]).find(
			({ name }) => name === "leaving",
		) as { id: string };
		const revoked = { ...by(admin), method: "DELETE" };
		t.match(await api.ask(`/v1/tokens/${id}`, revoked), { http: 200 });
		t.equal((await closed)[0], 1008);
		t.equal(api.microphones.listening, listening - 1);
		t.match(await stream.text(), /^data: /, "this one has an end, too");
	});

	t.test("describes its messages", async (t) => {
		const answer = await fetch(`${api.url}/v1/asyncapi.json`, by(watcher));
		const { channels } = (await answer.json()) as { channels: object };
		t.same(Object.keys(channels), ["asr-ws", "realtime", "status"]);
		t.match(JSON.stringify(channels), /StartTranscription/);
	});
});

for (const [what, overrides] of Object.entries({
	connections: { server: { connections_max: 2 } },
	"requests of a token": { auth: { rate_per_second: 0.001, rate_burst: 1 } },
}))
	t.test(`a microphone is not watched beyond the ${what}`, async (t) => {
		const api = await startApi(t, overrides);
		const token = await api.makeToken(["status", "asr"]);
		const open = () =>
			new WebSocket(`ws://127.0.0.1:${api.port}/v1/microphones/desk/ws`, {
				headers: { authorization: `Bearer ${token}` },
			});
		await once(open(), "message");
		const [code] = await once(open(), "close");
		t.equal(code, 1013, "later, not never");
	});
