import t from "tap";
import { nextTasks, type QueuedTask } from "../../runtime/tasks/queue.js";

const idle = { count: 0, dangerous: false };
let order = 0;

function task(id: string, changes: Partial<QueuedTask> = {}): QueuedTask {
	return {
		id,
		order: ++order,
		vip: false,
		waitedSeconds: 0,
		begun: false,
		dangerous: false,
		...changes,
	};
}

function idsOf(...query: Parameters<typeof nextTasks>): string[] {
	return nextTasks(...query).map((it) => it.id);
}

t.test("first come, first served; VIP before standard", async (t) => {
	const waiting = [
		task("plain 1"),
		task("plain 2"),
		task("vip 1", { vip: true }),
		task("vip 2", { vip: true }),
	];
	t.same(idsOf(waiting, idle, 4), ["vip 1", "vip 2", "plain 1", "plain 2"]);
	t.same(idsOf(waiting, idle, 1), ["vip 1"]);
	t.same(idsOf(waiting, { ...idle, count: 1 }, 1), []);
	t.same(idsOf([], idle, 3), []);
});

t.test("a task that waited ten minutes is not overtaken again", async (t) => {
	const early = task("early vip", { vip: true });
	const old = task("old", { waitedSeconds: 600 });
	const young = task("young", { waitedSeconds: 599 });
	const late = task("late vip", { vip: true });
	t.same(idsOf([late, young, old, early], idle, 4), [
		"early vip",
		"old",
		"late vip",
		"young",
	]);
});

t.test("tasks begun before run first", async (t) => {
	const vip = task("vip", { vip: true });
	const begun = task("begun", { begun: true });
	t.same(idsOf([vip, begun], idle, 1), ["begun"]);
});

t.test("a dangerous task runs alone, and does run", async (t) => {
	const bad = task("bad", { begun: true, dangerous: true });
	const good = task("good");
	t.same(idsOf([bad, good], idle, 3), ["bad"]);
	t.same(idsOf([bad, good], { ...idle, count: 1 }, 3), [], "others end first");
	t.same(idsOf([good], { count: 1, dangerous: true }, 3), []);
	const vip = task("vip", { vip: true, begun: true, order: 0 });
	t.same(idsOf([bad, vip], idle, 3), ["vip"]);
});
