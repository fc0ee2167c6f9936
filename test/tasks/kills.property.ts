/** kill -9 of the task server, or of its engine, at any moment, while small tasks are submitted. */

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openStore } from "../../runtime/store/open-store.js";
import { isUnfinished } from "../../runtime/store/tasks.js";
import { openTaskStore } from "../../runtime/tasks/task-store.js";
import { eventually } from "../fixtures/eventually.js";
import type { Property } from "../fuzz/property.js";
import { below } from "../fuzz/random.js";
import { allOf } from "../store/all-of.js";
import { type Received, receiver } from "./running-tasks.js";
import { TaskServer } from "./task-server.js";

/** Number of unfinished tasks that is maintained. */
const waitingMax = 4;
const killMsMax = 900;

interface Kill {
	/** Since the previous kill. */
	readonly afterMs: number;
	readonly victim: "server" | "engine";
}

export const killsLoseNothing = (): Property<readonly Kill[]> => ({
	name: "tasks/kills",
	promise:
		"no task is lost by kills of the server and its engine, or called back twice",
	share: 0.3,
	draw: (random) =>
		Array.from({ length: 4 + below(random, 9) }, () => ({
			afterMs: below(random, killMsMax),
			victim: random() < 0.5 ? "server" : "engine",
		})),
	async check(kills) {
		const ends: (() => unknown)[] = [];
		const scope = { teardown: (end: () => unknown) => ends.push(end) };
		const dir = mkdtempSync(join(tmpdir(), "earshot-kills-"));
		try {
			const { url, received } = await receiver(scope, [200, 503, 200, 200]);
			const acknowledged = await killAgainAndAgain(dir, url, received, kills);
			await compare(dir, acknowledged, received);
		} finally {
			for (const end of ends) await end();
			rmSync(dir, { recursive: true, force: true });
		}
	},
});

/** @returns the acknowledged tasks, all of which have sent their callback. */
async function killAgainAndAgain(
	dir: string,
	url: string,
	received: readonly Received[],
	kills: readonly Kill[],
): Promise<ReadonlySet<string>> {
	const acknowledged = new Set<string>();
	const start = () => new TaskServer(dir, url, (id) => acknowledged.add(id));
	let ids = 0;
	let server = start();
	try {
		await server.untilPrinted("ready");
		for (const { afterMs, victim } of kills) {
			const open = acknowledged.size - callersOf(received).size;
			for (let i = open; i < waitingMax; i++) {
				const id = `task-${String(++ids).padStart(5, "0")}`;
				server.submit(id, sentencesOf(id));
			}
			await pause(afterMs);
			if (victim === "engine") {
				server.killEngine();
				continue;
			}
			server.kill();
			await server.ended;
			server = start();
			await server.untilPrinted("re"); // ready, or repaired
			assert.ok(!server.printed.includes("repaired"), "the database is sound");
		}
		// on a busy machine the kills may have been faster than every acknowledgement
		const last = "task-99999";
		server.submit(last, sentencesOf(last));
		await eventually("the last task to be accepted", () =>
			acknowledged.has(last),
		);
		await untilDone(dir, acknowledged, received);
		return acknowledged;
	} finally {
		server.kill();
		await server.ended;
	}
}

async function untilDone(
	dir: string,
	acknowledged: ReadonlySet<string>,
	received: readonly Received[],
): Promise<void> {
	const open = () => {
		const called = callersOf(received);
		return [...acknowledged].filter((id) => !called.has(id));
	};
	await eventually("every task to call back", () => open().length === 0, {
		seen: open,
	});
	// a task sends its callback before its audio is removed
	await eventually("the audio of all to go", () => audioLeft(dir) <= 2, {
		seen: () => audioLeft(dir),
	});
}

async function compare(
	dir: string,
	acknowledged: ReadonlySet<string>,
	received: readonly Received[],
): Promise<void> {
	const store = await openStore({ dir, as: "serve" });
	try {
		assert.equal(store.repaired, undefined);
		const { tasks, results, work } = openTaskStore(store.database);
		const bodies = bodiesOf(received);
		for (const id of acknowledged) {
			const row = tasks.find(id);
			assert.equal(row?.state, "completed", `${id} is done`);
			const texts: string[] = [];
			for (let page = 0; page < (results.find(id)?.pages ?? 0); page++)
				for (const it of results.page(id, page) ?? [])
					texts.push(it.transcript.replace(".", ""));
			const missing = sentencesOf(id).filter((it) => !texts.includes(it));
			assert.equal(missing.length, row.notes.length, `${id}: ${texts}`);
			assert.equal(
				new Set(texts).size,
				texts.length,
				`${id}: recognized twice`,
			);
			assert.equal(bodies.get(id)?.size, 1, `${id}: bodies called back with`);
		}
		const unfinished = [...tasks.list()].filter((it) =>
			isUnfinished(it.state),
		).length;
		const worked = await allOf(work.ids());
		assert.ok(new Set(worked).size <= unfinished + 1, "no work is left");
		assert.ok(audioLeft(dir) <= unfinished + 2, "no audio is left");
	} finally {
		await store.close();
	}
}

function sentencesOf(id: string): string[] {
	return Array.from({ length: 10 }, (_, it) => `${id} says ${it + 1}`);
}

function audioLeft(dir: string): number {
	return readdirSync(join(dir, "audio")).length;
}

function callersOf(received: readonly Received[]): ReadonlySet<string> {
	return new Set(bodiesOf(received).keys());
}

/** The distinct callbacks of each task. */
function bodiesOf(received: readonly Received[]): Map<string, Set<string>> {
	const bodies = new Map<string, Set<string>>();
	for (const { body } of received) {
		const id: string = JSON.parse(body).data.task_id;
		bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
	}
	return bodies;
}
