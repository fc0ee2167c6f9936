/** What a terminal is left with by a command that was stopped while it showed a progress bar. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { installRoot } from "../../runtime/config/install-root.js";

const cli = join(installRoot, "build", "runtime", "cli");
const hidden = "\x1b[?25l";
const shown = "\x1b[?25h";

/** Runs these lines as a program whose standard error is a terminal. */
async function onTerminal(lines: string, environment: NodeJS.ProcessEnv = {}) {
	const program = `
		import { openProgress } from ${JSON.stringify(join(cli, "progress.js"))};
		import { openScratchFolder } from ${JSON.stringify(join(cli, "scratch-folder.js"))};
		process.stderr.isTTY = true;
		const waiting = setInterval(() => {}, 1000);
		${lines}`;
	const env = { ...process.env, TERM: "xterm", ...environment };
	const ran = promisify(execFile)(
		process.execPath,
		["--input-type=module", "--eval", program],
		{ env },
	);
	const ended = await ran.then(
		({ stderr }) => ({ code: 0, signal: null, stderr }),
		({ code, signal, stderr }) => ({ code, signal, stderr }),
	);
	return {
		ended: ended.signal ?? ended.code,
		hides: ended.stderr.includes(hidden),
		restores:
			ended.stderr.lastIndexOf(shown) > ended.stderr.lastIndexOf(hidden) &&
			ended.stderr.lastIndexOf("\x1b[?7h") >
				ended.stderr.lastIndexOf("\x1b[?7l"),
	};
}

t.test("a stop leaves cursor and line wrap as they were", async (t) => {
	const stop = `process.kill(process.pid, "SIGINT");`;
	t.same(
		await onTerminal(`openProgress("measuring", 1); ${stop}`),
		{ ended: "SIGINT", hides: true, restores: true },
		"where nothing else waits for the signal",
	);
	t.same(
		await onTerminal(
			`process.once("SIGINT", () => {
				bar.advance(1);
				setImmediate(() => process.exit(3));
			});
			const bar = openProgress("adding", 1); ${stop}`,
		),
		{ ended: 3, hides: true, restores: true },
		"where the command ends by itself",
	);
	t.same(
		await onTerminal(`openProgress("taking", 1); process.exit(1);`),
		{ ended: 1, hides: true, restores: true },
		"at an error that nobody expected",
	);
});

t.test("no bar on a terminal without cursor movement", async (t) => {
	t.same(
		await onTerminal(
			`openProgress("measuring", 1).close(); clearInterval(waiting);`,
			{ TERM: "dumb" },
		),
		{ ended: 0, hides: false, restores: false },
	);
});

t.test("a stop removes the folder of an engine", async (t) => {
	const folder = t.testdir();
	t.same(
		await onTerminal(
			`openScratchFolder(); openProgress("measuring", 1);
			process.kill(process.pid, "SIGTERM");`,
			{ TMPDIR: folder },
		),
		{ ended: 143, hides: true, restores: true },
	);
	t.same(readdirSync(folder), []);
});
