/** Transcripts of calls on the disk: what was reported is there, whatever happened before the call ended. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Utterance } from "../../runtime/session/events.js";
import { StoreError } from "../../runtime/store/store-error.js";
import { freshWork } from "../../runtime/tasks/work.js";
import { madeUtterance } from "../session/made-utterances.js";
import { plainOptions } from "./plain-options.js";
import { receiver, runningTasks } from "./running-tasks.js";

function utterance(index: number, text: string, beginMs: number): Utterance {
	return madeUtterance(text, { index, beginMs, endMs: beginMs + 800 });
}

function call(callbackUrl?: string) {
	return {
		...({ owner: "token:pbx", call: "c-1" } as const),
		options: {
			...plainOptions,
			channels: 2,
			...(callbackUrl !== undefined && { callbackUrl }),
		} as const,
	};
}

function folder(t: Test): string {
	const dir = mkdtempSync(join(tmpdir(), "earshot-live-"));
	t.teardown(() => rmSync(dir, { recursive: true, force: true }));
	return dir;
}

t.test("a power cut: the next start completes the transcript", async (t) => {
	const dir = folder(t);
	const { url, count } = await receiver(t);
	const id = "a".repeat(32);
	const before = await runningTasks(t, { dir });
	await before.liveTasks.begin({ id, ...call(url) });
	await before.liveTasks.add(id, 1, utterance(1, "First.", 0));
	await before.liveTasks.add(id, 2, utterance(1, "Second.", 900));
	await before.liveTasks.add(id, 1, utterance(2, "Third.", 2000));
	t.match(before.tasks.find(id), { state: "processing", call: "c-1" });
	await before.close(); // nobody said that the call is over

	const after = await runningTasks(t, { dir });
	const task = await after.finished(id);
	t.match(task, { state: "completed", audioMs: 2800 });
	t.match(
		[...(after.tasks.result(id)?.segments() ?? [])],
		[
			{ transcript: "First.", cluster_id: 1 },
			{ transcript: "Second.", cluster_id: 2 },
			{ transcript: "Third.", cluster_id: 1 },
		],
	);
	const [callback] = await count(1);
	t.match(JSON.parse(callback?.body ?? ""), {
		data: { task_id: id, call: "c-1" },
	});
});

t.test("a call that is removed while it goes on stays removed", async (t) => {
	const dir = folder(t);
	const { liveTasks, tasks, store, complaints } = await runningTasks(t, {
		dir,
	});
	const id = "b".repeat(32);
	await liveTasks.begin({ id, ...call() });
	await liveTasks.add(id, 1, utterance(1, "First.", 0));
	t.equal(await tasks.remove(id), true);
	await liveTasks.add(id, 1, utterance(2, "Second.", 0));
	await liveTasks.finish(id, 1000, []);
	t.equal(tasks.find(id), undefined);
	t.same([...store.work.utterances(id, 1)], []);
	t.same(complaints, []);
});

t.test(
	"a call that is removed while its transcript is composed stays removed",
	async (t) => {
		const { url, received } = await receiver(t);
		const { liveTasks, tasks, store, complaints } = await runningTasks(t, {
			dir: folder(t),
		});
		const id = "d".repeat(32);
		await liveTasks.begin({ id, ...call(url) });
		await liveTasks.add(id, 1, utterance(1, "First.", 0));
		const finishing = liveTasks.finish(id, 1000, []);
		t.equal(await tasks.remove(id), true);
		await finishing;
		t.equal(tasks.find(id), undefined);
		t.equal(store.results.find(id), undefined);
		t.equal(store.outbox.find(id), undefined);
		t.same(received, []);
		t.same(complaints, []);
	},
);

t.test("a removal that fails costs a call no transcript", async (t) => {
	const running = await runningTasks(t, { dir: folder(t) });
	const { liveTasks, tasks, store } = running;
	const id = "e".repeat(32);
	await liveTasks.begin({ id, ...call() });
	await liveTasks.add(id, 1, utterance(1, "First.", 0));
	store.tasks.remove = async () => {
		throw new StoreError("full", "the disk is full");
	};
	const finishing = liveTasks.finish(id, 1000, []);
	await t.rejects(tasks.remove(id), { trouble: "full", message: /full/ });
	await finishing;
	t.match(tasks.find(id), { state: "completed" });
	t.same(running.textsOf(id), ["First"]);
});

t.test("a disk that is full for long costs a call no transcript", async (t) => {
	const running = await runningTasks(t, { dir: folder(t) });
	const { liveTasks, tasks, store } = running;
	const id = "f".repeat(32);
	await liveTasks.begin({ id, ...call() });
	await liveTasks.add(id, 1, utterance(1, "First.", 0));
	// as after half an hour of it
	const work = store.work.get(id) ?? freshWork(2);
	await store.work.put(id, { ...work, startsInVain: 29 });
	const putPage = store.results.putPage.bind(store.results);
	let refusals = 1;
	store.results.putPage = async (...page) => {
		if (refusals-- > 0) throw new StoreError("full", "the disk is full");
		await putPage(...page);
	};
	await liveTasks.finish(id, 1000, []);
	t.match(tasks.find(id), { state: "completed" });
	t.same(running.textsOf(id), ["First"]);
});

t.test("notes, and removal of a finished one", async (t) => {
	const dir = folder(t);
	const { liveTasks, tasks } = await runningTasks(t, { dir });
	const id = "c".repeat(32);
	await liveTasks.begin({ id, ...call() });
	await liveTasks.finish(id, 61_000, ["a note"]);
	t.match(tasks.find(id), {
		state: "completed",
		audioMs: 61_000,
		notes: ["a note"],
	});
	t.same([...(tasks.result(id)?.segments() ?? [])], []);
	t.equal(await tasks.remove(id), true);
	t.equal(tasks.find(id), undefined);
});
