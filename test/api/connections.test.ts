/** Neither an address nor a caller can take all connections: one above its share gets an error, others notice nothing. */
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import t, { type Test } from "tap";
import WebSocket from "ws";
import { eventually } from "../fixtures/eventually.js";
import { type RunningApi, startApi } from "./running-api.js";

const [ours, theirs] = ["127.0.0.1", "127.0.0.2"];

/** @returns the first data received, or "nothing yet". */
async function session(
	t: Test,
	api: RunningApi,
	localAddress: string,
	token = api.token,
) {
	const socket = new WebSocket(`${api.url.replace("http", "ws")}/v1/asr/ws`, {
		localAddress,
		headers: { Authorization: `Bearer ${token}` },
	});
	t.teardown(() => socket.terminate());
	const messages: string[] = [];
	socket.on("message", (text) => messages.push(String(text)));
	const closed = new Promise<number>((resolve) => socket.on("close", resolve));
	await new Promise((done, fail) => socket.on("open", done).on("error", fail));
	return { socket, messages, closed };
}

function ask(
	api: RunningApi,
	localAddress: string,
	token = api.token,
): Promise<{ http: number; text: string; retryAfter: string | undefined }> {
	return new Promise((done, fail) => {
		const sent = request(
			`${api.url}/v1/asr/api?lang_type=en`,
			{
				method: "POST",
				localAddress,
				agent: false,
				headers: { Authorization: `Bearer ${token}` },
			},
			async (response) => {
				let text = "";
				for await (const bytes of response) text += String(bytes);
				const retryAfter = response.headers["retry-after"];
				done({ http: response.statusCode ?? 0, text, retryAfter });
			},
		);
		sent.on("error", fail);
		sent.end(Buffer.alloc(3200));
	});
}

t.test("an address gets its share, and an error above it", async (t) => {
	const api = await startApi(t, {
		server: { connections_max: 20, network_share_max: 0.5 },
	});
	const other = await api.makeToken(["asr"], 600, "another");
	const open = [];
	for (let i = 0; i < 10; i++)
		open.push(await session(t, api, ours, i % 2 ? api.token : other));
	const refused = await session(t, api, ours);
	t.equal(await refused.closed, 1013);
	t.match(refused.messages.join(), /TaskFailed.*100004.*from this address/);
	const answer = await ask(api, ours, other);
	t.match(answer, { http: 503, text: /"status":"100004".*from this address/ });
	t.ok(Number(answer.retryAfter) > 0);
	t.match(await ask(api, theirs), { http: 200 });
	open[0]?.socket.close();
	await open[0]?.closed;
	await eventually("a place that was given back", async () => {
		return (await ask(api, ours)).http === 200;
	});
});

t.test("a caller gets its share, wherever it comes from", async (t) => {
	const api = await startApi(t, {
		server: {
			connections_max: 20,
			network_share_max: 1,
			caller_share_max: 0.25,
		},
	});
	for (let i = 0; i < 5; i++) await session(t, api, i % 2 ? ours : theirs);
	const refused = await session(t, api, ours);
	t.equal(await refused.closed, 1013);
	t.match(refused.messages.join(), /TaskFailed.*100004.*of this caller/);
	t.match(await ask(api, theirs), { http: 503, text: /of this caller/ });
	const other = await api.makeToken(["asr"], 600, "another");
	t.match(await ask(api, ours, other), { http: 200 });
});

t.test("a request holds its connection until its answer is out", async (t) => {
	const api = await startApi(t, {
		server: {
			connections_max: 20,
			network_share_max: 1,
			caller_share_max: 0.05,
		},
	});
	api.lane.behaviour = { holdResult: true };
	const first = ask(api, ours);
	await eventually(
		"the first request to reach the lane",
		() => api.lane.opened.length === 1,
	);
	t.match(await ask(api, ours), { http: 503 });
	api.lane.last.release();
	t.match(await first, { http: 200 });
	api.lane.behaviour = {};
	t.match(await ask(api, ours), { http: 200 });
});

t.test("an address that only connects does not lock others out", async (t) => {
	const api = await startApi(t, {
		server: { connections_max: 60, network_share_max: 0.5 },
	});
	const flooding: Socket[] = [];
	t.teardown(() => {
		for (const socket of flooding) socket.destroy();
	});
	const flood = () => {
		const socket = connect({
			port: api.port,
			host: "127.0.0.1",
			localAddress: ours,
		});
		flooding.push(socket);
		const closed = new Promise<boolean>((done) => {
			socket.on("close", () => done(true));
			socket.on("error", () => {});
			socket.on("connect", () => setTimeout(() => done(false), 200));
		});
		return closed;
	};
	for (let i = 0; i < 45; i++) void flood();
	// 30 are its share, and a few more would get an error
	await eventually("one more to be closed at once", flood);
	t.match(await ask(api, theirs), { http: 200 });
});
