import { join } from "node:path";
import t from "tap";
import { loadConfig } from "../../runtime/config/load.js";
import { AudioShelf } from "../../runtime/store/audio-shelf.js";
import { openStore } from "../../runtime/store/open-store.js";
import { FileService } from "../../runtime/tasks/file-service.js";
import { openTaskStore } from "../../runtime/tasks/task-store.js";
import { plainClock } from "../clock/plain-clock.js";
import { fakeLane, listeningLog } from "../engine/fake-lane.js";
import { eventually } from "../fixtures/eventually.js";
import { noWords } from "../live/no-words.js";
import { plainOptions } from "../tasks/plain-options.js";
import { earshotIn } from "./earshot.js";

t.test("tasks are listed, shown and cancelled beside the server", async (t) => {
	const dir = t.testdir();
	const server = await openStore({ dir, as: "serve" });
	const shelf = await AudioShelf.open(join(dir, "audio"), {
		bytesMax: 1e9,
		reserveBytes: 0,
	});
	const { lane } = fakeLane(t);
	const startSeconds = Date.now() / 1000; // stands still: no second try is due
	const service = new FileService({
		config: loadConfig({ environment: {}, root: dir }).values,
		database: server.database,
		shelf,
		async *othersAudio() {},
		lane,
		words: noWords,
		keywords: { find: async () => [] },
		outbound: {
			send: async () => {
				throw new Error("its host name is unknown");
			},
		},
		clock: plainClock(() => startSeconds),
		timeText: String,
		log: listeningLog(() => {}),
	});
	await service.start();
	t.teardown(async () => {
		await service.stop();
		await server.close();
	});
	const submit = async (id: string, sentences: string[]) => {
		const draft = await shelf.begin();
		await draft.append(Buffer.from(JSON.stringify({ sentences })));
		await draft.commit();
		await service.tasks.submit({
			id,
			owner: "token:kiosk",
			fileName: "a\u001b[2J.wav",
			audioId: draft.id,
			audioMs: 1000,
			options: { ...plainOptions, callbackUrl: "http://nowhere.invalid/" },
		});
		draft.settle();
	};
	await submit("task-done", ["one"]);
	const { outbox } = openTaskStore(server.database);
	await eventually(
		"a callback that was tried",
		() => outbox.find("task-done")?.tries.length,
	);
	await submit("task-slower", ["hang"]);
	await submit("task-slow", ["hang"]);

	const listed = await earshotIn(dir, "tasks", "list", "--json");
	t.match(JSON.parse(listed.out), [
		{ id: "task-slow", owner: "token:kiosk", progress: "0 %" },
		{ id: "task-slower" },
		{ id: "task-done", state: "completed", file: "a [2J.wav" },
	]);
	const plain = await earshotIn(dir, "tasks", "list");
	t.match(plain, { code: 0, out: /task-done +completed/ });
	t.notMatch(plain.out, "\u001b");

	const shown = await earshotIn(dir, "tasks", "show", "task-done");
	t.match(shown.out, /tries +\d{4}-.* none {2}its host name is unknown/);
	t.match(shown.out, /callback +tried 1 times, again at/);
	t.match(
		await earshotIn(dir, "tasks", "show", "task-don"),
		{ code: 0, out: /task-done/ },
		"so much of it as the log shows",
	);
	for (const [act, beginning, why] of [
		["show", "task-do", /at least the first 8 characters/],
		["cancel", "task-slo", /2 tasks begin with task-slo/],
	] as const)
		t.match(await earshotIn(dir, "tasks", act, beginning), {
			code: 2,
			err: why,
		});
	t.ok(service.tasks.find("task-slow"));
	t.match(await earshotIn(dir, "tasks", "cancel", "task-slow"), {
		code: 0,
		out: "removed\n",
	});
	t.ok(service.tasks.find("task-slower"), "a whole id is that task's alone");
	t.match(await earshotIn(dir, "tasks", "cancel", "task-slower"), { code: 0 });
	t.equal(service.tasks.find("task-slow"), undefined);
	t.match(await earshotIn(dir, "tasks", "cancel", "task-slow"), {
		code: 2,
		err: /no task task-slow /,
	});
});
