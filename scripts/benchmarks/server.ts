/**
 * The real server, started from the build with a state of its own in a temporary folder: what memory, lag, latency and start are measured on, from
 * the outside, as a client and an operating system see it.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { childrenOf, cpuSeconds } from "./process-usage.js";

/** `EARSHOT_BIN` names another program to measure than the checkout's. */
export const program: readonly [string, ...string[]] = process.env.EARSHOT_BIN
	? [resolve(process.env.EARSHOT_BIN)]
	: [process.execPath, resolve("build/runtime/main.js")];
const readySecondsMax = 120;

export interface Answer {
	readonly http: number;
	/** Of the envelope; "" where the body is none. */
	readonly status: string;
	readonly text: string;
	readonly seconds: number;
}

/** What stays when the server stops: kept from one start to the next. */
export class ServerState {
	readonly directory = mkdtempSync(join(tmpdir(), "earshot-bench-"));
	#token = "";

	/** A token of this state, made with the command line on first use. */
	async token(): Promise<string> {
		if (this.#token === "") {
			const { stdout } = await promisify(execFile)(
				program[0],
				[
					...program.slice(1),
					...["token", "create", "--name", "bench", "--scope", "all"],
				],
				{ env: this.environment() },
			);
			this.#token = stdout.trim();
		}
		return this.#token;
	}

	environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
		return { ...process.env, EARSHOT_STATE_DIR: this.directory, ...more };
	}

	remove(): void {
		rmSync(this.directory, { recursive: true, force: true });
	}
}

export class Server {
	readonly port: number;
	readonly #child: ChildProcess;
	readonly #token: string;
	readonly #agent = new Agent({ keepAlive: true });

	private constructor(port: number, child: ChildProcess, token: string) {
		this.port = port;
		this.#child = child;
		this.#token = token;
	}

	/** @returns at once: `untilAnswering` waits. The log is `server.log` in the state's folder. */
	static async spawn(
		state: ServerState,
		settings: Readonly<Record<string, string>> = {},
	): Promise<Server> {
		const token = await state.token();
		const port = await freePort();
		const child = spawn(program[0], [...program.slice(1), "serve"], {
			stdio: ["ignore", "pipe", "pipe"],
			env: state.environment({
				EARSHOT_ENGINE_LIVE_SHARE_MAX: "1", // one token speaks for everybody
				...settings,
				EARSHOT_SERVER_PORT: `${port}`,
				EARSHOT_TLS_PORT: "0",
			}),
		});
		const log = createWriteStream(join(state.directory, "server.log"));
		child.stdout.pipe(log, { end: false });
		child.stderr.pipe(log, { end: false });
		return new Server(port, child, token);
	}

	/** @returns when /healthz says that the engine answers. */
	async untilAnswering(): Promise<void> {
		const until = performance.now() + readySecondsMax * 1000;
		while (performance.now() < until) {
			if (this.#child.exitCode !== null) throw new Error("the server exited");
			const answer = await this.get("/healthz").catch(() => undefined);
			if (answer?.http === 200) return;
			await pause(20);
		}
		throw new Error(`not healthy after ${readySecondsMax} s`);
	}

	get(path: string): Promise<Answer> {
		return this.#exchange("GET", path);
	}

	/** @param pcm 16 kHz mono 16-bit, as the API's raw format. */
	recognize(
		pcm: Int16Array,
		langType: string,
		options: Readonly<Record<string, string>> = {},
	): Promise<Answer> {
		const query = new URLSearchParams({
			lang_type: langType,
			format: "pcm",
			...options,
		});
		return this.#exchange(
			"POST",
			`/v1/asr/api?${query}`,
			Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength),
		);
	}

	/** For clients of other protocols. */
	get endpoint(): { readonly url: string; readonly token: string } {
		return { url: `http://127.0.0.1:${this.port}`, token: this.#token };
	}

	get pid(): number {
		return this.#child.pid ?? 0;
	}

	/** The process that runs the model for streams and short requests. */
	enginePid(): number {
		const child = childrenOf(this.pid).find(
			({ command }) => /\bengine\b/.test(command) && !/\bbatch\b/.test(command),
		);
		if (child === undefined) throw new Error("no engine process");
		return child.pid;
	}

	/** The process that runs the model for files, while there is one. */
	batchEnginePid(): number | undefined {
		return childrenOf(this.pid).find(({ command }) => /\bbatch\b/.test(command))
			?.pid;
	}

	/** Processor time of everything that runs models, seconds. */
	engineSeconds(): number {
		const engines = childrenOf(this.pid).filter(({ command }) =>
			/\bengine\b/.test(command),
		);
		const copies = engines.flatMap(({ pid }) => childrenOf(pid));
		return [...engines, ...copies].reduce(
			(sum, { pid }) => sum + cpuSeconds(pid),
			0,
		);
	}

	async stop(): Promise<void> {
		this.#agent.destroy();
		if (this.#child.exitCode !== null) return;
		this.#child.kill("SIGTERM");
		await once(this.#child, "exit");
	}

	#exchange(method: string, path: string, body?: Buffer): Promise<Answer> {
		const started = performance.now();
		return new Promise((fulfil, reject) => {
			const outgoing = request(
				{
					port: this.port,
					host: "127.0.0.1",
					method,
					path,
					agent: this.#agent,
					headers: {
						authorization: `Bearer ${this.#token}`,
						...(body === undefined ? {} : { "content-length": body.length }),
					},
				},
				(incoming) => {
					const chunks: Buffer[] = [];
					incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
					incoming.on("error", reject);
					incoming.on("end", () => {
						const seconds = (performance.now() - started) / 1000;
						const text = Buffer.concat(chunks).toString();
						fulfil({
							http: incoming.statusCode ?? 0,
							...opened(text),
							seconds,
						});
					});
				},
			);
			outgoing.on("error", reject);
			outgoing.end(body);
		});
	}
}

/** The envelope's status and recognized text; other bodies as they are. */
function opened(body: string): { status: string; text: string } {
	if (!body.startsWith("{")) return { status: "", text: body };
	const envelope = JSON.parse(body) as {
		status?: string;
		message?: string;
		data?: { result?: string } | null;
	};
	return {
		status: envelope.status ?? "",
		text: envelope.data?.result ?? envelope.message ?? "",
	};
}

export async function freePort(): Promise<number> {
	const probe = createServer().listen(0, "127.0.0.1");
	await once(probe, "listening");
	const address = probe.address();
	probe.close();
	await once(probe, "close");
	if (address === null || typeof address === "string")
		throw new Error("no port");
	return address.port;
}

/** Starts a server on a state that is thrown away, gives it to the measurement, and stops it whatever happens. */
export async function withServer<Result>(
	settings: Readonly<Record<string, string>>,
	measure: (server: Server) => Promise<Result>,
): Promise<Result> {
	const state = new ServerState();
	try {
		const server = await Server.spawn(state, settings);
		try {
			await server.untilAnswering();
			return await measure(server);
		} finally {
			await server.stop();
		}
	} finally {
		state.remove();
	}
}

/** @throws unless the words came. */
export function expectWords(answer: Answer): Answer {
	if (answer.http !== 200 || answer.status !== "000000")
		throw new Error(`answered ${answer.http} ${answer.status}: ${answer.text}`);
	return answer;
}

/** The server's own measurement, how late its loop was in 99 of 100 samples, reset by reading it. */
export async function loopLagSeconds(server: Server): Promise<number> {
	const { text } = await server.get("/metrics");
	const line =
		/^earshot_event_loop_lag_seconds\{quantile="0.99"\} (\S+)$/m.exec(text);
	if (line === null) throw new Error("/metrics has no event-loop lag");
	return Number(line[1]);
}
