/** scripts/build hands its words to two programs, of which the second begins when the first has built for minutes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { installRoot } from "../../runtime/config/install-root.js";
import { ended } from "../cli/earshot.js";

const programs = ["build-executable.js", "debian/build-deb.js"];

t.test("every option of scripts/build is one of both programs", async (t) => {
	const [usage = ""] =
		/^# Usage: .*$/m.exec(readFileSync("scripts/build", "utf8")) ?? [];
	const options = [...usage.matchAll(/--[a-z-]+(?= [A-Zxg])/g)].flat();
	t.ok(options.includes("--notes"), usage);
	// for a processor that does not exist nothing is built
	const words = options.flatMap((it) =>
		it === "--arch" ? [it, "none"] : [it, join(t.testdir(), it)],
	);
	for (const program of programs) {
		const path = join(installRoot, "build/scripts/executable", program);
		const { code, err } = await ended(process.execPath, [path, ...words], {});
		t.equal(code, 1);
		t.match(err, /--arch must be one of|linux-none.* is missing/, program);
	}
});
