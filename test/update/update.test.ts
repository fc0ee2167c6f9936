/**
 * `earshot update` on the real executable, with a server that is started again whenever it ends. Other versions are the same file with a few bytes changed.
 * The short way is in the suite; EARSHOT_UPDATE=1 tries the broken versions and kills as well (a few minutes), EARSHOT_SEED repeats its kills.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import {
	copyFileSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { repository } from "../e2e/running-appliance.js";
import { builtExecutable } from "../executable/built-executable.js";
import {
	type Change,
	exits,
	hangs,
	isNeverWell,
	offerOf,
	version,
} from "./altered-executable.js";
import { newSigner, type Signer } from "./minisign-writer.js";

const isLong = process.env.EARSHOT_UPDATE === "1";
t.setTimeout(isLong ? 1_800_000 : 300_000); // of the whole file, on a machine that is busy with other tests
const built = await builtExecutable();
const skip = typeof built === "string" ? built : false;
const path = typeof built === "string" ? "" : built.path;
t.teardown(() => typeof built !== "string" && built.remove());
const longSkip =
	skip || (isLong ? false : "only with EARSHOT_UPDATE=1: it takes minutes");
const signer = newSigner();

interface Ended {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** A device: the program in a folder of its own, and somebody who starts its server whenever it ends. */
class Device {
	readonly dir = mkdtempSync(join(tmpdir(), "earshot-update-"));
	readonly program = join(this.dir, "bin-earshot");
	readonly url: string;
	/** Seconds for a version to become healthy. */
	patience = 5;
	/**
	 * Ends the server if there is one, and starts it: for a device where nobody else does. The one before has gone when its lock has (its process may stay as
	 * a zombie); ten seconds of that at most, since one that was killed leaves it behind.
	 */
	readonly restart: readonly string[];
	readonly #environment: NodeJS.ProcessEnv;
	#supervisor: ChildProcess | undefined;

	constructor(port: number) {
		this.url = `http://127.0.0.1:${port}`;
		const pid = `"${this.dir}/pid"`;
		const lock = `"${this.dir}/state/serve.lock"`;
		this.restart = [
			"--restart",
			`[ ! -e ${pid} ] || kill $(cat ${pid}); for i in $(seq 100); do [ -e ${lock} ] || break; sleep 0.1; done; "${this.program}" serve >/dev/null 2>&1 & echo $! >${pid}`,
		];
		copyFileSync(path, this.program);
		symlinkSync(join(repository, "models"), join(this.dir, "models"));
		this.#environment = {
			PATH: process.env.PATH,
			HOME: this.dir,
			EARSHOT_STATE_DIR: join(this.dir, "state"),
			EARSHOT_SERVER_HOST: "127.0.0.1",
			EARSHOT_SERVER_PORT: String(port),
			EARSHOT_UPDATE_KEYS: signer.publicKey,
		};
	}

	startServer(): void {
		const script = `while :; do "${this.program}" serve & echo $! >"${this.dir}/pid"; wait $!; sleep 1; done`;
		this.#supervisor = spawn("sh", ["-c", script], {
			env: this.#environment,
			stdio: "ignore",
			detached: true,
		});
	}

	/** What lies somewhere, signed. */
	offer(name: string, changes: readonly Change[], by: Signer = signer): string {
		return offerOf(path, join(this.dir, name), name, changes, by);
	}

	async update(...words: string[]): Promise<Ended> {
		const { child, ended } = this.begin(words);
		child.stdin?.end();
		return ended;
	}

	/** The command that starts the server again ends it: whoever watches it starts it. */
	begin(words: readonly string[]) {
		const restart = `kill $(cat "${this.dir}/pid")`;
		const all = ["update", "--restart", restart, ...words];
		const running = promisify(execFile)(this.program, all, {
			env: {
				...this.#environment,
				EARSHOT_UPDATE_HEALTHY_SECONDS: String(this.patience),
			},
		});
		const ended = running.then(
			(said): Ended => ({ code: 0, ...said }),
			(error: Ended) => error,
		);
		return { child: running.child, ended };
	}

	async version(): Promise<string> {
		const { stdout } = await promisify(execFile)(this.program, ["--version"]);
		return stdout.trim();
	}

	async untilHealthy(): Promise<void> {
		for (const until = Date.now() + 60_000; ; await sleep(100)) {
			const answer = await fetch(`${this.url}/healthz`).catch(() => undefined);
			if (answer?.status === 200) return;
			if (Date.now() > until) throw new Error("not healthy");
		}
	}

	/** What an update leaves beside the program. */
	beside(): string[] {
		return readdirSync(this.dir)
			.filter((name) => /^\.|^bin-earshot\./.test(name))
			.map((name) => name.replace("bin-earshot", ""))
			.sort();
	}

	dispose(): void {
		const pid = this.#supervisor?.pid;
		if (pid !== undefined) process.kill(-pid, "SIGKILL");
		else
			try {
				process.kill(Number(readFileSync(join(this.dir, "pid"))), "SIGKILL");
			} catch {} // none was started
		rmSync(this.dir, { recursive: true, force: true });
	}
}

async function device(t: Test): Promise<Device> {
	const port = await new Promise<number>((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address() as { port: number };
			server.close(() => resolve(port));
		});
	});
	const made = new Device(port);
	t.teardown(() => made.dispose());
	return made;
}

t.test(
	"a broken version is taken back by itself; a newer one takes over",
	{ skip },
	async (t) => {
		const earshot = await device(t);
		const bad = earshot.offer("0.3.0", [version("0.3.0"), exits]);
		const failed = await earshot.update("--from", bad, ...earshot.restart);
		t.equal(failed.code, 1);
		t.match(
			failed.stderr,
			/^earshot: 0\.3\.0 was taken back: .* within 5 s .*; 0\.1\.0 runs again\n$/,
		);
		t.equal(await earshot.version(), "0.1.0");
		t.strictSame(earshot.beside(), [".refused"]);
		const again = await earshot.update("--from", bad);
		t.match(again, { code: 1, stderr: /was tried and taken back.*--again/ });
		const next = earshot.offer("0.2.0", [version("0.2.0")]);
		const looked = await earshot.update("--from", next, "--check");
		t.match(looked.stdout, /is 0\.2\.0 for x64.*here is 0\.1\.0: it would be/);
		earshot.patience = 60;
		const done = await earshot.update("--from", next, ...earshot.restart);
		t.equal(done.code, 0, done.stderr);
		t.match(done.stdout, /0\.2\.0 is healthy; 0\.1\.0 stays beside it/);
		t.equal(await earshot.version(), "0.2.0");
		t.strictSame(earshot.beside(), [".previous", ".refused"]);
		t.match(
			await earshot.update("--from", next),
			{ code: 0, stdout: /nothing newer than 0\.2\.0/ },
			"the same once more",
		);
	},
);

t.test(
	"what is not signed by whom the owner trusts is not taken",
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
	"an old program under a new name is found out",
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
	"an older one is taken where that is said",
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
		t.match(back, { code: 0, stdout: /0\.1\.0 is healthy; 0\.0\.9 stays/ });
		t.equal(await earshot.version(), "0.1.0");
	},
);

for (const [name, how] of [
	["hangs", hangs],
	["is never healthy", isNeverWell],
] as const)
	t.test(`one that ${name} is taken back`, { skip: longSkip }, async (t) => {
		const earshot = await device(t);
		const bad = earshot.offer("0.2.0", [version("0.2.0"), how]);
		earshot.startServer();
		await earshot.untilHealthy();
		const { code, stderr } = await earshot.update("--from", bad);
		t.equal(code, 1);
		t.match(stderr, /0\.2\.0 was taken back/);
		t.equal(await earshot.version(), "0.1.0");
	});

t.test(
	"where the updater dies as well, the starts decide",
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
			while (!existsSync(`${earshot.program}.attempt`)) await sleep(20);
			while ((await earshot.version()) !== "0.2.0") await sleep(20);
			child.kill("SIGKILL");
			await ended;
			await promisify(execFile)("sh", [
				"-c",
				`kill $(cat "${earshot.dir}/pid") || true`,
			]);
			for (let waited = 0; waited < 900; waited++) {
				if (!existsSync(`${earshot.program}.attempt`)) break;
				await sleep(100);
			}
			t.equal(await earshot.version(), ends);
			await earshot.untilHealthy();
			t.notOk(existsSync(`${earshot.program}.attempt`));
		}
	},
);

t.test(
	"killed anywhere, the program is whole, and the next update gets through",
	{ skip: longSkip, timeout: 600_000 },
	async (t) => {
		const seed = Number(process.env.EARSHOT_SEED ?? Date.now() % 100_000);
		t.comment(`seed ${seed}`);
		let state = seed;
		const random = () => {
			state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
			return state / 2_147_483_648;
		};
		const earshot = await device(t);
		const next = earshot.offer("0.2.0", [version("0.2.0")]);
		const kills = Number(process.env.EARSHOT_KILLS ?? 15);
		let inPlace = 0;
		for (let kill = 0; kill < kills; kill++) {
			const { child, ended } = earshot.begin(["--from", next, "--no-restart"]);
			await sleep(random() * 5000);
			child.kill("SIGKILL");
			await ended;
			const now = await earshot.version();
			t.ok(["0.1.0", "0.2.0"].includes(now), now);
			if (now === "0.2.0") {
				inPlace++;
				t.ok(existsSync(`${earshot.program}.previous`));
				const back = await earshot.update("--rollback", "--no-restart");
				t.equal(back.code, 0, back.stderr);
				t.equal(await earshot.version(), "0.1.0");
			}
			rmSync(`${earshot.program}.refused`, { force: true });
		}
		t.comment(`${inPlace} of ${kills} were killed when it was in place`);
		earshot.patience = 60;
		const done = await earshot.update("--from", next, "--no-restart");
		t.match(done, { code: 0, stdout: /is tried at the next start/ });
		earshot.startServer();
		await earshot.untilHealthy();
		for (let waited = 0; waited < 100; waited++) {
			if (!existsSync(`${earshot.program}.attempt`)) break;
			await sleep(100);
		}
		t.equal(await earshot.version(), "0.2.0");
		t.strictSame(earshot.beside(), [".previous"]);
	},
);
