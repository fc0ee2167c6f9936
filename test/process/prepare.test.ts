/** scripts/prepare on a machine whose Node is missing or too old: most boards, as their system comes. */
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { installRoot } from "../../runtime/config/install-root.js";
import { ended } from "../cli/earshot.js";

/** @param tools names of programs, and what they are as shell scripts. */
function prepareWith(t: Test, tools: Readonly<Record<string, string>>) {
	const folder = t.testdir();
	symlinkSync("/usr/bin/dirname", join(folder, "dirname"));
	for (const [name, script] of Object.entries(tools)) {
		writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
		chmodSync(join(folder, name), 0o755);
	}
	const words = [join(installRoot, "scripts/prepare")];
	return ended("/bin/bash", words, { PATH: folder });
}

const oldNode = 'case "$1" in --version) echo v18.20.4 ;; *) exit 1 ;; esac';

t.test("where Node is too old, it says how to get one", async (t) => {
	const tools = { node: oldNode, dpkg: "echo arm64" };
	const { code, out, err } = await prepareWith(t, tools);
	t.match([code, out], [1, ""]);
	t.match(err, /^earshot: Node v18\.20\.4 is too old.*20\.15 or newer/);
	t.match(err, /Debian 12, Raspberry Pi OS bookworm and Ubuntu 22\.04/);
	t.match(err, /archive of Node 20 for linux-arm64 from nodejs\.org/);
	t.match(err, /\.\/scripts\/build --deb --arch arm64$/m);
	t.match(err, /apt-get install \.\/earshot_VERSION_arm64\.deb$/m);
	t.notMatch(err, /https?:/, "no address that may move");
});

t.test("where there is none, too", async (t) => {
	const { code, err } = await prepareWith(t, { uname: "echo x86_64" });
	t.equal(code, 1);
	t.match(err, /^earshot: Node\.js is missing: .*20\.15 or newer/);
	t.match(err, /archive of Node 20 for linux-x64 from/);
	t.match(err, /--deb --arch x64$/m);
	t.match(err, /earshot_VERSION_amd64\.deb$/m);
});

t.test("a system of 32 bits can't run it at all", async (t) => {
	const { code, err } = await prepareWith(t, { dpkg: "echo armhf" });
	t.equal(code, 1);
	t.match(err, /this system is armhf; .* 64 bits \(x64 or arm64\)/);
	t.notMatch(err, /scripts\/build/);
});
