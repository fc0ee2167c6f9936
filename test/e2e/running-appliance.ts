/**
 * A real `earshot serve` in a process and a state directory of its own, for end-to-end tests. `EARSHOT_BIN` names another program to test than the
 * checkout's.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { openStore, type Store } from "../../runtime/store/open-store.js";
import { databasePath } from "../../runtime/store/state-files.js";
import { knownSecrets } from "../secrets/known-secrets.js";
import { checkNothingLeaked } from "../secrets/leaks.js";
import "../secrets/watched-clients.js";
import { eventually } from "../fixtures/eventually.js";
import { patientEngine } from "./patient-engine.js";

export const repository = resolve(import.meta.dirname, "../../..");

/** What is tested, without its sub-command. */
export const program: readonly [string, ...string[]] = process.env.EARSHOT_BIN
	? [process.env.EARSHOT_BIN]
	: [process.execPath, join(repository, "build/runtime/main.js")];

const publicTextsMsMax = 2000;

export class RunningAppliance {
	readonly #environment: Record<string, string>;
	/** Ended, and all that it wrote is here. */
	readonly #closed: Promise<void>;

	private constructor(
		readonly process: ChildProcess,
		readonly stateDir: string,
		environment: Record<string, string>,
		readonly url: string,
		/** Of the scopes asr, hotwords and files; empty where the state was there before. */
		readonly token: string,
		/** Lines of standard output so far. */
		readonly log: readonly string[],
		/** Lines of standard error so far. */
		readonly screen: readonly string[],
	) {
		this.#environment = environment;
		this.#closed = new Promise((done) => process.once("close", () => done()));
	}

	/** Started and healthy. @param environment e.g. `{ EARSHOT_ENGINE_QUEUE_MAX: "0" }` */
	static async start(
		...how: Parameters<typeof RunningAppliance.launch>
	): Promise<RunningAppliance> {
		const appliance = await RunningAppliance.launch(...how);
		await appliance.untilHealthy();
		return appliance;
	}

	/** Listening, healthy or not. */
	static async launch(
		environment: Record<string, string> = {},
		stateDir = mkdtempSync(join(tmpdir(), "earshot-e2e-")),
		serve: readonly [string, ...string[]] = [...program, "serve"],
	): Promise<RunningAppliance> {
		const token = await firstToken(stateDir);
		const child = spawn(serve[0], serve.slice(1), {
			cwd: repository,
			stdio: ["ignore", "pipe", "pipe"],
			env: {
				...cleanEnvironment(),
				...placeOf(stateDir),
				// a second copy takes longer to load than a test's short files take to be heard; it has tests of its own
				EARSHOT_ENGINE_BATCH_RECOGNIZERS: "1",
				EARSHOT_LOG_LEVEL: "debug", // no line of any level may say too much
				...environment,
			},
		});
		const log = collectLines(child, "stdout");
		const screen = collectLines(child, "stderr");
		const url = await Promise.race([
			readScreen(screen),
			new Promise<never>((_, reject) =>
				child.once("exit", (code) =>
					reject(
						new Error(
							`serve ended with ${code}:\n${[...log.lines, ...screen.lines].join("\n")}`,
						),
					),
				),
			),
		]).catch((refused: unknown) => {
			checkNothingLeaked("a refused start", [...log.lines, ...screen.lines]);
			throw refused;
		});
		return new RunningAppliance(
			child,
			stateDir,
			environment,
			url,
			token,
			log.lines,
			screen.lines,
		);
	}

	/** The same, asked with another token. */
	as(token: string): RunningAppliance {
		const { process, stateDir, url, log, screen } = this;
		const environment = this.#environment;
		return new RunningAppliance(
			process,
			stateDir,
			environment,
			url,
			token,
			log,
			screen,
		);
	}

	async untilHealthy(): Promise<void> {
		let health: unknown;
		await eventually(
			"a healthy appliance",
			async () => {
				const answer = await fetch(`${this.url}/healthz`);
				health = await answer.text();
				return answer.status === 200;
			},
			{ seen: () => health },
		);
	}

	/** `POST /v1/asr/api` */
	recognize(
		query: Record<string, string>,
		body: Uint8Array,
		token = this.token,
	): Promise<Response> {
		return fetch(`${this.url}/v1/asr/api?${new URLSearchParams(query)}`, {
			method: "POST",
			headers: { authorization: `Bearer ${token}` },
			body,
		});
	}

	/** Another command beside the running server, in its environment. */
	async command(
		...words: string[]
	): Promise<{ stdout: string; stderr: string }> {
		const args = [...program.slice(1), ...words];
		const output = await promisify(execFile)(program[0], args, {
			env: {
				...cleanEnvironment(),
				...placeOf(this.stateDir),
				...this.#environment,
			},
		});
		if (words[1] === "create")
			for (const word of output.stdout.split(/\s+/))
				if (word.length >= 40) knownSecrets.add("a secret", word);
		return output;
	}

	/** A value of /metrics; labels as they are written there. */
	async metric(name: string): Promise<number> {
		const text = await (await fetch(`${this.url}/metrics`)).text();
		const line = text.split("\n").find((it) => it.startsWith(`${name} `));
		return Number(line?.split(" ").at(-1));
	}

	/** @returns the exit code, or the signal it died of. */
	async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | string> {
		const ended = new Promise<number | string>((done) =>
			this.process.once("exit", (code, by) => done(code ?? by ?? "")),
		);
		const { exitCode, signalCode } = this.process;
		if (exitCode !== null || signalCode !== null)
			return exitCode ?? signalCode ?? "";
		this.process.kill(signal);
		return ended;
	}

	/** @throws Error where it wrote what was not for whoever reads that. */
	async dispose(): Promise<void> {
		const publicTexts = await this.#publicTexts();
		await this.stop();
		await this.#closed;
		rmSync(this.stateDir, { recursive: true, force: true });
		checkNothingLeaked("the log", this.log);
		checkNothingLeaked("standard error", this.screen);
		checkNothingLeaked("/metrics and /healthz", publicTexts);
	}

	/** What anybody may ask for, of one that still runs. */
	async #publicTexts(): Promise<string[]> {
		const paths = ["/metrics", "/healthz"];
		const signal = AbortSignal.timeout(publicTextsMsMax);
		const all = paths.map(async (path) =>
			(await fetch(this.url + path, { signal })).text(),
		);
		return Promise.all(all).catch(() => []);
	}
}

/** Before the server starts for the first time: it shows one on terminals only. */
async function firstToken(stateDir: string): Promise<string> {
	if (existsSync(databasePath(stateDir))) return "";
	const store = await openStore({ dir: stateDir, as: "visit" });
	const token = await makeToken(store, "first");
	await store.close();
	return token;
}

/** Of the scopes asr, hotwords and files. */
export async function makeToken(store: Store, name: string): Promise<string> {
	const { token } = await store.tokens.create({
		name,
		scopes: ["asr", "hotwords", "files"],
		nowSeconds: Date.now() / 1000,
		ttlSeconds: 86_400,
	});
	return token;
}

function placeOf(stateDir: string): Record<string, string> {
	return {
		EARSHOT_STATE_DIR: stateDir,
		EARSHOT_SERVER_PORT: "0",
		EARSHOT_SERVER_HOST: "127.0.0.1",
		// tests that run at the same time can't share one port
		EARSHOT_TLS_PORT: "0",
		// other tests run beside this one: a file that gives way to them all would wait for their end
		EARSHOT_ENGINE_BATCH_NICENESS: "0",
		EARSHOT_ENGINE_BATCH_IDLE_ONLY: "false",
		// a second thread waits for the first a sixth of its time, and test files run two at a time
		EARSHOT_ENGINE_THREADS: "1",
		// nobody alters the checkout's models; a fifth of an engine's start
		EARSHOT_RECOGNITION_VERIFY_MODEL: "false",
		...patientEngine,
	};
}

/** Without the variables of the caller that would configure it. */
function cleanEnvironment(): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.entries(process.env).filter(
			([name]) => !name.startsWith("EARSHOT_") && !name.startsWith("TAP"),
		),
	);
}

interface Lines {
	readonly lines: string[];
	onLine: () => void;
}

function collectLines(child: ChildProcess, stream: "stdout" | "stderr"): Lines {
	const collected: Lines = { lines: [], onLine: () => {} };
	const input = child[stream];
	if (!input) throw new Error("no pipe");
	createInterface({ input }).on("line", (line) => {
		collected.lines.push(line);
		collected.onLine();
	});
	return collected;
}

/** The address. */
function readScreen(screen: Lines): Promise<string> {
	return new Promise((resolve) => {
		screen.onLine = () => {
			const text = screen.lines.join("\n");
			const address = /listening on (http:\S+)/.exec(text)?.[1];
			if (address && /\n.*ready/.test(text)) resolve(address);
		};
	});
}
