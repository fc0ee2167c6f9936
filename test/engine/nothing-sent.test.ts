/** The library that runs models contains telemetry, which must stay off. If it were on, it would store data to send. */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { repository } from "../e2e/running-appliance.js";

t.test("recognition leaves no data behind that could be sent", async (t) => {
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
