/**
 * `earshot update` on the real executable, with a server that is restarted whenever it ends. Other versions are the same file with a few bytes changed. The
 * short variant is part of the suite; EARSHOT_UPDATE=1 also tests the broken versions and kills (a few minutes).
 */
import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { builtExecutable } from "../executable/built-executable.js";
import { eventually } from "../fixtures/eventually.js";
import { holds } from "../fuzz/holds.js";
import { exits, hangs, isNeverWell, version } from "./altered-executable.js";
import { Device } from "./device.js";
import { killsLeaveItWhole } from "./kills.property.js";
import { newSigner } from "./minisign-writer.js";

const isLong = process.env.EARSHOT_UPDATE === "1";
if (isLong) t.setTimeout(1_800_000);
const built = await builtExecutable();
const skip = typeof built === "string" ? built : false;
const path = typeof built === "string" ? "" : built.path;
const longSkip =
	skip || (isLong ? false : "only with EARSHOT_UPDATE=1: it takes minutes");

async function device(t: Test): Promise<Device> {
	const made = await Device.of(path);
	t.teardown(() => made.dispose());
	return made;
}

t.test(
	"a broken version is rolled back automatically; a newer one is accepted",
	{ skip },
	async (t) => {
		const earshot = await device(t);
		const bad = earshot.offer("0.3.0", [version("0.3.0"), exits]);
		const failed = await earshot.update("--from", bad, ...earshot.restart);
		t.equal(failed.code, 1);
		t.match(
			failed.stderr,
			/^earshot: 0\.3\.0 was rolled back: .* within 5 s .*; 0\.1\.0 runs again\n$/,
		);
		t.strictSame(earshot.beside(), [".refused"]);
		const again = await earshot.update("--from", bad);
		t.match(again, { code: 1, stderr: /was tried and rolled back.*--again/ });
		const next = earshot.offer("0.2.0", [version("0.2.0")]);
		const checked = await earshot.update("--from", next, "--check");
		t.match(
			checked.stdout,
			/is 0\.2\.0 for x64.*installed is 0\.1\.0: it would be/,
		);
		earshot.patience = 240;
		const done = await earshot.update("--from", next, ...earshot.restart);
		t.equal(done.code, 0, done.stderr);
		t.match(done.stdout, /0\.2\.0 is healthy; 0\.1\.0 is kept/);
		t.strictSame(earshot.beside(), [".previous", ".refused"]);
		t.match(
			await earshot.update("--from", next),
			{ code: 0, stdout: /nothing newer than 0\.2\.0/ },
			"the same once more",
		);
	},
);

t.test(
	"a server that was not restarted starts its processes from its own version",
	{ skip },
	async (t) => {
		const earshot = await device(t);
		earshot.startServer();
		await earshot.untilHealthy();
		const next = earshot.offer("0.2.0", [version("0.2.0")]);
		const done = await earshot.update("--from", next, "--no-restart");
		t.match(done, { code: 0, stdout: /tried at the next start/ }, done.stderr);
		t.equal(await earshot.version(), "0.2.0");
		const first = await eventually("its engine", () => earshot.engine());
		process.kill(first.pid, "SIGKILL");
		const second = await eventually("another engine", () => {
			const found = earshot.engine();
			return found?.pid !== first.pid && found;
		});
		t.match(second, {
			inode: statSync(`${earshot.program}.previous`).ino,
			name: earshot.program,
		});
		await earshot.untilHealthy();
	},
);

t.test(
	"a release without a trusted signature is refused",
	{ skip },
	async (t) => {
		const earshot = await device(t);
		const theirs = earshot.offer("0.2.0", [], newSigner());
		t.match(await earshot.update("--from", theirs), {
			code: 1,
			stderr: /^earshot: it was signed with the key [0-9A-F]{16}; trusted are/,
		});
		const old = earshot.offer("0.0.9", []);
		t.match(await earshot.update("--from", old), {
			code: 0,
			stdout: /nothing newer/,
		});
		t.strictSame(earshot.beside(), []);
	},
);

t.test(
	"an old program under a new name is detected",
	{ skip: longSkip },
	async (t) => {
		const earshot = await device(t);
		const liar = earshot.offer("0.5.0", [version("0.0.8")]);
		t.match(await earshot.update("--from", liar), {
			code: 1,
			stderr: /comment says 0\.5\.0 .* the file is 0\.0\.8/,
		});
		t.equal(await earshot.version(), "0.1.0");
		t.strictSame(earshot.beside(), []);
	},
);

t.test(
	"an older version is accepted on request",
	{ skip: longSkip },
	async (t) => {
		const earshot = await device(t);
		earshot.patience = 60;
		const old = earshot.offer("0.0.9", [version("0.0.9")]);
		earshot.startServer();
		await earshot.untilHealthy();
		const { code, stderr } = await earshot.update(
			"--from",
			old,
			"--allow-downgrade",
		);
		t.equal(code, 0, stderr);
		t.equal(await earshot.version(), "0.0.9");
		const back = await earshot.update("--rollback");
		t.match(back, { code: 0, stdout: /0\.1\.0 is healthy; 0\.0\.9 is kept/ });
		t.equal(await earshot.version(), "0.1.0");
	},
);

for (const [name, how] of [
	["hangs", hangs],
	["is never healthy", isNeverWell],
] as const)
	t.test(`one that ${name} is rolled back`, { skip: longSkip }, async (t) => {
		const earshot = await device(t);
		const bad = earshot.offer("0.2.0", [version("0.2.0"), how]);
		earshot.startServer();
		await earshot.untilHealthy();
		const { code, stderr } = await earshot.update("--from", bad);
		t.equal(code, 1);
		t.match(stderr, /0\.2\.0 was rolled back/);
		t.equal(await earshot.version(), "0.1.0");
	});

t.test(
	"if the updater dies as well, the starts decide",
	{ skip: longSkip },
	async (t) => {
		for (const [how, ends] of [
			[isNeverWell, "0.1.0"],
			[undefined, "0.2.0"],
		] as const) {
			const earshot = await device(t);
			const changes = [version("0.2.0"), ...(how ? [how] : [])];
			earshot.patience = how ? 5 : 60;
			const next = earshot.offer("0.2.0", changes);
			earshot.startServer();
			await earshot.untilHealthy();
			const { child, ended } = earshot.begin(["--from", next]);
			await eventually(
				"the new version to be in place, to be tried",
				async () =>
					existsSync(`${earshot.program}.attempt`) &&
					(await earshot.version()) === "0.2.0",
			);
			child.kill("SIGKILL");
			await ended;
			await promisify(execFile)("sh", [
				"-c",
				`kill $(cat "${earshot.dir}/pid") || true`,
			]);
			await earshot.untilSettled();
			t.equal(await earshot.version(), ends);
			await earshot.untilHealthy();
		}
	},
);

t.test(
	"killed at any point",
	{ skip: longSkip, timeout: 1_800_000 },
	async (t) => {
		await holds(t, killsLeaveItWhole(path), 2);
	},
);
