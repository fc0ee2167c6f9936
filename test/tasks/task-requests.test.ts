/** The request of a task is remembered for as long as it may be repeated. */
import t from "tap";
import { plainOptions } from "./plain-options.js";
import { runningTasks } from "./running-tasks.js";

const daySeconds = 86_400;

t.test("a repeated request is recognized by its task", async (t) => {
	const dir = t.testdir();
	const request = { key: "who and which", content: "what" };
	const id = "task-of-a-request-00000000";
	const before = await runningTasks(t, { dir });
	const { sentence, open } = before.gate();
	t.equal(before.tasks.requested(request.key), undefined);
	const draft = await before.audio.begin();
	await draft.append(Buffer.from(JSON.stringify({ sentences: [sentence] })));
	await draft.commit();
	await before.tasks.submit({
		id,
		owner: "mqtt:fleet",
		fileName: "a",
		audioId: draft.id,
		audioMs: 1000,
		options: plainOptions,
		request,
	});
	draft.settle();
	const known = { task: { id }, content: "what" };
	t.match(before.tasks.requested(request.key), known);
	before.clock.seconds += 10 * daySeconds;
	t.match(before.tasks.requested(request.key), known, "while it is unfinished");
	await before.close();

	const after = await runningTasks(t, { dir });
	t.match(after.tasks.requested(request.key), known, "after a start");
	open();
	await after.finished(id);
	t.match(after.tasks.requested(request.key), known);
	after.clock.seconds += daySeconds;
	t.equal(after.tasks.requested(request.key), undefined, "a day later");
	after.clock.seconds -= 1;
	t.match(after.tasks.requested(request.key), known);
	t.ok(await after.tasks.remove(id));
	t.equal(after.tasks.requested(request.key), undefined, "gone with it");
});
