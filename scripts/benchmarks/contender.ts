/**
 * One recognizer under measurement, as a process of its own that speaks the worker protocol. While another has its turn a peer is stopped
 * outright: its worker threads go on spinning for a while after a clip, and would take the cores from whoever comes next.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { cacheDirectory, weightsDirectory } from "./cache.js";
import type { WorkerAnswer, WorkerRequest } from "./worker-protocol.js";

export type ContenderName = "earshot" | "faster-whisper" | "sherpa-onnx-node";

const contenderNames: readonly ContenderName[] = [
	"earshot",
	"faster-whisper",
	"sherpa-onnx-node",
];

const programs = resolve("build/scripts/benchmarks");

/** The command of each contender's worker. */
function commandOf(name: ContenderName, threads: number): readonly string[] {
	if (name === "earshot")
		return [
			process.execPath,
			join(programs, "earshot-worker.js"),
			`${threads}`,
		];
	if (name === "faster-whisper")
		return [
			join(cacheDirectory, "python/bin/python"),
			resolve("scripts/benchmarks/peers/faster_whisper_worker.py"),
			weightsDirectory,
			`${threads}`,
		];
	return [
		process.execPath,
		join(programs, "peers/sherpa-onnx-worker.js"),
		join(cacheDirectory, "node"),
		join(cacheDirectory, "sherpa-graphs"),
		`${threads}`,
		process.env.EARSHOT_BENCH_SHERPA_TEXT ?? "hex",
	];
}

export class Contender {
	readonly name: ContenderName;
	/** Name and release, as it reports them itself. */
	version = "";
	readonly #child: ChildProcess;
	readonly #lines: AsyncIterator<string>;

	private constructor(
		name: ContenderName,
		child: ChildProcess,
		lines: Interface,
	) {
		this.name = name;
		this.#child = child;
		this.#lines = lines[Symbol.asyncIterator]();
	}

	/** @returns when its model is loaded. */
	static async start(name: ContenderName, threads: number): Promise<Contender> {
		const [program = "", ...args] = commandOf(name, threads);
		const child = spawn(program, args, {
			stdio: ["pipe", "pipe", "inherit"],
			env: { ...process.env, OMP_NUM_THREADS: `${threads}` },
		});
		const lines = createInterface({ input: child.stdout });
		const contender = new Contender(name, child, lines);
		const { version } = await contender.#next<{ version: string }>();
		contender.version = version;
		contender.pause();
		return contender;
	}

	async recognize(request: WorkerRequest): Promise<WorkerAnswer> {
		this.#child.kill("SIGCONT");
		this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
		const answer = await this.#next<WorkerAnswer>();
		this.pause();
		return answer;
	}

	/** earshot is not stopped: its supervisor would find that no time has passed for its engine. It does not spin. */
	pause(): void {
		if (this.name !== "earshot") this.#child.kill("SIGSTOP");
	}

	async close(): Promise<void> {
		this.#child.kill("SIGCONT");
		this.#child.stdin?.end();
		if (this.#child.exitCode === null) await once(this.#child, "exit");
	}

	async #next<Value>(): Promise<Value> {
		const { value, done } = await this.#lines.next();
		if (done === true) throw new Error(`${this.name} ended early`);
		return JSON.parse(value) as Value;
	}
}

/** One after the other: loading a model is work too. */
export async function startContenders(
	names: readonly ContenderName[],
	threads: number,
): Promise<readonly Contender[]> {
	const contenders: Contender[] = [];
	for (const name of names)
		contenders.push(await Contender.start(name, threads));
	return contenders;
}

/** `--only earshot,faster-whisper`; all of them where it is not given. */
export function chooseContenders(
	only: string | undefined,
): readonly ContenderName[] {
	if (only === undefined) return contenderNames;
	return only.split(",").map((wanted) => {
		const name = contenderNames.find((known) => known === wanted);
		if (name === undefined)
			throw new Error(`${wanted} is none of ${contenderNames.join(", ")}`);
		return name;
	});
}
