import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import t, { type Test } from "tap";
import { lowerPriority } from "../../runtime/engine/scheduling.js";
import { isStarved } from "../../runtime/engine/starvation.js";

function run(t: Test, file: string, ...args: string[]): ChildProcess {
	const child = spawn(file, args, { stdio: ["ignore", "pipe", "ignore"] });
	t.teardown(() => child.kill("SIGKILL"));
	return child;
}

/** Resolves once the process is busy: what starts later than that may be waiting for a disk. */
async function spin(t: Test, ...before: string[]): Promise<ChildProcess> {
	const spins = ["sh", "-c", "echo; while :; do :; done"];
	const [file = "", ...args] = [...before, ...spins];
	const child = run(t, file, ...args);
	if (child.stdout) await once(child.stdout, "data");
	return child;
}

t.test("a process that sleeps or has exited is not starved", async (t) => {
	const sleeper = run(t, "sleep", "1000");
	t.equal(await isStarved(sleeper.pid), false);
	t.equal(await isStarved(undefined), false);
	t.equal(await isStarved(2 ** 30), false);
});

t.test("an idle-priority process on a busy machine is starved", async (t) => {
	const idle = await spin(t, "chrt", "--idle", "0");
	for (let core = 0; core < 2 * availableParallelism(); core++) await spin(t);
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
