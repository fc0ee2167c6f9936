/** Where a command can't write what it has to print. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import t from "tap";
import { main } from "./earshot.js";

t.test("a full disk behind the output is one sentence", async (t) => {
	const full = openSync("/dev/full", "w");
	t.teardown(() => closeSync(full));
	const { status, stderr } = spawnSync(
		process.execPath,
		[main, "text", "--lang", "zh", "三月五号"],
		{ stdio: ["ignore", full, "pipe"], encoding: "utf8" },
	);
	t.equal(status, 1);
	t.match(
		stderr,
		/^earshot: the output can't be written: ENOSPC[^\n]*: make room on the disk\n$/,
	);
});
