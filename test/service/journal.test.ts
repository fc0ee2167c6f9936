import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";

const program = `
	import { createLogger } from ${JSON.stringify(join(import.meta.dirname, "../../runtime/log/log.js"))};
	const log = createLogger({ level: "trace", pretty: "auto" });
	for (const level of ["fatal", "error", "warn", "info", "debug", "trace"]) log[level]({ level_: level }, "said");
	log.child({ request: "1" }).warn("by a child");
`;
const args = ["--input-type=module", "-e", program];

t.test("lines have their priority if the output is the journal", async (t) => {
	const path = join(t.testdir(), "journal");
	const file = openSync(path, "w");
	const { dev, ino } = statSync(path, { bigint: true });
	const child = spawn(process.execPath, args, {
		stdio: ["ignore", file, "inherit"],
		env: { ...process.env, JOURNAL_STREAM: `${dev}:${ino}` },
	});
	await once(child, "exit");
	const lines = readFileSync(path, "utf8").trim().split("\n");
	t.same(
		lines.map((line) => line.slice(0, 3)),
		["<2>", "<3>", "<4>", "<6>", "<7>", "<7>", "<4>"],
	);
	for (const line of lines)
		t.match(JSON.parse(line.slice(3)).msg, /said|child/);
});

t.test("other outputs get no priority, whatever is inherited", async (t) => {
	const { stdout } = await promisify(execFile)(process.execPath, args, {
		env: { ...process.env, JOURNAL_STREAM: "8:12345" },
	});
	for (const line of stdout.trim().split("\n")) t.ok(JSON.parse(line));
});
