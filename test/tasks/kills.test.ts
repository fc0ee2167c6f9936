/**
 * kill -9 of the server of tasks, or of its engine, at random moments, while small tasks are submitted: EARSHOT_TEST_KILLS says how often (20), EARSHOT_TEST_SEED
 * which moments.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import t from "tap";
import { openStore } from "../../runtime/store/open-store.js";
import { openTaskStore } from "../../runtime/tasks/task-store.js";
import { seededRandom } from "../features/seeded-random.js";
import { allOf } from "../store/all-of.js";
import { receiver } from "./running-tasks.js";

const kills = Number(process.env.EARSHOT_TEST_KILLS ?? 20);
const { random, seed } = seededRandom();
const program = fileURLToPath(
	new URL("fixtures/task-server.js", import.meta.url),
);
/** Unfinished tasks that are kept up. */
const waitingMax = 4;
const killMsMax = 900;

class Server {
	readonly #child: ChildProcess;
	readonly ended: Promise<unknown>;
	enginePid: number | undefined;
	said: string[] = [];

	constructor(dir: string, url: string, onOk: (id: string) => void) {
		this.#child = spawn(process.execPath, [program, dir, url], {
			stdio: ["pipe", "pipe", "inherit"],
		});
		this.ended = once(this.#child, "close");
		this.#child.stdin?.on("error", () => {}); // killed
		const lines = this.#child.stdout && { input: this.#child.stdout };
		if (lines)
			createInterface(lines).on("line", (line) => {
				const [word, value = ""] = line.split(" ");
				this.said.push(line);
				if (word === "ok") onOk(value);
				if (word === "engine") this.enginePid = Number(value);
			});
	}

	async untilSaid(word: string): Promise<void> {
		while (!this.said.some((it) => it.startsWith(word))) {
			if (this.#child.exitCode !== null) throw new Error("the server ended");
			await sleep(5);
		}
	}

	submit(id: string, sentences: readonly string[]): void {
		this.#child.stdin?.write(
			`${JSON.stringify({ id, sentences, msEach: 10 })}\n`,
		);
	}

	kill(): void {
		this.#child.kill("SIGKILL");
	}

	killEngine(): void {
		try {
			if (this.enginePid) process.kill(this.enginePid, "SIGKILL");
		} catch {
			// it died before
		}
		this.enginePid = undefined;
	}
}

const sentencesOf = (id: string) =>
	Array.from({ length: 10 }, (_, it) => `${id} says ${it + 1}`);

t.setTimeout(120_000 + kills * 10_000);

t.test(`${kills} kills, seed ${seed}`, async (t) => {
	const dir = mkdtempSync(join(tmpdir(), "earshot-kills-"));
	t.teardown(() => rmSync(dir, { recursive: true, force: true }));
	const { url, received } = await receiver(t, [200, 503, 200, 200]);
	const acknowledged = new Set<string>();
	const called = () =>
		new Set(received.map(({ body }) => JSON.parse(body).data.task_id));
	let ids = 0;
	let server = new Server(dir, url, (id) => acknowledged.add(id));
	t.teardown(() => server.kill());
	await server.untilSaid("ready");
	const feed = () => {
		const open = acknowledged.size - called().size;
		for (let i = open; i < waitingMax; i++) {
			const id = `task-${String(++ids).padStart(5, "0")}`;
			server.submit(id, sentencesOf(id));
		}
	};
	for (let kill = 0; kill < kills; kill++) {
		feed();
		await sleep(random() * killMsMax);
		if (random() < 0.5) {
			server.killEngine();
			continue;
		}
		server.kill();
		await server.ended;
		server = new Server(dir, url, (id) => acknowledged.add(id));
		await server.untilSaid("re"); // ready, or repaired
		t.notOk(server.said.includes("repaired"), "the database is sound");
	}
	const untilMs = Date.now() + 120_000;
	while ([...acknowledged].some((id) => !called().has(id))) {
		if (Date.now() > untilMs) break;
		await sleep(100);
	}
	// a task calls back before its audio is removed
	const audioLeft = () => readdirSync(join(dir, "audio")).length;
	while (audioLeft() > 2 && Date.now() < untilMs) await sleep(100);
	server.kill();
	await server.ended;

	const store = await openStore({ dir, as: "serve" });
	t.teardown(() => store.close());
	t.equal(store.repaired, undefined);
	const { tasks, results, work } = openTaskStore(store.database);
	const bodies = new Map<string, Set<string>>();
	for (const { body } of received) {
		const id = JSON.parse(body).data.task_id;
		bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
	}
	let skipped = 0;
	for (const id of acknowledged) {
		const row = tasks.find(id);
		if (row?.state !== 1) {
			t.fail(`${id} is lost`, { row });
			continue;
		}
		const texts: string[] = [];
		for (let page = 0; page < (results.find(id)?.pages ?? 0); page++)
			for (const it of results.page(id, page) ?? [])
				texts.push(it.transcript.replace(".", ""));
		const missing = sentencesOf(id).filter((it) => !texts.includes(it));
		skipped += missing.length;
		if (
			missing.length !== row.notes.length ||
			new Set(texts).size < texts.length
		)
			t.fail(`${id} is not whole, or heard twice`, { texts, row });
		if (bodies.get(id)?.size !== 1)
			t.fail(`${id} called back with ${bodies.get(id)?.size} bodies`);
	}
	t.ok(acknowledged.size >= kills / 4, `${acknowledged.size} tasks`);
	t.comment(
		`${kills} kills: ${acknowledged.size} tasks, ${received.length} callbacks, ${skipped} sentences left out as killers`,
	);
	const unfinished = [...tasks.list()].filter((it) => it.state > 1);
	const worked = new Set(await allOf(work.ids()));
	t.ok(worked.size <= unfinished.length + 1, "no work is left behind");
	t.ok(audioLeft() <= unfinished.length + 2, "no audio is left behind");
});
