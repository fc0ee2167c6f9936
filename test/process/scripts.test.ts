/** Scripts of a checkout that are called from another folder, or once more after one that was cut. */
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { installRoot } from "../../runtime/config/install-root.js";
import { type Ended, ended } from "../cli/earshot.js";

/**
 * A checkout with a folder beside it. What the script would call is pretended: each program writes down its words, and does what `tools` says.
 * @returns what calls the script from that folder.
 */
function checkoutWith(
	t: Test,
	script: string,
	tools: Readonly<Record<string, string>> = {},
) {
	const folder = t.testdir({
		bin: {},
		far: { away: {} },
		calls: "",
		cache: { "earshot-arm64": { qemu: {}, root: { lib: {} } } },
		"a checkout": {
			scripts: {},
			drivers: { onnx: { capi: { native: {} } } },
			packages: { site: { "package.json": "{}" } },
		},
	});
	const path = (name: string) => join(folder, name);
	for (const name of [script, "given-paths.sh"])
		copyFileSync(
			join(installRoot, "scripts", name),
			path(`a checkout/scripts/${name}`),
		);
	const make = (name: string, body: string) => {
		const text = `#!/bin/sh\nprintf '%s\\n' "$@" >>'${path("calls")}'\n${body}\n`;
		writeFileSync(path(name), text);
		chmodSync(path(name), 0o755);
	};
	make("a checkout/scripts/prepare", "exit 0");
	make("a checkout/drivers/onnx/capi/native/build", "exit 0");
	make("bin/node", "exit 0");
	for (const [name, body] of Object.entries(tools)) make(`bin/${name}`, body);
	const call = (...words: string[]): Promise<Ended> => {
		const command = `cd '${path("far/away")}' && exec '../../a checkout/scripts/${script}' "$@"`;
		return ended("/bin/bash", ["-c", command, "call", ...words], {
			PATH: `${path("bin")}:/usr/bin:/bin`,
			XDG_CACHE_HOME: path("cache"),
		});
	};
	const calls = () => readFileSync(path("calls"), "utf8").split("\n");
	return { call, calls, path };
}

t.test("paths are those of the folder that it is called from", async (t) => {
	const words = ["--out", "made", "--sign", "/etc/key", "--notes=new.txt"];
	for (const [script, given] of [
		["build", words],
		["build", ["--deb", ...words]],
		["container", ["--addon", "--out", "made"]],
		["container", ["--out=made"]],
		["screenshots", ["made", "live", "--behind", "prefix"]],
		["fetch-model", ["silero-vad", "--to", "made"]],
		["test-arm64", ["made"]],
		["test-arm64", ["--flavour", "glibc2.34", "made"]],
	] as const) {
		const { call, calls, path } = checkoutWith(t, script, {
			npm: ": >package.tgz",
			tar: "exit 0",
			sha256sum: "exit 0",
			"apt-cache": "exit 0",
			unshare: "exit 0",
		});
		const { code, err } = await call(...given);
		t.match([code, err], [0, /^(fetch-model.*\n)?$/], `${script} ${given}`);
		const made = calls().filter((it) => it.includes("made"));
		const wanted = made[0]?.startsWith("--out=") ? "--out=" : "";
		t.ok(made.length > 0);
		for (const it of made) t.equal(it, wanted + path("far/away/made"));
		const notes = calls().filter((it) => it.startsWith("--notes"));
		for (const it of notes) t.equal(it, `--notes=${path("far/away/new.txt")}`);
		t.notOk(calls().includes("--deb"), "which is the script's own");
	}
});

t.test("so is a package that is tried", async (t) => {
	const { call, calls, path } = checkoutWith(t, "test-deb", {
		debootstrap: "exit 0",
		mount: "exit 0",
		umount: "exit 0",
		id: "echo 0", // root
		cp: "exit 3", // the package, to the new system
	});
	for (const words of [["new.deb"], ["--flavour", "glibc2.34", "./new.deb"]])
		t.match(await call(...words), { code: 3, err: "" });
	const packages = calls().filter((it) => it.endsWith("/new.deb"));
	t.same(packages, [path("far/away/new.deb"), path("far/away/new.deb")]);
});

t.test("how it is used is said there, too", async (t) => {
	for (const [script, word] of [
		["build", "--help"],
		["container", "--help"],
		["fetch-model", "--help"],
		["bench", "--help"],
		["site", "--help"],
	] as const) {
		const { out, err } = await checkoutWith(t, script).call(word);
		t.match(out + err, /Usage: scripts\//, script);
	}
});

t.test("what was cut while it was installed is installed anew", async (t) => {
	// npm makes the folder first, and the program in it last
	const npm = `mkdir -p packages/site/node_modules/vitepress
[ -e ../far/away/again ] || exit 1
mkdir -p packages/site/node_modules/.bin
printf 'exit 0' >packages/site/node_modules/.bin/vitepress
chmod +x packages/site/node_modules/.bin/vitepress`;
	const { call, calls, path } = checkoutWith(t, "site", { npm });
	t.equal((await call()).code, 1);
	writeFileSync(path("far/away/again"), "");
	t.match(await call(), { code: 0, err: "" });
	const installations = () => calls().filter((it) => it === "install").length;
	t.equal(installations(), 2);
	t.equal((await call()).code, 0);
	t.equal(installations(), 2, "and only then");
});
