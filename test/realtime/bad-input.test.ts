/** Whatever comes over the socket: an error or a close, and nothing is kept (docs/realtime.md). */
import { monitorEventLoopDelay } from "node:perf_hooks";
import t from "tap";
import { startApi } from "../api/running-api.js";
import { until } from "../fixtures/eventually.js";
import { RealtimeClient } from "./realtime-client.js";

const api = await startApi(t, {
	server: { caller_share_max: 1, network_share_max: 1 },
});
const { lane, token, url } = api;
const mebibyte = 1024 * 1024;

const open = (options = {}) => RealtimeClient.open(url, { token, ...options });

t.test(
	"who may not connect is told over HTTP, in OpenAI's shape",
	async (t) => {
		const refused = async (query: string, key = token) => {
			await t.rejects(RealtimeClient.open(url, { query, token: key }));
			const answer = await fetch(`${url}/v1/realtime${query}`, {
				headers: { Authorization: `Bearer ${key}` },
			});
			const { error } = (await answer.json()) as { error: { code: string } };
			return [answer.status, error.code];
		};
		t.same(await refused("", "nonsense"), [401, "invalid_api_key"]);
		const files = await api.makeToken(["files"]);
		t.same(await refused("", files), [403, "insufficient_permissions"]);
		t.same(await refused("?call_id=rtc_1"), [400, "invalid_value"]);
		const plain = await fetch(`${url}/v1/realtime`, {
			headers: { Authorization: `Bearer ${token}` },
		});
		t.equal(plain.status, 400);
	},
);

t.test("large and many events do not hold the loop", async (t) => {
	const it = await open();
	await it.receive("session.created");
	const lag = monitorEventLoopDelay({ resolution: 5 });
	lag.enable();
	const sendText = (text: string) => it.socket.send(text);
	sendText(`{"type":"${"x".repeat(2 * mebibyte - 100)}"}`);
	sendText(
		`{"type":"input_audio_buffer.append","audio":"${"A".repeat(2 * mebibyte - 100)}"}`,
	);
	sendText(`${"[".repeat(mebibyte)}`);
	sendText(`{"a":${"[1,".repeat(mebibyte / 4)}`);
	for (let i = 0; i < 20_000; i++) sendText('{"type":"nothing.known"}');
	it.send("input_audio_buffer.clear");
	await it.receive("input_audio_buffer.cleared");
	lag.disable();
	t.same(
		it.events
			.filter(({ type }) => type === "error")
			.map((event) => event.error?.code),
		["invalid_value", "invalid_value"],
	);
	t.comment(
		`event loop at most ${Math.round(lag.max / 1e6)} ms late, the client included`,
	);
	await until(() => lane.opened.length === 1);
	it.send(`x${"y".repeat(2 * mebibyte)}`);
	t.match((await it.receive("error", 3)).error, { code: "file_too_large" });
	it.socket.close();
	await lane.last.cancelled;
});

t.test(
	"thousands of commits hold the client, and all are answered",
	async (t) => {
		lane.opened.length = 0;
		lane.behaviour = {};
		const it = await open();
		it.update({ turn_detection: null, format: { type: "audio/pcmu" } });
		const count = 300;
		for (let i = 0; i < count; i++) {
			it.append(800);
			it.commit();
		}
		const last = await it.completed(count);
		t.equal(last.transcript, "heard 800 bytes");
		t.equal(lane.opened.length, count);
		t.equal(lane.held, 0);
		it.socket.close();
	},
);

t.test("audio that is not taken holds the client", async (t) => {
	lane.opened.length = 0;
	lane.behaviour = { stallTurns: -1, holdResult: true };
	const it = await open();
	for (let i = 0; i < 40; i++) it.append(mebibyte);
	await until(() => lane.opened.length === 1 && lane.last.bytes > 0);
	t.ok(it.socket.bufferedAmount > 16 * mebibyte, "most of it waits there");
	const before = lane.last.bytes;
	t.ok(before < 8 * mebibyte, `${before} bytes`);
	it.socket.terminate();
	await until(() => {
		lane.last.drain(); // a held socket's end is noticed once it is read again
		return lane.held === 0;
	});
	lane.behaviour = {};
});

t.test("the server stops: everybody is told", async (t) => {
	const other = await startApi(t);
	const it = await RealtimeClient.open(other.url, { token: other.token });
	await it.receive("session.created");
	it.append(9600);
	await until(() => other.lane.opened.length === 1);
	const stopped = other.api.stop();
	t.match(await it.receive("error"), { error: { code: "overloaded" } });
	t.equal(await it.closed, 1013);
	await stopped;
});

t.test("too many connections: granted, told and closed", async (t) => {
	const small = await startApi(t, { server: { connections_max: 2 } });
	const open: RealtimeClient[] = [];
	for (let i = 0; i < 2; i++)
		open.push(await RealtimeClient.open(small.url, { token: small.token }));
	const it = open.at(-1) as RealtimeClient;
	t.match(await it.receive("error"), { error: { code: "overloaded" } });
	t.equal(await it.closed, 1013);
	t.equal(it.types[0], "error");
	for (const one of open) one.socket.close();
});
