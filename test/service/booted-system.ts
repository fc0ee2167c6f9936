/**
 * A booted systemd with our units in it: this machine's own files in a container (systemd-nspawn over an overlay), so that nothing of the machine is changed.
 * Commands of a script run there as root; what each prints comes back. `EARSHOT_BIN` names another program to test than the checkout's.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repository } from "../e2e/running-appliance.js";

const run = promisify(execFile);
const nspawn = process.env.EARSHOT_NSPAWN ?? "/usr/bin/systemd-nspawn";

/** Why it can't run here; false if it can. */
export const cannotBoot: string | false =
	process.env.EARSHOT_BOOT !== "1"
		? "only with EARSHOT_BOOT=1: it boots a container"
		: process.getuid?.() !== 0
			? "only root may boot a container"
			: existsSync(nspawn)
				? false
				: `${nspawn} is not installed (systemd-container)`;

export interface BootedScript {
	/** Files in addition to the system's own: path in the container and content. */
	readonly files: Readonly<Record<string, string | Uint8Array>>;
	/** Names and shell commands, in order. */
	readonly steps: readonly (readonly [name: string, command: string])[];
}

/** @returns what each step printed, and its exit code. */
export async function inBootedSystem(
	script: BootedScript,
): Promise<Map<string, { text: string; code: number }>> {
	// not in /tmp: the container puts its own there
	const place = mkdtempSync("/var/tmp/earshot-boot-");
	const [root, upper, work] = ["root", "upper", "work"].map((name) => {
		mkdirSync(join(place, name));
		return join(place, name);
	}) as [string, string, string];
	const layers = `lowerdir=/,upperdir=${upper},workdir=${work}`;
	await run("mount", ["-t", "overlay", "overlay", "-o", layers, root]);
	try {
		furnish(root, script);
		await boot(root);
		return answers(root, script);
	} finally {
		await run("umount", ["-R", root]).catch(() => run("umount", ["-l", root]));
		rmSync(place, { recursive: true, force: true });
	}
}

function furnish(root: string, { files, steps }: BootedScript): void {
	const put = (path: string, content: string | Uint8Array, mode = 0o644) => {
		const there = join(root, path);
		mkdirSync(join(there, ".."), { recursive: true });
		writeFileSync(there, content);
		chmodSync(there, mode);
	};
	const units = join(repository, "systemd");
	for (const [from, to] of [
		["earshot.service", "usr/lib/systemd/system"],
		["earshot-microphone.target", "usr/lib/systemd/system"],
		["sysusers.conf", "usr/lib/sysusers.d/earshot.conf"],
		["tmpfiles.conf", "usr/lib/tmpfiles.d/earshot.conf"],
	] as const)
		copyFileSync(
			join(units, from),
			join(root, to.endsWith(".conf") ? to : join(to, from)),
		);
	const { EARSHOT_BIN } = process.env;
	const program =
		EARSHOT_BIN ??
		`${process.execPath} ${join(repository, "build/runtime/main.js")}`;
	put("usr/bin/earshot", `#!/bin/sh\nexec ${program} "$@"\n`, 0o755);
	put("etc/machine-id", "");
	for (const [path, content] of Object.entries(files)) put(path, content);
	const commands = steps.map(
		([name, command]) =>
			`(\n${command}\n) > /boot-test/${name} 2>&1; echo $? > /boot-test/${name}.code`,
	);
	put("boot-test/run", `#!/bin/bash\n${commands.join("\n")}\n`, 0o755);
	put(
		"etc/systemd/system/boot-test.service",
		`[Unit]
After=basic.target
[Service]
Type=oneshot
ExecStart=/boot-test/run
ExecStopPost=/bin/systemctl --no-block poweroff
`,
	);
	// nothing else of this machine is started
	put(
		"etc/systemd/system/boot-test.target",
		"[Unit]\nRequires=basic.target boot-test.service\nAfter=basic.target\nAllowIsolate=yes\n",
	);
}

async function boot(root: string): Promise<void> {
	const child = spawn(
		nspawn,
		[
			...["-D", root, "--boot", "--private-network", "--register=no"],
			...["--keep-unit", "--link-journal=no", "--console=pipe"],
			...["--machine=earshot-boot", "systemd.unit=boot-test.target"],
		],
		{
			stdio: ["ignore", "pipe", "pipe"],
			env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: "1" },
		},
	);
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (bytes: Buffer) => {
			output = (output + bytes).slice(-8192);
		});
	const [code] = await once(child, "exit");
	if (code !== 0)
		throw new Error(`the container ended with ${code}: ${output}`);
}

function answers(root: string, { steps }: BootedScript) {
	return new Map(
		steps.map(([name]) => {
			const path = join(root, "boot-test", name);
			if (!existsSync(path)) return [name, { text: "(not run)", code: -1 }];
			const code = existsSync(`${path}.code`)
				? Number(readFileSync(`${path}.code`, "utf8"))
				: -1;
			return [name, { text: readFileSync(path, "utf8"), code }];
		}),
	);
}
