/** What the Debian package does with a running systemd. Every program that the scripts use is a pretended one: they touch nothing of this machine. */
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { maintainerScripts } from "../../scripts/executable/debian/scripts.js";

const service = "earshot.service";
const target = "earshot-microphone.target";
const programs = ["adduser", "deluser", "getent", "install", "rm"];

interface Machine {
	readonly enabled?: readonly string[];
	readonly active?: readonly string[];
	/** Files beside the program. */
	readonly left?: Readonly<Record<string, string>>;
}

/** @returns what was asked of systemctl, and what was removed. */
function run(
	t: Test,
	script: string,
	words: readonly string[],
	{ enabled = [], active = [], left = {} }: Machine = {},
) {
	const wants = {
		"multi-user.target.wants": { [service]: "" },
		"sound.target.wants": { [target]: "" },
	};
	const dir = t.testdir({
		bin: {},
		usr: left,
		systemd: {},
		calls: "",
		removed: "",
		etc: wants,
	});
	const pretend = (name: string, body: string) => {
		const path = join(dir, "bin", name);
		writeFileSync(path, `#!/bin/sh\n${body}\n`);
		chmodSync(path, 0o755);
	};
	for (const name of [...programs, "systemd-sysusers"]) pretend(name, ":");
	pretend("rm", `echo "$*" >> ${dir}/removed`);
	const among = (units: readonly string[]) =>
		`for unit in ${units.join(" ")}; do [ "$unit" != "$3" ] || exit 0; done; exit 3`;
	pretend(
		"systemctl",
		`case "$1" in
is-enabled) ${among(enabled)} ;;
is-active) ${among(active)} ;;
try-restart) echo "$*" >> ${dir}/calls; exit 1 ;; # as for a unit that is masked
*) echo "$*" >> ${dir}/calls ;;
esac`,
	);
	const text = (maintainerScripts[script] ?? "exit 9")
		.replaceAll("/run/systemd/system", join(dir, "systemd"))
		.replaceAll("/etc/systemd/system", join(dir, "etc"))
		.replaceAll("/usr/bin", join(dir, "usr"));
	const { status, stderr } = spawnSync(
		"/bin/sh",
		["-c", text, script, ...words],
		{ env: { PATH: join(dir, "bin") }, encoding: "utf8" },
	);
	t.strictSame([status, stderr], [0, ""]);
	const linesOf = (name: string) =>
		readFileSync(join(dir, name), "utf8").split("\n").slice(0, -1);
	return { calls: linesOf("calls"), removed: linesOf("removed").join(" ") };
}

t.test("the first installation enables and starts the service", async (t) => {
	const { calls } = run(t, "postinst", ["configure", ""], {
		enabled: [service],
	});
	t.strictSame(calls, [
		"daemon-reload",
		`enable --quiet ${service}`,
		`restart --no-block ${service}`,
	]);
});

t.test(
	"an upgrade restarts a service that its target or a person started",
	async (t) => {
		const upgrade = ["configure", "0.1.0"];
		t.strictSame(run(t, "postinst", upgrade, { enabled: [service] }).calls, [
			"daemon-reload",
			`restart --no-block ${service}`,
		]);
		t.strictSame(run(t, "postinst", upgrade).calls, [
			"daemon-reload",
			`try-restart --no-block ${service}`,
		]);
	},
);

t.test(
	"installed again after a removal, what was enabled is started",
	async (t) => {
		const { calls } = run(t, "prerm", ["remove"]);
		t.strictSame(calls, [`stop ${service} ${target}`], "nothing is disabled");
		t.notMatch(run(t, "postrm", ["remove"]).removed, /systemd/);
		const again = ["configure", "0.1.0"];
		const enabled = [target];
		t.strictSame(
			run(t, "postinst", again, { enabled, active: ["sound.target"] }).calls,
			[
				"daemon-reload",
				`try-restart --no-block ${service}`,
				`start --no-block ${target}`,
			],
		);
		t.notMatch(
			run(t, "postinst", again, { enabled }).calls.join("\n"),
			/^start/m,
			"without a sound card sound.target starts it later",
		);
	},
);

t.test("an upgrade does not stop the service beforehand", async (t) => {
	t.strictSame(run(t, "prerm", ["upgrade", "0.2.0"]).calls, []);
});

t.test("a removal takes what updates left, also killed ones", async (t) => {
	const names = [
		...["attempt", "earlier", "next", "previous", "refused", "lock"],
		...["attempt.0123abcd", "refused.0123abcd", "previous.new"],
	].map((it) => `earshot.${it}`);
	const left = Object.fromEntries(
		[...names, ".earshot-0123456789abcdef.part"].map((it) => [it, ""]),
	);
	const { removed } = run(t, "postrm", ["remove"], { left });
	const paths = removed.split(" ").map((it) => it.split("/usr/").at(-1));
	for (const name of Object.keys(left))
		t.ok(paths.includes(name), `${name} in ${removed}`);
});

t.test("a purge removes what was enabled", async (t) => {
	const { removed } = run(t, "postrm", ["purge"]);
	t.match(removed, `/etc/multi-user.target.wants/${service}`);
	t.match(removed, `/etc/sound.target.wants/${target}`);
});
