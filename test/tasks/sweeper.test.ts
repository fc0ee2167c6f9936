import { readdirSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { Sweeper, type SweeperParts } from "../../runtime/tasks/sweeper.js";
import { plainClock } from "../clock/plain-clock.js";
import { listeningLog } from "../engine/fake-lane.js";
import { allOf } from "../store/all-of.js";
import { runningTasks } from "./running-tasks.js";

const day = 86_400;

async function sweptTasks(
	t: Test,
	changes: Partial<SweeperParts> = {},
	freeBytes?: () => number,
) {
	const running = await runningTasks(t, freeBytes ? { freeBytes } : {});
	const { store, tasks, audio, clock } = running;
	const others: string[] = [];
	const sweeperOf = (its: Partial<SweeperParts>) => {
		const sweeper = new Sweeper({
			store,
			tasks: tasks,
			audio,
			async *othersAudio() {
				yield* others;
			},
			resultDays: 31,
			audioDays: 30,
			clock: plainClock(() => clock.seconds),
			log: listeningLog(() => {}),
			...its,
		});
		t.teardown(() => sweeper.stop());
		return sweeper;
	};
	const sweeper = sweeperOf(changes);
	const onShelf = () => readdirSync(join(running.dir, "audio")).length;
	return { ...running, sweeper, sweeperOf, others, onShelf };
}

t.test(
	"results are removed after their days, audio after its own",
	async (t) => {
		const { submit, finished, sweeper, clock, tasks, onShelf, store } =
			await sweptTasks(t);
		const id = await submit(["one"]);
		await finished(id);
		clock.seconds += 30 * day - 1;
		await sweeper.runOnce();
		t.equal(onShelf(), 1);
		clock.seconds += 1;
		await sweeper.runOnce();
		t.equal(onShelf(), 0);
		t.equal([...(tasks.result(id)?.segments() ?? [])].length, 1, "still there");
		clock.seconds += day;
		await sweeper.runOnce();
		t.equal(tasks.find(id), undefined);
		t.same(await allOf(store.results.ids()), []);
	},
);

t.test(
	"on a full disk the audio goes, and what it belonged to later",
	async (t) => {
		let free = 2 ** 30;
		const { submit, finished, sweeper, clock, tasks, onShelf } =
			await sweptTasks(t, {}, () => free);
		const ids = [await submit(["one"]), await submit(["two"])];
		for (const id of ids) await finished(id);
		clock.seconds += 31 * day;
		free = 0;
		await sweeper.runOnce();
		t.equal(onShelf(), 0);
		t.ok(ids.every((id) => tasks.find(id)));
		free = 2 ** 30;
		await sweeper.runOnce();
		t.notOk(ids.some((id) => tasks.find(id)));
	},
);

t.test("what a request waited for is kept for an hour", async (t) => {
	const { submit, finished, sweeper, clock, tasks, store } =
		await sweptTasks(t);
	const id = await submit(["one"]);
	await finished(id);
	const row = store.tasks.find(id);
	if (!row) throw new Error("no row");
	await store.tasks.change({ ...row, isAwaited: true });
	clock.seconds += 3599;
	await sweeper.runOnce();
	t.ok(tasks.find(id), "its result may still be read");
	clock.seconds += 1;
	await sweeper.runOnce();
	t.equal(tasks.find(id), undefined);
});

t.test("unfinished tasks are kept, whatever their age", async (t) => {
	const { submit, finished, gate, sweeper, clock, onShelf } = await sweptTasks(
		t,
		{ resultDays: 0, audioDays: 0 },
	);
	const { sentence, open } = gate();
	const slow = await submit(["one", sentence]);
	const waits = await submit(["three"]);
	clock.seconds += 1000 * day;
	await sweeper.runOnce();
	t.equal(onShelf(), 2);
	open();
	t.match(await finished(slow), { state: "completed" });
	t.match(await finished(waits), { state: "completed" });
});

t.test(
	"audio is removed at the end of its task where it is not kept",
	async (t) => {
		const { submit, finished, sweeper, store, onShelf } = await sweptTasks(t, {
			audioDays: 0,
		});
		const id = await submit(["one"]);
		await finished(id);
		const row = store.tasks.find(id);
		if (row) await sweeper.afterTask(row);
		t.equal(onShelf(), 0);
		t.match(store.tasks.find(id), { state: "completed", audioGone: true });
	},
);

t.test("a task that is deleted meanwhile does not come back", async (t) => {
	const running = await sweptTasks(t);
	const { submit, finished, tasks, store, audio } = running;
	const id = await submit(["one"]);
	await finished(id);
	const row = store.tasks.find(id);
	const removals: Promise<unknown>[] = [];
	const sweeper = running.sweeperOf({
		audioDays: 0,
		audio: {
			ids: () => audio.ids(),
			size: (audioId) => audio.size(audioId),
			remove: async () => void removals.push(tasks.remove(id)),
		},
	});
	if (row) await sweeper.afterTask(row);
	await Promise.all(removals);
	t.equal(removals.length, 1);
	t.equal(store.tasks.find(id), undefined);
});

t.test(
	"with little disk space, uploads of finished tasks are removed first",
	async (t) => {
		const { submit, finished, gate, sweeper, clock, audio, store, onShelf } =
			await sweptTasks(t);
		const bytesOf = async (id: string) =>
			(await audio.size(store.tasks.find(id)?.audioId ?? "")) ?? 0;
		const old = await submit(["one"]);
		await finished(old);
		clock.seconds += 60;
		const young = await submit(["two"]);
		await finished(young);
		const { sentence, open } = gate();
		const underWay = await submit(["three", sentence]);
		await sweeper.makeRoom(1e9, 1e8);
		t.ok((await bytesOf(old)) > 0, "all of it would not be enough");
		await sweeper.makeRoom(1, 1);
		t.match(store.tasks.find(old), { state: "completed", audioGone: true });
		t.ok((await bytesOf(young)) > 0, "one was enough");
		await sweeper.makeRoom(1e9, 1);
		t.match(store.tasks.find(young), { audioGone: true });
		t.equal(onShelf(), 1, "what is unfinished stays");
		open();
		t.match(await finished(underWay), { state: "completed" });
	},
);

t.test(
	"the remains of a crash are removed, audio of others is kept",
	async (t) => {
		const { audio, others, sweeper, store, onShelf, database } =
			await sweptTasks(t);
		const put = async () => {
			const draft = await audio.begin();
			await draft.append(Buffer.from("sound"));
			await draft.commit();
			return draft;
		};
		const lost = await put();
		const theirs = await put();
		const underWay = await put(); // not acknowledged yet
		lost.settle();
		theirs.settle();
		others.push(theirs.id);
		const work = { resume: [] } as never;
		await store.work.putUtterances("gone-1", work, 1, 1, []);
		await store.work.putTurns("gone-2", work, []);
		for (let page = 0; page < 3; page++)
			await store.results.putPage("gone-3", page, []);
		await store.edits.change("gone-5", new Map([[1, "x"]]), undefined, 1);
		await store.edits.change("gone-6", new Map(), { 1: "Ann" }, 1);
		const peaks = { perSecond: 20, peaks: Uint8Array.of(1) };
		await store.edits.putPeaks("gone-7", peaks);
		const row = {
			taskId: "gone-4",
			url: "http://x/",
			state: "waiting" as const,
			dueSeconds: 0,
			createdSeconds: 0,
			tries: [],
		};
		await database.together([store.outbox.putting(row)]);
		await sweeper.runOnce();
		t.equal(onShelf(), 2);
		t.equal(await audio.size(lost.id), undefined);
		t.equal(await audio.size(theirs.id), 5);
		t.equal(await audio.size(underWay.id), 5);
		t.same(
			[
				...(await allOf(store.work.ids())),
				...(await allOf(store.results.ids())),
				...(await allOf(store.edits.ids())),
			],
			[],
		);
		t.same(await allOf(store.outbox.list()), []);
		t.ok(database.table("tasks.heard").isEmpty());
		await underWay.discard();
	},
);
