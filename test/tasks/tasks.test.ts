import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import { rejectsWith } from "../engine/fake-lane.js";
import { eventually } from "../fixtures/eventually.js";
import { allOf } from "../store/all-of.js";
import { plainOptions } from "./plain-options.js";
import { runningTasks } from "./running-tasks.js";

const many = (count: number) =>
	Array.from({ length: count }, (_, it) => `Sentence ${it + 1}`);

t.test("a task is queued, transcribed and completed", async (t) => {
	const { tasks, submit, finished, textsOf, store, clock } =
		await runningTasks(t);
	const sentences = many(10);
	const id = await submit(sentences);
	clock.seconds += 5;
	t.match(tasks.find(id), {
		id,
		owner: "token:kiosk",
		fileName: "meeting.wav",
		insertSeconds: 1_700_000_000,
	});
	const view = await finished(id);
	t.match(view, {
		state: "completed",
		progress: 100,
		audioMs: 10_000,
		finishSeconds: 1_700_000_005,
		notes: [],
	});
	t.same(textsOf(id), sentences);
	t.match(tasks.result(id)?.statistics, { insert_time: "time 1700000000" });
	await eventually(
		"nothing to be left of its work",
		async () => (await allOf(store.work.ids())).length === 0,
	);
	t.match(tasks.counts, {
		failed: 0,
		completed: 1,
		processing: 0,
		queued: 0,
	});
	t.equal(tasks.audioSeconds, 10);
});

t.test("the channels of a stereo file are recognized separately", async (t) => {
	const { submit, finished, tasks } = await runningTasks(t);
	const id = await submit(many(6), { channels: 2 });
	t.match(await finished(id), { state: "completed" });
	const segments = [...(tasks.result(id)?.segments() ?? [])];
	t.equal(segments.length, 12);
	t.same(new Set(segments.map((it) => it.cluster_id)), new Set([1, 2]));
});

t.test(
	"a file that the engine refuses fails the task, with the reason",
	async (t) => {
		const { submit, finished, tasks } = await runningTasks(t);
		const id = await submit(["one", "fail 200005 audio is too long"]);
		t.match(await finished(id), {
			state: "failed",
			failure: { status: "200005", message: "audio is too long" },
		});
		t.equal(tasks.result(id), undefined);
	},
);

t.test("a task whose audio is missing fails with that reason", async (t) => {
	const { submit, finished, gate, audio, tasks, store } = await runningTasks(t);
	const { sentence, open } = gate();
	const first = await submit([sentence]);
	const id = await submit(["one"]);
	await audio.remove(store.tasks.find(id)?.audioId ?? "");
	open();
	t.match(await finished(id), {
		state: "failed",
		failure: { message: /audio/ },
	});
	t.match(await finished(first), { state: "completed" });
	t.equal([...tasks.list()].length, 2);
});

t.test("a missing word list fails the task that names it", async (t) => {
	let isGone = false;
	let lookups = 0;
	const { submit, finished, gate } = await runningTasks(t, {
		find: () => {
			lookups++;
			if (isGone)
				throw new CodedError("211404", "vocabulary C1 does not exist");
			return {};
		},
	});
	const { sentence, open } = gate();
	const first = await submit([sentence]);
	const id = await submit(["one"]);
	// for two uploads, and for the one that runs
	await eventually("three lookups of the lists", () => lookups >= 3);
	isGone = true;
	open();
	t.match(await finished(first), { state: "completed" });
	t.match(await finished(id), {
		state: "failed",
		failure: { status: "211404", message: /C1/ },
	});
	await rejectsWith(t, submit(["two"]), { status: "211404" });
});

t.test("lists are held until the task is finished", async (t) => {
	const corrections = [{ key: "correction-words/C1@1", entries: ["a,b"] }];
	const { submit, finished, gate, held } = await runningTasks(t, {
		find: () => ({ corrections }),
	});
	const id = await submit(["one"]);
	t.equal(held.length, 1);
	await finished(id);
	t.equal(held.length, 0);
	await submit([gate().sentence]);
	t.equal(held.length, 1);
});

t.test("VIP tasks overtake standard ones", async (t) => {
	let waiting: readonly string[] = [];
	const { submit, finished, gate, tasks } = await runningTasks(t, {
		onWaiting: (ids) => {
			waiting = ids;
		},
	});
	const [busyGate, plainGate] = [gate("busy"), gate("plain")];
	const busy = await submit([busyGate.sentence]);
	const plain = await submit([plainGate.sentence]);
	const vip = await submit(["vip"], { variant: "vip" });
	t.same(waiting, [vip, plain], "others are asked in the same order");
	busyGate.open();
	await finished(busy);
	await finished(vip);
	t.not(tasks.find(plain)?.state, "completed", "the VIP one went first");
	plainGate.open();
	await finished(plain);
	const order = (id: string) => tasks.find(id)?.processSeconds;
	t.equal(order(plain), order(vip), "the clock stands still here");
});

t.test("a task that has waited long is not overtaken", async (t) => {
	const { submit, finished, gate, tasks, clock } = await runningTasks(t);
	const [busyGate, lateGate] = [gate("busy"), gate("late")];
	const busy = await submit([busyGate.sentence]);
	const old = await submit(["old"]);
	clock.seconds += 601;
	const late = await submit([lateGate.sentence], { variant: "vip" });
	busyGate.open();
	await finished(busy);
	await finished(old);
	t.not(tasks.find(late)?.state, "completed", "the old one went first");
	lateGate.open();
	await finished(late);
});

t.test("the queue is limited", async (t) => {
	const { submit, finished, gate, tasks } = await runningTasks(t, {
		queueMax: 2,
	});
	const { sentence, open } = gate();
	const first = await submit([sentence]);
	tasks.requireRoom();
	await submit(["two"]);
	t.throws(() => tasks.requireRoom(), /2 files are waiting/);
	await rejectsWith(t, submit(["three"]), {
		status: "100004",
		retryAfterSeconds: Number,
	});
	open();
	await finished(first);
	const third = await submit(["three"]);
	t.match(await finished(third), { state: "completed" });
	t.equal([...tasks.list()][0]?.id, third, "newest first");
});

t.test(
	"removed while it runs: nothing is left, the next one runs",
	async (t) => {
		const { submit, finished, gate, tasks, audio, store } =
			await runningTasks(t);
		const id = await submit([...many(4), gate().sentence]);
		const next = await submit(["next"]);
		await eventually("some progress", () => tasks.find(id)?.progress);
		const audioId = store.tasks.find(id)?.audioId ?? "";
		const removals = [tasks.remove(id), tasks.remove(id)];
		t.equal(tasks.find(id), undefined, "gone at once");
		t.same(await Promise.all(removals), [true, false]);
		t.equal(await audio.size(audioId), undefined);
		t.equal(store.tasks.options(id), undefined);
		await finished(next);
		t.equal(await tasks.remove(id), false);
		t.equal(await tasks.remove(next), true, "a completed one, too");
		t.equal(tasks.result(next), undefined);
		t.same(await allOf(store.results.ids()), []);
		t.same(await allOf(store.work.ids()), []);
	},
);

t.test("ids from outside may be anything", async (t) => {
	const { tasks } = await runningTasks(t);
	for (const id of ["", "x".repeat(5000), "\0", "a/b", "..%2f"]) {
		t.equal(tasks.find(id), undefined);
		t.equal(tasks.result(id), undefined);
		t.equal(await tasks.remove(id), false);
	}
});

t.test("speakers are identified on request", async (t) => {
	const { submit, finished, tasks } = await runningTasks(t);
	const speakersOf = (id: string) =>
		[...(tasks.result(id)?.segments() ?? [])].map((it) => it.cluster_id);
	const two = await submit(many(4), { clusters: 2 });
	t.match(await finished(two), { state: "completed", notes: [] });
	t.same(speakersOf(two), [1, 2, 1, 2]);
	const none = await submit(many(2));
	await finished(none);
	t.same(speakersOf(none), [undefined, undefined]);
});

for (const voices of ["die", "fail"] as const)
	t.test(
		`a transcript survives missing speakers: they ${voices}`,
		async (t) => {
			const { submit, finished, tasks } = await runningTasks(t);
			const id = await submit({ sentences: many(4), voices }, { clusters: 0 });
			t.match(await finished(id), {
				state: "completed",
				notes: [/speaker recognition failed/],
			});
			const segments = [...(tasks.result(id)?.segments() ?? [])];
			t.equal(segments.length, 4);
			const labelled = segments.filter((it) => it.cluster_id !== undefined);
			t.same(labelled, [], "nobody is taken for the only speaker");
		},
	);

t.test("a stop in the middle: the next start resumes there", async (t) => {
	const first = await runningTasks(t);
	const { sentence, open } = first.gate();
	const sentences = [...many(20), sentence, ...many(9)];
	const id = await first.submit(sentences);
	await eventually(
		"a fifth of it to be heard",
		() => (first.tasks.find(id)?.progress ?? 0) >= 20,
		{ seen: () => first.tasks.find(id) },
	);
	await first.close();
	const second = await runningTasks(t, { dir: first.dir });
	const resumed = second.store.work.get(id)?.resume[0]?.index ?? 0;
	t.ok(resumed > 1, `goes on from ${resumed}`);
	t.ok((second.tasks.find(id)?.progress ?? 0) >= 13, "progress is kept");
	open();
	await second.finished(id);
	t.same(second.textsOf(id), sentences);
});

t.test("a task that a request waited for is gone after a crash", async (t) => {
	const first = await runningTasks(t);
	const { sentence } = first.gate();
	const draft = await first.audio.begin();
	const script = { sentences: ["First.", sentence] };
	await draft.append(Buffer.from(JSON.stringify(script)));
	await draft.commit();
	const id = "a".repeat(32);
	await first.tasks.submit({
		id,
		owner: "token:kiosk",
		fileName: "a",
		audioId: draft.id,
		audioMs: 2000,
		options: plainOptions,
		isAwaited: true,
	});
	draft.settle();
	const other = await first.submit([sentence]);
	t.ok(first.tasks.find(id));
	await first.close();
	const second = await runningTasks(t, { dir: first.dir });
	t.same(
		[...second.tasks.list()].map((it) => it.id),
		[other],
		"its client repeats the request, if it still wants it",
	);
	t.equal(await second.audio.size(draft.id), undefined);
	t.equal(second.store.work.get(id), undefined);
});

t.test(
	"neither a removal nor the end waits for keywords that are searched for",
	async (t) => {
		let searches = 0;
		const { submit, tasks, close } = await runningTasks(t, {
			keywords: {
				find: () => {
					searches++;
					return new Promise(() => {});
				},
			},
		});
		const asking = { variant: "vip", keywordsQuantity: 5 } as const;
		const id = await submit(["one"], asking);
		await eventually("a search", () => searches === 1);
		t.equal(await tasks.remove(id), true);
		const next = await submit(["two"], asking);
		await eventually("the next search", () => searches === 2);
		await close();
		t.pass(`${next} is resumed at the next start`);
	},
);
