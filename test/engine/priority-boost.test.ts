/** An idle-priority engine on a machine that is always busy. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import t, { type Test } from "tap";
import { PriorityBoost } from "../../runtime/engine/priority-boost.js";
import { eventually } from "../fixtures/eventually.js";
import { listeningLog } from "./fake-lane.js";

const spins = "for (;;);";
const shareMin = 0.2;

/** @param before words before it on the command line. */
function run(t: Test, code: string, ...before: string[]): ChildProcess {
	const [file = "", ...args] = [...before, process.execPath, "-e", code];
	const child = spawn(file, args, { stdio: ["ignore", "pipe", "ignore"] });
	t.teardown(() => child.kill("SIGKILL"));
	return child;
}

function policyOf(pid: number | undefined): string {
	const output = execFileSync("chrt", ["--pid", String(pid)], {
		encoding: "utf8",
	});
	return /policy: (\w+)/.exec(output)?.[1] ?? output;
}

async function untilIdle({ pid }: ChildProcess): Promise<void> {
	await eventually(
		`${pid} to run only when nobody else wants to`,
		() => policyOf(pid) === "SCHED_IDLE",
		{ seen: () => policyOf(pid) },
	);
}

t.test(
	"a process that hardly ran for long enough is boosted until its work is done",
	async (t) => {
		const engine = run(
			t,
			`const { spawn } = require("child_process");
		const child = spawn(process.execPath, ["-e", ${JSON.stringify(spins)}]);
		process.on("exit", () => child.kill("SIGKILL"));
		console.log(child.pid);
		setTimeout(() => { ${spins} }, 100);`,
			...["chrt", "--idle", "0"],
		);
		const helper = await new Promise<number>((resolve) =>
			engine.stdout?.once("data", (text) => resolve(Number(text))),
		);
		t.teardown(() => process.kill(helper, "SIGKILL"));
		const rests = run(t, spins, "chrt", "--idle", "0");
		await untilIdle(rests);
		for (let core = 0; core < 2 * availableParallelism(); core++) run(t, spins);

		const lines: string[] = [];
		const log = listeningLog(({ message }) => lines.push(message));
		let isBusy = true;
		const watch = (
			patienceMs: number,
			pid = engine.pid,
			busy = () => isBusy,
		) => {
			const patience = new PriorityBoost(
				{ boostAfterMs: patienceMs, shareMin },
				() => ({ pid, isBusy: busy() }),
				log,
			);
			t.teardown(() => patience.stop());
		};
		watch(500, rests.pid, () => false);
		watch(1000);
		await eventually("it to ask for its share", () => lines.length > 0);
		t.match(lines, [/raised the engine/]);
		t.equal(policyOf(engine.pid), "SCHED_OTHER");
		t.equal(policyOf(helper), "SCHED_OTHER", "with the programs it started");
		t.equal(
			policyOf(rests.pid),
			"SCHED_IDLE",
			"a process without work is not boosted",
		);

		isBusy = false;
		await untilIdle(engine);
		t.equal(lines.length, 1);
	},
);

t.test("a process that has exited meanwhile is not an error", async (t) => {
	const gone = run(t, "");
	await new Promise((over) => gone.once("exit", over));
	const lines: string[] = [];
	const patience = new PriorityBoost(
		{ boostAfterMs: 20, shareMin },
		() => ({ pid: gone.pid, isBusy: true }),
		listeningLog(({ message }) => lines.push(message)),
	);
	t.teardown(() => patience.stop());
	await eventually("it to ask for its share", () => lines.length > 0);
	t.match(lines, [/priority can.t be raised/]);
});
