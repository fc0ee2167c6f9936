/** Tens of thousands of finished tasks: iterating over all of them does not block the event loop. */
import { join } from "node:path";
import t from "tap";
import { AudioShelf } from "../../runtime/store/audio-shelf.js";
import { Database, type Write } from "../../runtime/store/database.js";
import { RecordingRepository } from "../../runtime/store/recordings.js";
import { Sweeper } from "../../runtime/tasks/sweeper.js";
import { openTaskStore } from "../../runtime/tasks/task-store.js";
import { plainClock } from "../clock/plain-clock.js";
import { listeningLog } from "../engine/fake-lane.js";
import { startFiles } from "../files/running-files.js";
import { allOf } from "../store/all-of.js";
import { longestTurnMs } from "../store/loop-turns.js";

/** Twice the promised limit: a single measurement can't be repeated if garbage was collected during it. */
const turnMsMax = 100;
const many = 12_000;
const rowsAtOnce = 1000;
const nowSeconds = 1_700_000_000;
const audioId = "a".repeat(22);

t.test("a sweep over them consists of short turns", async (t) => {
	const dir = t.testdir();
	const database = Database.open(join(dir, "store.mdb"));
	t.teardown(() => database.close());
	const store = openTaskStore(database);
	const recordings = new RecordingRepository(database);
	const tables = {
		tasks: database.table("tasks"),
		results: database.table("results"),
		pages: database.table("results.pages"),
		recordings: database.table("recordings"),
	};
	const rowsOf = (index: number): Write[] => {
		const id = `task-${String(index).padStart(22, "0")}`;
		return [
			tables.tasks.putting(id, {
				id,
				owner: "kiosk",
				order: index,
				vip: false,
				state: 1,
				fileName: "a.wav",
				audioId,
				audioMs: 1000,
				notes: [],
				insertSeconds: nowSeconds - 60,
				finishSeconds: nowSeconds - 50,
			}),
			tables.results.putting(id, { pages: 1, statistics: {} }),
			tables.pages.putting(`${id}/000000`, [{ transcript: "words" }]),
			tables.recordings.putting(id, { id, owner: "kiosk", audioId }),
			store.outbox.putting({
				taskId: id,
				url: "http://192.0.2.1/",
				state: "delivered",
				createdSeconds: nowSeconds,
				dueSeconds: 0,
				tries: [],
			}),
		];
	};
	for (let index = 0; index < many; index += rowsAtOnce)
		await database.together(
			Array.from({ length: rowsAtOnce }, (_, it) => rowsOf(index + it)).flat(),
		);
	await store.results.putPage("gone", 0, []);
	const audio = await AudioShelf.open(join(dir, "audio"), {
		bytesMax: 1e9,
		reserveBytes: 0,
	});
	const complaints: unknown[] = [];
	const sweeper = new Sweeper({
		store,
		tasks: { find: () => undefined, remove: async () => true },
		audio,
		async *othersAudio() {
			for await (const it of recordings.list()) yield it.audioId;
		},
		resultDays: 31,
		audioDays: 30,
		clock: plainClock(() => nowSeconds),
		log: listeningLog((line) => complaints.push(line)),
	});
	t.equal(store.tasks.size, many); // read at the start
	const heldMs = await longestTurnMs(() => sweeper.runOnce());
	t.ok(heldMs < turnMsMax, `the loop was held for ${heldMs} ms`);
	t.same(complaints, []);
	const left = new Set(await allOf(store.results.ids()));
	t.equal(left.size, many, "what has a task stays, what has none went");
	await sweeper.stop();
});

t.test("a list of the failed ones skips the others in turns", async (t) => {
	const { taskService, get } = await startFiles(t);
	for (let index = 0; index < 1000; index++)
		taskService.put(`${index}`, { state: "completed" });
	taskService.put("failed", { state: "failed" });
	const listed = taskService.list.bind(taskService);
	taskService.list = function* () {
		for (const view of listed()) {
			const untilMs = performance.now() + 0.2; // as if there were many more
			while (performance.now() < untilMs);
			yield view;
		}
	};
	let answer = await get("/v1/asrfile/tasks?type=0"); // what the first one loads is loaded
	const heldMs = await longestTurnMs(async () => {
		answer = await get("/v1/asrfile/tasks?type=0");
	});
	t.match(answer, { http: 200, data: [{ task_id: "failed" }] });
	t.ok(heldMs < turnMsMax, `the loop was held for ${heldMs} ms`);
});
