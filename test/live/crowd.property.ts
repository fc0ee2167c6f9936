/** Clients that do anything in any order, several at once, over real sockets, with a fake lane. */
import assert from "node:assert/strict";
import type { Test } from "tap";
import { type RunningApi, startApi } from "../api/running-api.js";
import { eventually } from "../fixtures/eventually.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random, several } from "../fuzz/random.js";
import { LiveClient } from "./live-client.js";
import { randomText } from "./random-texts.js";

const clientsMax = 20;
/** A client that neither sends audio nor disconnects is closed after this time. */
const idleMsMax = 300;

type Act =
	| { readonly is: "say"; readonly text: string }
	| { readonly is: "audio"; readonly bytes: number }
	| { readonly is: "answer" | "turn" };

interface Session {
	readonly starts: boolean;
	readonly acts: readonly Act[];
	readonly end: "stop" | "close" | "terminate" | "nothing";
	readonly answeredLate: boolean;
}

export async function crowdsLeaveNothing(
	t: Test,
): Promise<Property<readonly Session[]>> {
	const api = await startApi(t, {
		limits: { stream_start_seconds: 30 },
		auth: { rate_per_second: 0 },
	});
	return {
		name: "live/crowd",
		promise: "sessions that go anyhow end, leave nothing, and meet no bug",
		share: 0.5,
		draw: (random) => [
			someSession(random),
			...several(random, clientsMax - 1, () => someSession(random)),
		],
		async check(sessions) {
			const codes = await Promise.all(sessions.map((it) => perform(api, it)));
			await untilQuiet(api);
			const bugs = api.log.filter((line) => line.includes("session failed"));
			assert.deepEqual(bugs, []);
			assert.ok(codes.every((it) => it >= 1000));
		},
	};
}

/** Nothing is left of any session: neither here nor in the lane. */
export async function untilQuiet(api: RunningApi): Promise<void> {
	const left = async () => ({
		held: api.lane.held,
		waiting: api.lane.waiting,
		sessions: await api.sessions(),
	});
	let last: unknown;
	await eventually(
		"all sessions to be gone",
		async () => {
			const it = await left();
			last = it;
			return it.held + it.waiting + it.sessions === 0;
		},
		{ seen: () => last },
	);
}

function someSession(random: Random): Session {
	return {
		starts: random() >= 0.4,
		acts: several(random, 12, () => someAct(random)),
		end: pick(random, ["stop", "close", "terminate", "nothing"]),
		answeredLate: random() >= 0.5,
	};
}

function someAct(random: Random): Act {
	const luck = random();
	if (luck < 0.5) return { is: "audio", bytes: below(random, 20_000) };
	if (luck < 0.8) return { is: "say", text: randomText(random) };
	return { is: luck < 0.9 ? "answer" : "turn" };
}

/** @returns the close code of the socket. */
async function perform(api: RunningApi, session: Session): Promise<number> {
	const client = await LiveClient.open(api.url, { token: api.token });
	const answer = () => api.lane.opened.at(-1)?.release();
	if (session.starts) {
		client.start();
		await client.receive("RecognitionStarted");
	}
	for (const act of session.acts) {
		if (act.is === "say") client.socket.send(act.text);
		else if (act.is === "audio") client.audio(act.bytes);
		else if (act.is === "answer") answer();
		else await new Promise((turn) => setImmediate(turn));
	}
	if (session.end === "stop") client.stop();
	else if (session.end === "close") client.socket.close();
	else if (session.end === "terminate") client.socket.terminate();
	if (session.answeredLate) answer();
	const idle = setTimeout(() => client.socket.terminate(), idleMsMax);
	const code = await client.closed;
	clearTimeout(idle);
	return code;
}
