import { execFile } from "node:child_process";
import {
	copyFileSync,
	existsSync,
	readdirSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { configSections } from "../../runtime/config/schema.js";
import { repository } from "../e2e/running-appliance.js";

const run = promisify(execFile);
const folder = join(repository, "systemd");
const unit = readFileSync(join(folder, "earshot.service"), "utf8");
const page = readFileSync(join(repository, "docs/service.md"), "utf8");
const installed = existsSync("/usr/bin/systemd-analyze");
const skip = installed ? false : "systemd is not installed";
const isRoot = process.getuid?.() === 0;
const skipFolders = isRoot
	? false
	: "folders of other users are root's to make";
const exposureMax = 2;

interface Finding {
	readonly name: string;
	readonly exposure: string | null;
}

/** Settings of the unit that could be stricter; the exposure of the whole. */
async function examine(): Promise<{ open: Finding[]; overall: number }> {
	const path = join(folder, "earshot.service");
	const security = ["security", "--offline=true", "--no-pager"];
	const { stdout: json } = await run("systemd-analyze", [
		...security,
		"--json=short",
		path,
	]);
	const { stdout: text } = await run("systemd-analyze", [...security, path]);
	const findings = JSON.parse(json) as Finding[];
	return {
		open: findings.filter((it) => Number(it.exposure) > 0),
		overall: Number(/exposure level for \S+: ([\d.]+)/.exec(text)?.[1]),
	};
}

t.test("systemd finds nothing wrong with the units", { skip }, async (t) => {
	const dir = t.testdir();
	for (const name of readdirSync(folder).filter((it) => !it.endsWith(".conf")))
		copyFileSync(join(folder, name), join(dir, name));
	// the program is not installed here
	const here = unit.replace(/^ExecStart=\S+/m, "ExecStart=/bin/true");
	writeFileSync(join(dir, "earshot.service"), here);
	for (const name of readdirSync(dir)) {
		const { stdout, stderr } = await run("systemd-analyze", [
			...["verify", "--man=no", "--recursive-errors=no"],
			join(dir, name),
		]);
		t.equal(stdout + stderr, "", name);
	}
	await t.rejects(
		(async () => {
			writeFileSync(
				join(dir, "earshot.service"),
				`${here}Bogus=1\n[Nonsense]\n`,
			);
			const { stderr } = await run("systemd-analyze", [
				...["verify", "--man=no"],
				join(dir, "earshot.service"),
			]);
			throw new Error(stderr);
		})(),
		/Nonsense/,
		"a mistake would be found",
	);
});

t.test(
	"the service has no access that it does not need, and the page lists what it has",
	{ skip },
	async (t) => {
		const { open, overall } = await examine();
		t.ok(overall <= exposureMax, `exposure ${overall}`);
		const { stdout: version } = await run("systemd-analyze", ["--version"]);
		// other versions weigh differently
		if (!version.startsWith("systemd 252 ")) return;
		t.match(page, `The whole is ${overall} of 10`);
		for (const { name, exposure } of open)
			t.match(
				page.replaceAll("\\|", "|").replace(/ +/g, " "),
				`| \`${name}\` | ${exposure} |`,
			);
	},
);

t.test(
	"the unit has the other settings that protect the service",
	async (t) => {
		for (const line of [
			"Type=notify",
			"NotifyAccess=main",
			/^WatchdogSec=\d+s$/m,
			"LimitCORE=0",
			/^UnsetEnvironment=.*NODE_OPTIONS/m,
			"Restart=on-failure",
			"User=earshot",
		])
			t.match(unit, line);
		t.notMatch(unit, /^MemoryDenyWriteExecute=yes/m, "V8 dies of it");
	},
);

t.test(
	"every secret may come from the machine's credential store",
	async (t) => {
		let secrets = 0;
		for (const [section, settings] of Object.entries(configSections))
			for (const [name, setting] of Object.entries(settings)) {
				if (!("secret" in setting)) continue;
				secrets++;
				t.match(unit, `\nLoadCredential=earshot.${section}.${name}\n`);
			}
		t.ok(secrets > 0);
	},
);

/** An empty system: its users are those that the unit needs, and no others. @returns its root. */
async function systemWithUsers(t: Test): Promise<string> {
	const root = t.testdir({ etc: {} });
	writeFileSync(join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
	writeFileSync(join(root, "etc/group"), "root:x:0:\naudio:x:29:\n");
	await run("systemd-sysusers", [
		`--root=${root}`,
		join(folder, "sysusers.conf"),
	]);
	return root;
}

t.test(
	"the unit's user is created, in the group for sound",
	{ skip },
	async (t) => {
		const root = await systemWithUsers(t);
		const passwd = readFileSync(join(root, "etc/passwd"), "utf8");
		t.match(passwd, /^earshot:.*nologin$/m);
		const group = readFileSync(join(root, "etc/group"), "utf8");
		t.match(group, /^audio:.*earshot/m);
	},
);

t.test(
	"the unit's folders are created",
	{ skip: skip || skipFolders },
	async (t) => {
		const root = await systemWithUsers(t);
		await run("systemd-tmpfiles", [
			"--create",
			`--root=${root}`,
			join(folder, "tmpfiles.conf"),
		]);
		for (const path of ["etc/earshot/earshot.d", "var/lib/earshot"])
			t.ok(existsSync(join(root, path)), path);
	},
);

t.test(
	"every command of docs/service.md works as described",
	{ skip },
	async (t) => {
		const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(
			(block) =>
				(block[1] ?? "").split("\n").filter((line) => line.trim() !== ""),
		);
		t.equal(commands.length, 3);
		for (const command of commands) {
			const { stdout } = await run("bash", ["-c", command], {
				cwd: repository,
				env: { ...process.env, EARSHOT_STATE_DIR: t.testdirName },
			});
			t.ok(stdout.trim().length > 0, command);
		}
	},
);
