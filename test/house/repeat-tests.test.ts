/** scripts/repeat-tests: one line for each run, and no run after one that failed. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import t from "tap";
import { eventually } from "../fixtures/eventually.js";

const script = resolve(import.meta.dirname, "../../../scripts/repeat-tests");
const edits = "test/text/edits.test.ts";

interface Ran {
	readonly code: number;
	readonly out: string;
	readonly err: string;
}

const repeat = (...words: readonly string[]) =>
	new Promise<Ran>((done) =>
		execFile(script, words, (error, out, err) =>
			done({ code: error ? Number(error.code) : 0, out, err }),
		),
	);

t.test(
	"each run has a line in the log, and one in four is beside others, also of a series that goes on",
	async (t) => {
		const log = join(t.testdir(), "deep/runs.log");
		const words = ["5", "--from", "4", "--busy", "1", "--log", log, edits];
		const { code, out } = await repeat(...words);
		t.equal(code, 0, out);
		t.equal(readFileSync(log, "utf8"), out, "shown as they come, too");
		const line = (run: number, busy: number) =>
			new RegExp(
				`^run ${run} of 5, [0-9a-f]{7,}(-dirty)?, 20\\d\\d-\\S+Z, \\d+ s, beside ${busy} busy processes, load [\\d. ]+: 8 passed, 0 failed$`,
			);
		const [first = "", second = "", ...others] = out.split("\n");
		t.match(first, line(4, 0));
		t.match(second, line(5, 1));
		t.same(others, [""]);
	},
);

t.test("the first failure is the end, and its output stays", async (t) => {
	const log = join(t.testdir(), "runs.log");
	const { code, out, err } = await repeat(
		"3",
		"--log",
		log,
		"test/none.test.ts",
	);
	t.equal(code, 1);
	t.match(out, /^run 1 of 3, .*: 1 passed, 1 failed\n$/);
	t.match(err, /run 1 failed; what it wrote: \S+runs\.log\.output/);
	t.match(readFileSync(`${log}.output`, "utf8"), /Cannot find module/);
});

t.test("a stop ends the run under way, too", async (t) => {
	const log = join(t.testdir(), "runs.log");
	const many = Array<string>(60).fill(edits); // a minute's work
	const child = spawn(script, ["2", "--log", log, ...many], {
		env: { ...process.env, EARSHOT_TEST_SERIES: log },
		stdio: "ignore",
	});
	await eventually("the run to begin", () =>
		commandsWith(log).some((it) => it.includes("run-tests.js")),
	);
	child.kill();
	t.same(await once(child, "close"), [143, null]);
	await eventually("its processes to end", () => {
		return commandsWith(log).length === 0;
	});
	t.notMatch(readFileSync(`${log}.output`, "utf8"), / passed, /);
});

t.test("what is no number of runs is refused", async (t) => {
	for (const words of [
		[],
		["0"],
		["x"],
		["2", "--busy"],
		["2", "--from", "0"],
		["2", "--often"],
	])
		t.match(await repeat(...words), { code: 2, err: /^usage: / });
});

/** Commands of the processes that have a text in their environment. */
function commandsWith(text: string): string[] {
	return readdirSync("/proc").flatMap((pid) => {
		try {
			const isOne = readFileSync(`/proc/${pid}/environ`).includes(text);
			return isOne ? readFileSync(`/proc/${pid}/cmdline`, "utf8") : [];
		} catch {
			return []; // no process, or one that has ended
		}
	});
}
