import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import t, { type Test } from "tap";
import { lowerPriority } from "../../runtime/engine/scheduling.js";
import { isStarved } from "../../runtime/engine/starvation.js";
import { eventually } from "../fixtures/eventually.js";

function run(t: Test, code: string, ...before: string[]): ChildProcess {
	const [file = "", ...args] = [...before, process.execPath, "-e", code];
	const child = spawn(file, args, { stdio: "ignore" });
	t.teardown(() => child.kill("SIGKILL"));
	return child;
}

const spins = "for (;;);";

t.test("a process that sleeps or has exited is not starved", async (t) => {
	const sleeper = run(t, "setTimeout(() => {}, 1e6)");
	t.equal(await isStarved(sleeper.pid), false);
	t.equal(await isStarved(undefined), false);
	t.equal(await isStarved(2 ** 30), false);
});

t.test("an idle-priority process on a busy machine is starved", async (t) => {
	for (let core = 0; core < 2 * availableParallelism(); core++) run(t, spins);
	const idle = run(t, spins, "chrt", "--idle", "0");
	await eventually("chrt to become the program", () =>
		readFileSync(`/proc/${idle.pid}/comm`, "utf8").startsWith("node"),
	);
	t.equal(await isStarved(idle.pid), true);
});

t.test("an engine that can't set the idle policy returns why", async (t) => {
	const { PATH } = process.env;
	process.env.PATH = "/nowhere";
	t.teardown(() => {
		process.env.PATH = PATH;
	});
	t.match(await lowerPriority(0, true), /chrt/);
	t.equal(await lowerPriority(0, false), undefined);
});
