import type { Socket } from "node:net";
import t from "tap";
import { type RunningApi, startApi } from "../api/running-api.js";
import { until } from "../fixtures/eventually.js";
import { holds } from "../fuzz/holds.js";
import { crowdsLeaveNothing, untilQuiet } from "./crowd.property.js";
import { LiveClient } from "./live-client.js";

t.jobs = 2; // the first two wait for their time together

const startSeconds = 2;

t.test(
	"200 silent sockets are closed when their time is over",
	{ buffered: true },
	async (t) => {
		// on a slow machine the first are closed before the last are open
		const api = await startApi(t, {
			limits: { stream_start_seconds: startSeconds },
		});
		const clients = await Promise.all(
			Array.from({ length: 200 }, () =>
				LiveClient.open(api.url, { token: api.token }),
			),
		);
		for (const client of clients) {
			t.match((await client.receive("TaskFailed")).header, {
				status: "230002",
				status_text: `no StartRecognition for ${startSeconds} seconds`,
			});
			t.equal(await client.closed, 1008);
		}
		await untilQuiet(api);
	},
);

t.test("silence after the start is bounded", { buffered: true }, async (t) => {
	const api = await startApi(t);
	const since = performance.now();
	const timers: NodeJS.Timeout[] = [];
	t.teardown(() => timers.forEach(clearInterval));
	/** @param act at once, and every half second: another one may take seconds to open. */
	const open = async (act: (client: LiveClient) => void) => {
		const client = await LiveClient.open(api.url, { token: api.token });
		client.start({ connect_timeout: 5 });
		await client.receive("RecognitionStarted");
		act(client);
		timers.push(setInterval(act, 500, client));
		return client;
	};
	const silent = await open((client) => client.send("ping"));
	silent.audio(3200);
	const drips = await open((client) => client.audio(20));
	const speaks = await open((client) => client.audio(1600));
	for (const [client, why] of [
		[silent, /no audio for 5 seconds/],
		[drips, /less than a hundredth of real time for 5 seconds/],
	] as const) {
		t.match((await client.receive("TaskFailed")).header, {
			status: "230002",
			status_text: why,
		});
		t.equal(await client.closed, 1008);
	}
	t.ok(performance.now() - since > 4900);
	timers.forEach(clearInterval);
	t.same(
		speaks.names,
		["RecognitionStarted"],
		"a tenth of real time is enough",
	);
	speaks.stop();
	await speaks.receive("RecognitionCompleted");
	await untilQuiet(api);
});

const start = async (client: LiveClient) => {
	client.start();
	await client.receive("RecognitionStarted");
};

/** How far a session gets before its socket dies. */
const states: Record<string, (client: LiveClient, api: RunningApi) => unknown> =
	{
		"before a start": () => {},
		"while a slot is asked for": async (client, api) => {
			api.lane.behaviour = { holdSlot: true };
			client.start();
			client.audio(100);
			await until(() => api.lane.waiting === 1);
		},
		"once started": start,
		"amid audio": async (client) => {
			await start(client);
			client.audio(50_000);
		},
		"while it is held back": async (client, api) => {
			api.lane.behaviour = { stallTurns: 50 };
			await start(client);
			client.audio(50_000);
		},
		"amid a message": async (client) => {
			await start(client);
			(client.socket as unknown as { _socket: Socket })._socket.write(
				Uint8Array.of(0x82, 0xfe, 0x10),
			);
		},
		"while results come": async (client, api) => {
			await start(client);
			client.audio(100);
			api.lane.last.emit({ is: "speech-begin", index: 1, atMs: 0 });
		},
		"after its stop": async (client, api) => {
			api.lane.behaviour = { holdResult: true };
			await start(client);
			client.audio(100);
			client.stop();
			await until(() => api.lane.last.finished);
		},
		"after Completed": async (client) => {
			await start(client);
			client.stop();
			await client.receive("RecognitionCompleted");
		},
		"after TaskFailed": async (client) => {
			client.send("Nonsense");
			await client.receive("TaskFailed");
		},
	};

for (const [state, reach] of Object.entries(states))
	t.test(`a socket that dies ${state} leaves nothing behind`, async (t) => {
		const api = await startApi(t);
		// half a message makes a close unreadable
		const ways = state === "amid a message" ? [] : (["close"] as const);
		for (const die of ["terminate", ...ways] as const) {
			api.lane.behaviour = {};
			const client = await LiveClient.open(api.url, { token: api.token });
			await reach(client, api);
			client.socket[die]();
			await client.closed;
			await untilQuiet(api);
		}
		t.equal(await api.sessions(), 0);
	});

t.test("crowds", async (t) => {
	await holds(t, await crowdsLeaveNothing(t), 8);
});

t.test(
	"a server that was busy does not report its clients as late",
	async (t) => {
		const api = await startApi(t, { limits: { stream_start_seconds: 1 } });
		/** @returns how long it took to send its start. */
		const open = async () => {
			const sinceMs = performance.now();
			const client = await LiveClient.open(api.url, { token: api.token });
			const raw = (client.socket as unknown as { _socket: Socket })._socket;
			client.start();
			await until(() => raw.writableLength === 0); // it is in the kernel
			return { client, tookMs: performance.now() - sinceMs };
		};
		let opened = await open();
		// this process was busy before: such a client is late
		while (opened.tookMs > 1000) opened = await open();
		const until_ = performance.now() + 1500;
		while (performance.now() < until_); // nothing else happens
		await opened.client.receive("RecognitionStarted");
	},
);
