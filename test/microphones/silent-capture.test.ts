/** How long a capture process may say nothing: on a busy machine neither it nor this process is always there in time. The time is the test's. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import t, { type Test } from "tap";
import { Capture } from "../../runtime/microphones/capture.js";
import { quietMsMax, startMsMax } from "../../runtime/microphones/protocol.js";
import { listeningLog } from "../engine/fake-lane.js";

/** Says something for each file that appears, and then makes another one. */
const script = `
const { existsSync, writeFileSync } = require("node:fs");
let next = 1;
process.on("message", () => {});
process.on("disconnect", () => process.exit());
setInterval(() => {
	const asked = process.argv[1] + "/ask-" + next;
	if (!existsSync(asked)) return;
	next++;
	process.send({ is: "health", health: {} }, () => writeFileSync(asked + "-done", ""));
}, 1);`;

function started(t: Test) {
	const folder = t.testdir();
	const happened: string[] = [];
	let wake = () => {};
	const note = (what: string) => {
		happened.push(what);
		wake();
	};
	const capture = new Capture(
		() => ({}) as never,
		{ onMessage: ({ is }) => note(is), onDeath: note },
		listeningLog(() => {}),
		{ file: process.execPath, args: ["-e", script, folder] },
	);
	mock.timers.enable({ apis: ["setTimeout"] });
	t.teardown(async () => {
		const stopped = capture.stop();
		mock.timers.tick(10_000); // it is killed
		await stopped;
		mock.timers.reset();
	});
	capture.start();
	let asked = 0;
	const ask = () => {
		const path = join(folder, `ask-${++asked}`);
		writeFileSync(path, "");
		return `${path}-done`;
	};
	/** What happened, once there is so much of it. */
	const after = async (count: number) => {
		while (happened.length < count)
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		return happened;
	};
	return { ask, after };
}

/** Where a timer of Node fires: before what others sent is read. */
const amongTimers = () =>
	new Promise<void>((resolve) => {
		const timer = setInterval(() => {
			clearInterval(timer);
			resolve();
		}, 1);
	});

t.test("it may take two minutes to load, then 15 seconds", async (t) => {
	const { ask, after } = started(t);
	mock.timers.tick(startMsMax - 1);
	ask();
	t.same(await after(1), ["health"]);
	mock.timers.tick(quietMsMax - 1);
	ask();
	t.same(await after(2), ["health", "health"]);
	mock.timers.tick(quietMsMax);
	t.same(await after(3), ["health", "health", "hung: no messages"]);
});

t.test("one that never loads is given up, too", async (t) => {
	const { after } = started(t);
	mock.timers.tick(startMsMax);
	t.same(await after(1), ["hung: no messages"]);
});

t.test("what was sent while this process stood still counts", async (t) => {
	const { ask, after } = started(t);
	ask();
	await after(1);
	await amongTimers();
	const sent = ask();
	const cell = new Int32Array(new SharedArrayBuffer(4));
	while (!existsSync(sent)) Atomics.wait(cell, 0, 0, 1);
	mock.timers.tick(quietMsMax);
	t.same(await after(2), ["health", "health"]);
	ask();
	t.same(await after(3), ["health", "health", "health"]);
});
