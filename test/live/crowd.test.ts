import type { Socket } from "node:net";
import t from "tap";
import { type RunningApi, startApi } from "../api/running-api.js";
import { seededRandom } from "../features/seeded-random.js";
import { LiveClient, until } from "./live-client.js";
import { type Dice, pick, randomText } from "./random-texts.js";

/** Nothing is left of any session: neither here nor at the lane. */
async function untilQuiet(api: RunningApi): Promise<void> {
	await until(() => api.lane.held === 0 && api.lane.waiting === 0);
	while ((await api.sessions()) > 0)
		await new Promise((wait) => setTimeout(wait, 5));
}

t.test(
	"200 sockets that say nothing are gone when their time is up",
	async (t) => {
		// all of them are to be open before the first is late
		const api = await startApi(t, { limits: { stream_start_seconds: 5 } });
		const clients = await Promise.all(
			Array.from({ length: 200 }, () =>
				LiveClient.open(api.url, { token: api.token }),
			),
		);
		t.equal(await api.sessions(), 200);
		for (const client of clients) {
			t.match((await client.hear("TaskFailed")).header, {
				status: "230002",
				status_text: "no StartRecognition for 5 seconds",
			});
			t.equal(await client.closed, 1008);
		}
		await untilQuiet(api);
	},
);

t.test("silence after the start is bounded by connect_timeout", async (t) => {
	const api = await startApi(t);
	const client = await LiveClient.open(api.url, { token: api.token });
	client.start({ connect_timeout: 5 });
	await client.hear("RecognitionStarted");
	const since = performance.now();
	client.audio(10);
	const pings = setInterval(() => client.say("ping"), 500);
	t.match((await client.hear("TaskFailed")).header, { status: "230002" });
	clearInterval(pings);
	t.equal(await client.closed, 1008);
	t.ok(performance.now() - since > 4900);
	await untilQuiet(api);
});

const start = async (client: LiveClient) => {
	client.start();
	await client.hear("RecognitionStarted");
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
			api.lane.last.tell({ is: "speech-begin", index: 1, atMs: 0 });
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
			await client.hear("RecognitionCompleted");
		},
		"after TaskFailed": async (client) => {
			client.say("Nonsense");
			await client.hear("TaskFailed");
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

t.test("300 random sessions over real sockets", async (t) => {
	const api = await startApi(t, {
		limits: { stream_start_seconds: 1 },
		auth: { rate_per_second: 0 },
	});
	const { random, seed } = seededRandom();
	t.comment(`seed ${seed}`);
	const dice = { random };
	const endings = new Map<number | string, number>();
	for (let round = 0; round < 15; round++)
		await Promise.all(
			Array.from({ length: 20 }, async () => {
				const ending = await randomSession(api, dice);
				endings.set(ending, (endings.get(ending) ?? 0) + 1);
			}),
		);
	await untilQuiet(api);
	t.comment(JSON.stringify(Object.fromEntries(endings)));
	t.equal(await api.sessions(), 0);
	const bugs = api.log.filter((line) => line.includes("session failed"));
	t.same(bugs, [], "no bug was met");
	t.match(await api.recognise("lang_type=en"), { http: 200 });
});

async function randomSession(api: RunningApi, dice: Dice): Promise<number> {
	const client = await LiveClient.open(api.url, { token: api.token });
	if (dice.random() < 0.6) await start(client);
	const acts = 1 + Math.floor(dice.random() * 12);
	for (let act = 0; act < acts; act++) {
		const luck = dice.random();
		if (luck < 0.3) client.socket.send(randomText(dice));
		else if (luck < 0.8) client.audio(Math.floor(dice.random() * 20_000));
		else if (luck < 0.9) api.lane.opened.at(-1)?.release();
		else await new Promise((turn) => setImmediate(turn));
	}
	pick(dice, [
		() => client.stop(),
		() => client.socket.close(),
		() => client.socket.terminate(),
		() => {},
	])();
	if (dice.random() < 0.5) api.lane.opened.at(-1)?.release();
	const idle = setTimeout(() => client.socket.terminate(), 300);
	const code = await client.closed;
	clearTimeout(idle);
	return code;
}

t.test("a server that was busy does not call its clients late", async (t) => {
	const api = await startApi(t, { limits: { stream_start_seconds: 1 } });
	const client = await LiveClient.open(api.url, { token: api.token });
	const raw = (client.socket as unknown as { _socket: Socket })._socket;
	client.start();
	await until(() => raw.writableLength === 0); // it is in the kernel
	const until_ = performance.now() + 1500;
	while (performance.now() < until_); // nothing else happens
	await client.hear("RecognitionStarted");
});
