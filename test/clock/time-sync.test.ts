/** The sources for whether the clock is synchronised, their order, and which answers count. */
import { chmodSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { kernelSynchronised } from "../../drivers/clock/kernel-clock.js";
import { openTimeSync } from "../../drivers/clock/time-sync.js";

const silent = () => undefined;
/** No machine is as slow: a command that is cut off has no answer. */
const commandMsMax = 240_000;

function sources(t: Test, answer: string) {
	const folder = t.testdir({ touched: "", requests: "" });
	const command = join(folder, "timedatectl");
	const requests = join(folder, "requests");
	writeFileSync(command, `#!/bin/sh\necho "$@" >> ${requests}\n${answer}\n`);
	chmodSync(command, 0o755);
	return { file: join(folder, "touched"), command, requests, folder };
}

t.test("the kernel answers, or reports that it can't", async (t) => {
	// true or false as the machine is; undefined in a sandbox
	t.match(String(kernelSynchronised()), /^(?:true|false|undefined)$/);
	for (const kernel of [true, false]) {
		const sync = openTimeSync({ kernel: () => kernel, command: "/nowhere" });
		t.equal(await sync(), kernel);
	}
});

t.test("timesyncd's file counts while it is fresh", async (t) => {
	const { file } = sources(t, "exit 1");
	const sync = openTimeSync({ kernel: silent, file, command: "/nowhere" });
	t.equal(await sync(), true);
	for (const hours of [-2, 2, 24 * 365]) {
		const then = new Date(Date.now() + hours * 3_600_000);
		utimesSync(file, then, then);
		t.equal(
			await sync(),
			undefined,
			`the clock was set by ${hours} hours since`,
		);
	}
});

t.test("timedatectl is asked last, and not every minute", async (t) => {
	for (const [answer, wanted] of [
		["echo yes", true],
		["echo no", false],
		["echo", undefined],
		["echo yes; exit 1", undefined],
	] as const) {
		const { command, folder } = sources(t, answer);
		const file = join(folder, "none");
		const sync = openTimeSync({ kernel: silent, file, command, commandMsMax });
		t.equal(await sync(), wanted, answer);
		t.equal(await sync(), wanted, answer);
		t.equal(
			readFileSync(join(folder, "requests"), "utf8"),
			"show --property=NTPSynchronized --value\n",
		);
		t.equal(await sync(true), wanted, "but for when the clock was set");
		t.equal(
			readFileSync(join(folder, "requests"), "utf8").split("\n").length,
			3,
		);
	}
	const file = "/nowhere/touched";
	const sync = openTimeSync({ kernel: silent, file, command: "/nowhere" });
	t.equal(await sync(), undefined, "unknown");
});
