/** Tasks on a disk that is full, or that reports errors for what it has written. */
import t from "tap";
import { StoreError } from "../../runtime/store/store-error.js";
import { rejectsWith } from "../engine/fake-lane.js";
import { eventually } from "../fixtures/eventually.js";
import { runningTasks } from "./running-tasks.js";

const roomy = 2 ** 30;
const unavailable = () =>
	new StoreError("unavailable", "the disk reports an error");

t.test(
	"a full disk does not stop the start beside a task that was begun",
	async (t) => {
		let free = roomy;
		const freeBytes = () => free;
		const first = await runningTasks(t, { freeBytes });
		const { sentence, open } = first.gate();
		const id = await first.submit([sentence]);
		await eventually(
			"it to be begun",
			() => first.tasks.find(id)?.state === "processing",
			{ seen: () => first.tasks.find(id) },
		);
		free = 0;
		await first.close();
		const second = await runningTasks(t, { dir: first.dir, freeBytes });
		await eventually(
			"it to wait for room",
			() => second.tasks.find(id)?.state === "queued",
			{ seen: () => second.tasks.find(id) },
		);
		free = roomy;
		open();
		t.match(await second.finished(id), { state: "completed" });
	},
);

t.test("what was stored although its write failed is run", async (t) => {
	const { submit, finished, store, tasks } = await runningTasks(t);
	const add = store.tasks.add.bind(store.tasks);
	let isWritten = false;
	store.tasks.add = async (...row) => {
		if (isWritten) await add(...row);
		throw unavailable();
	};
	await rejectsWith(t, submit(["lost"]), { trouble: "unavailable" });
	t.same([...tasks.list()], []);
	isWritten = true;
	const id = await submit(["kept"]);
	t.match(await finished(id), { state: "completed" });
});

t.test("what was removed although its write failed is gone", async (t) => {
	const { submit, finished, gate, store, tasks, held } = await runningTasks(t);
	const { sentence, open } = gate();
	const first = await submit([sentence]);
	const removed = await submit(["second"]);
	const third = await submit(["third"]);
	const remove = store.tasks.remove.bind(store.tasks);
	store.tasks.remove = async (...row) => {
		store.tasks.remove = remove;
		await remove(...row);
		throw unavailable();
	};
	t.equal(await tasks.remove(removed), true);
	t.equal(held.length, 2, "its word lists are released");
	open();
	t.match(await finished(first), { state: "completed" });
	t.match(await finished(third), { state: "completed" }, "nothing is waiting");
});

t.test("what was completed although its write failed is so", async (t) => {
	let jobs = 0;
	const { submit, finished, store, tasks, held } = await runningTasks(t, {
		find: () => {
			jobs++;
			return {};
		},
	});
	const change = store.tasks.change.bind(store.tasks);
	store.tasks.change = async (row, ...writes) => {
		await change(row, ...writes);
		if (row.state !== "completed") return;
		store.tasks.change = change;
		throw unavailable();
	};
	const id = await submit(["once"]);
	t.match(await finished(id), { state: "completed" });
	const jobsOfIt = jobs;
	await eventually("its word lists to be released", () => held.length === 0);
	t.equal(jobs, jobsOfIt, "it is not transcribed again");
	t.equal(tasks.find(id)?.state, "completed");
	t.equal(tasks.audioSeconds, 1);
});

t.test(
	"on a full disk a finished task is deleted with its audio",
	async (t) => {
		const free = { others: roomy };
		const { submit, finished, audio, tasks } = await runningTasks(t, {
			// room for a commit, as soon as an upload is gone
			freeBytes: () => free.others + (audioIds === 0 ? roomy : 0),
		});
		let audioIds = 1;
		const id = await submit(["one"]);
		await finished(id);
		free.others = 0;
		const remove = audio.remove.bind(audio);
		audio.remove = async (it) => {
			await remove(it);
			audioIds = (await audio.ids()).length;
		};
		t.equal(await tasks.remove(id), true);
		t.equal(tasks.find(id), undefined);
	},
);

t.test(
	"on a full disk a callback is sent once, and what was tried is not forgotten",
	async (t) => {
		let free = roomy;
		const answers = [500, 500, 500, 200];
		let calls = 0;
		const running = await runningTasks(t, {
			freeBytes: () => free,
			transport: {
				send: async () => {
					free = 0;
					return { status: answers[calls++] ?? 500, close: () => {} };
				},
			},
		});
		const { callbacks, clock, complaints, store } = running;
		const callbackUrl = "http://any.example/";
		const id = await running.submit(["one"], { callbackUrl });
		const failures = () =>
			complaints.filter((it) => it === "failed to save callback state").length;
		const later = async (seconds: number, failed: number) => {
			clock.seconds += seconds;
			callbacks.onTaskChanged("nobody's"); // checks what is due
			await eventually("the write that fails", () => failures() === failed);
		};
		await eventually("the first try", () => failures() === 1);
		await later(20, 2);
		t.equal(calls, 2);
		await later(20, 2);
		t.equal(calls, 2, "the pauses grow all the same");
		await later(60, 3);
		await later(300, 4);
		t.equal(calls, 4);
		await later(100, 5);
		free = roomy;
		await later(100, 5);
		const saved = () => store.outbox.find(id)?.state === "delivered";
		await eventually("it to be saved", saved);
		const tries = store.outbox.find(id)?.tries.map((it) => it.http);
		t.same(tries, answers);
		t.equal(calls, 4, "what was delivered is not sent again");
		await eventually("none to wait", () => callbacks.waiting === 0);
	},
);
