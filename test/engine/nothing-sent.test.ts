/** The library that runs models has a telemetry of its own: it must not come to life. It shows by what it keeps for sending. */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { repository } from "../e2e/running-appliance.js";

t.test("hearing leaves nothing behind that could be sent", async (t) => {
	const home = t.testdir();
	const temporary = join(home, "tmp");
	mkdirSync(temporary);
	const { PATH = "" } = process.env;
	await promisify(execFile)(
		process.execPath,
		[
			"build/runtime/main.js",
			...["transcribe", "--lang", "en", "models/whisper-base/probe.wav"],
		],
		{ cwd: repository, env: { PATH, HOME: home, TMPDIR: temporary } },
	);
	t.strictSame(readdirSync(home, { recursive: true }), ["tmp"]);
});
