/** scripts/prepare on machines that lack what it needs: most boards, as their system comes. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	copyFileSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import t, { type Test } from "tap";
import { installRoot } from "../../runtime/config/install-root.js";
import { ended } from "../cli/earshot.js";

/** @param tools names of programs, and what they are as shell scripts. */
function prepareWith(
	t: Test,
	tools: Readonly<Record<string, string>>,
	...packages: readonly string[]
) {
	const folder = t.testdir();
	for (const name of ["dirname", "grep", "sort", "mktemp", "cat", "rm"])
		symlinkSync(`/usr/bin/${name}`, join(folder, name));
	for (const [name, script] of Object.entries(tools)) {
		writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
		chmodSync(join(folder, name), 0o755);
	}
	const words = [join(installRoot, "scripts/prepare")];
	return ended("/bin/bash", [...words, ...packages], { PATH: folder });
}

const oldNode = "echo v18.20.4";

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

const bare = {
	node: "echo v20.15.0",
	ldconfig: "exit 0", // no library at all
	"apt-cache": "exit 100", // it has no lists: the machine was never updated
	dpkg: "exit 1",
	cmp: "exit 1",
	sudo: "exit 1",
};

t.test(
	"on a machine without lists of packages it asks for the ALSA that the system has",
	async (t) => {
		for (const [glibc, alsa] of [
			["2.35", "libasound2"],
			["2.36", "libasound2"],
			["2.39", "libasound2t64"],
			["2.41", "libasound2t64"],
		] as const) {
			const tools = {
				...bare,
				id: "echo 1000",
				getconf: `echo glibc ${glibc}`,
			};
			await t.test(glibc, async (t) => {
				const { code, err } = await prepareWith(t, tools);
				t.equal(code, 1);
				t.ok(
					err.endsWith(
						`    sudo apt-get update && sudo apt-get install -y --no-install-recommends ffmpeg ${alsa}\n`,
					),
					err,
				);
			});
		}
	},
);

const ready = {
	...bare,
	ffmpeg: "exit 0",
	ffprobe: "exit 0",
	ldconfig: "echo libasound.so.2",
	id: "echo 0",
};

t.test("a package that the system does not have costs no other", async (t) => {
	const asked = join(t.testdirName, "asked");
	const tools = {
		...ready,
		"apt-get": `case "$*" in *chromium*) exit 100 ;; esac; echo "$*" >>${asked}`,
	};
	const wanted = ["chromium", "mosquitto", "python3-venv"];
	await prepareWith(t, tools, ...wanted);
	const installed = readFileSync(asked, "utf8").match(/[^ \n]+$/gm);
	t.same(installed, ["-qq", "mosquitto", "python3-venv"]);
});

t.test("a package that was removed is not there", async (t) => {
	const asked = join(t.testdirName, "asked");
	const tools = {
		...ready,
		dpkg: `case "$2" in
removed) echo "Status: deinstall ok config-files" ;;
broken) echo "Status: install ok half-installed" ;;
held) echo "Status: hold ok installed" ;;
*) echo "Status: install ok installed" ;;
esac`,
		"apt-get": `echo "$*" >>${asked}`,
	};
	await prepareWith(t, tools, "removed", "there", "broken", "held");
	t.match(readFileSync(asked, "utf8"), /recommends removed broken\n/);
});

t.test("where Node came without npm, it says so", async (t) => {
	const { code, err } = await prepareWith(t, ready);
	t.equal(code, 1);
	t.match(err, /^earshot: npm is missing\. .*sudo apt-get install npm$/m);
});

/** @returns once its standard error has one of the words. @throws if it ends without */
async function hasSaid(child: ChildProcess, words: RegExp): Promise<string> {
	let said = "";
	const texts = child.stderr?.iterator({ destroyOnReturn: false }) ?? [];
	for await (const text of texts) {
		said += text;
		const [found] = words.exec(said) ?? [];
		if (found !== undefined) return found;
	}
	throw new Error(`it said only ${said}`);
}

/** A checkout that is built, whose `npm` and `apt-get install` go on until they are released. */
function slowCheckout(t: Test) {
	const folder = t.testdir({ bin: {}, scripts: {}, build: {} });
	for (const name of ["runtime", "drivers", "test", "node_modules"])
		mkdirSync(join(folder, name));
	for (const name of ["package-lock.json", "tsconfig.json", "build/.stamp"])
		writeFileSync(join(folder, name), "{}");
	const script = join(folder, "scripts/prepare");
	copyFileSync(join(installRoot, "scripts/prepare"), script);
	const old = new Date(0);
	for (const name of [script, "package-lock.json", "tsconfig.json", "scripts"])
		utimesSync(resolve(folder, name), old, old);
	const fifo = join(folder, "release");
	execFileSync("mkfifo", [fifo]);
	const npm = `echo once >>${folder}/installed; echo installing >&2
read line <${fifo}`;
	const apt = `case "$*" in *install*) read line <${fifo} ;; esac`;
	const cmp = 'exec /usr/bin/cmp "$@"';
	const tools = { ...ready, npm, cmp, "apt-get": apt };
	for (const [name, body] of Object.entries(tools))
		writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${body}\n`, {
			mode: 0o755,
		});
	return {
		begin: (...packages: readonly string[]) => {
			const child = spawn("/bin/bash", [script, ...packages], {
				stdio: ["ignore", "inherit", "pipe"],
				env: { PATH: `${folder}/bin:/usr/bin:/bin` },
			});
			t.teardown(() => child.kill("SIGKILL"));
			return { child, ended: once(child, "exit") };
		},
		release: () => writeFileSync(fifo, "go on\n"),
		/** After the build. */
		touch: (name: string) => {
			const later = new Date(Date.now() + 60_000);
			writeFileSync(join(folder, name), "");
			utimesSync(join(folder, name), later, later);
		},
		installed: () => readFileSync(join(folder, "installed"), "utf8"),
		hasPackages: () =>
			copyFileSync(
				join(folder, "package-lock.json"),
				join(folder, "node_modules/.earshot-installed.json"),
			),
	};
}

const installingOrWaiting = /^installing$|waiting for it$/m;

t.test("a second one waits until the first has installed", async (t) => {
	const { begin, release, installed } = slowCheckout(t);
	const first = begin();
	await hasSaid(first.child, /^installing$/m);
	const second = begin();
	t.equal(await hasSaid(second.child, installingOrWaiting), "waiting for it");
	release();
	t.same(await first.ended, [0, null]);
	t.same(await second.ended, [0, null]);
	t.equal(installed(), "once\n");
});

t.test("also for what one that was killed has started", async (t) => {
	const { begin, release, installed } = slowCheckout(t);
	const first = begin();
	await hasSaid(first.child, /^installing$/m);
	first.child.kill("SIGKILL");
	await first.ended;
	const second = begin();
	t.equal(await hasSaid(second.child, installingOrWaiting), "waiting for it");
	release();
	await hasSaid(second.child, /^installing$/m);
	release();
	t.same(await second.ended, [0, null]);
	t.equal(installed(), "once\nonce\n");
});

t.test("one that needs nothing waits for nobody", async (t) => {
	const { begin, release, hasPackages } = slowCheckout(t);
	hasPackages();
	const first = begin("chromium");
	await hasSaid(first.child, /installing chromium$/m);
	const second = begin();
	await t.rejects(hasSaid(second.child, /./), { message: "it said only " });
	t.same(await second.ended, [0, null]);
	release();
	t.same(await first.ended, [0, null]);
});

for (const name of ["icon.svg", "app.webmanifest"])
	t.test(`the console is built again for its ${name}`, async (t) => {
		const { begin, hasPackages, touch } = slowCheckout(t);
		hasPackages();
		touch(`runtime/${name}`);
		const { child, ended } = begin();
		t.equal(await hasSaid(child, /building$/m), "building");
		t.not((await ended)[0], 0, "there is no compiler here");
	});
