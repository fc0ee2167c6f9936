/** A device that updates itself: the real executable in its own folder, and a supervisor that starts its server whenever it ends. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import {
	copyFileSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { patientEngine } from "../e2e/patient-engine.js";
import { tinyModel } from "../e2e/tiny-model.js";
import { claimedPort } from "../fixtures/claimed-port.js";
import { eventually } from "../fixtures/eventually.js";
import { type Change, offerOf } from "./altered-executable.js";
import { newSigner, type Signer } from "./minisign-writer.js";

const signer = newSigner();

export interface Ended {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

export class Device {
	readonly dir = mkdtempSync(join(tmpdir(), "earshot-update-"));
	readonly program = join(this.dir, "bin-earshot");
	readonly url: string;
	/** Seconds for a version to become healthy. */
	patience = 5;
	/**
	 * Stops the server, if there is one, and starts it: for a device without a supervisor. The previous one has ended when its lock is gone (its process may
	 * remain as a zombie); that is awaited for ten seconds at most, since a killed one leaves the lock behind.
	 */
	readonly restart: readonly string[];
	readonly #executable: string;
	readonly #environment: NodeJS.ProcessEnv;
	#supervisor: ChildProcess | undefined;

	/** @param executable of its first version. */
	static async of(executable: string): Promise<Device> {
		return new Device(executable, await claimedPort(), await tinyModel());
	}

	private constructor(
		executable: string,
		port: number,
		model: Readonly<Record<string, string>>,
	) {
		this.#executable = executable;
		this.url = `http://127.0.0.1:${port}`;
		const pid = `"${this.dir}/pid"`;
		const lock = `"${this.dir}/state/serve.lock"`;
		this.restart = [
			"--restart",
			`[ ! -e ${pid} ] || kill $(cat ${pid}); for i in $(seq 100); do [ -e ${lock} ] || break; sleep 0.1; done; "${this.program}" serve >/dev/null 2>&1 & echo $! >${pid}`,
		];
		copyFileSync(executable, this.program);
		this.#environment = {
			...model,
			...patientEngine,
			PATH: process.env.PATH,
			HOME: this.dir,
			EARSHOT_STATE_DIR: join(this.dir, "state"),
			EARSHOT_SERVER_HOST: "127.0.0.1",
			EARSHOT_SERVER_PORT: String(port),
			EARSHOT_TLS_PORT: "0",
			EARSHOT_ENGINE_BATCH_RECOGNIZERS: "1",
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

	/** A signed release. */
	offer(name: string, changes: readonly Change[], by: Signer = signer): string {
		return offerOf(this.#executable, join(this.dir, name), name, changes, by);
	}

	async update(...words: string[]): Promise<Ended> {
		const { child, ended } = this.begin(words);
		child.stdin?.end();
		return ended;
	}

	/** The command that restarts the server only stops it: the supervisor starts it again. */
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
			(output): Ended => ({ code: 0, ...output }),
			(error: Ended) => error,
		);
		return { child: running.child, ended };
	}

	/** The process that recognizes for the server: `name` is what `ps` shows. */
	engine(): { pid: number; inode: number; name: string } | undefined {
		const server = readFileSync(join(this.dir, "pid"), "utf8").trim();
		const children = `/proc/${server}/task/${server}/children`;
		for (const pid of readFileSync(children, "utf8").trim().split(" ")) {
			const [name = "", verb] = wordsOf(pid);
			if (verb === "engine")
				return {
					pid: Number(pid),
					inode: statSync(`/proc/${pid}/exe`).ino,
					name,
				};
		}
		return undefined;
	}

	async version(): Promise<string> {
		const { stdout } = await promisify(execFile)(this.program, ["--version"]);
		return stdout.trim();
	}

	async untilHealthy(): Promise<void> {
		await eventually("a healthy server", async () => {
			const { status } = await fetch(`${this.url}/healthz`);
			return status === 200;
		});
	}

	/** Waits until the version in place has been judged: accepted, or rolled back. */
	async untilSettled(): Promise<void> {
		await eventually(
			"the attempt to end",
			() => !existsSync(`${this.program}.attempt`),
			{ seen: () => this.beside() },
		);
	}

	/** Files that an update leaves beside the program. */
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

/** Of its command line; none where it has ended. */
function wordsOf(pid: string): string[] {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
	} catch {
		return [];
	}
}
