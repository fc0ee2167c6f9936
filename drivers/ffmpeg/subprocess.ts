/**
 * A program that a driver starts and reads: killed for the first reason that comes up, which its reader gets, and always ended.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { StderrTail } from "./stderr-tail.js";

export interface SubprocessOptions {
	/** Program and arguments. */
	readonly argv: readonly string[];
	/** Removed from messages. */
	readonly secrets: readonly string[];
	/** Kills it. */
	readonly signal?: AbortSignal | undefined;
}

type Stdin = "pipe" | "ignore";
type StreamOf<S extends Stdin> = S extends "pipe" ? Writable : null;
type Child<S extends Stdin> = ChildProcessByStdio<
	StreamOf<S>,
	Readable,
	Readable
>;

/** Status and signal; instead of a status the system's error, where it could not be killed. */
export type Exit = readonly [number | string | null, NodeJS.Signals | null];

export class Subprocess<S extends Stdin> {
	readonly stdin: StreamOf<S>;
	readonly stdout: Readable;
	readonly stderr: StderrTail;
	readonly #child: Child<S>;
	/** Never rejects. */
	readonly #exited: Promise<Exit>;
	readonly #signal: AbortSignal | undefined;
	readonly #onAbort = () => this.kill(this.#signal?.reason);
	#killed: { readonly reason: unknown } | undefined;

	private constructor(child: Child<S>, options: SubprocessOptions) {
		const { secrets, signal } = options;
		this.stdin = child.stdin;
		this.stdout = child.stdout;
		this.stderr = new StderrTail(child.stderr, secrets);
		this.#child = child;
		this.#exited = exitOf(child);
		this.#signal = signal;
		signal?.addEventListener("abort", this.#onAbort);
	}

	/** @throws the signal's reason; the system's error if it can't be started, for example EMFILE or EAGAIN */
	static async start<S extends Stdin>(
		stdin: S,
		options: SubprocessOptions,
	): Promise<Subprocess<S>> {
		options.signal?.throwIfAborted();
		const [program, ...args] = options.argv;
		const child = spawn(program as string, args, {
			stdio: [stdin, "pipe", "pipe"],
			env: { PATH: process.env.PATH, LC_ALL: "C" },
		});
		if (child.pid === undefined) {
			const [error] = await once(child, "error");
			throw error;
		}
		return new Subprocess(child as Child<S>, options);
	}

	/** @param reason the first one counts. */
	kill(reason: unknown): void {
		this.#killed ??= { reason };
		this.#child.kill("SIGKILL");
	}

	/** When its output is at its end. @throws the reason why it was killed */
	async exit(): Promise<Exit> {
		const exit = await this.#exited;
		if (this.#killed) throw this.#killed.reason;
		return exit;
	}

	/** To be called in any case: it is killed if it still runs. */
	async end(): Promise<void> {
		this.#signal?.removeEventListener("abort", this.#onAbort);
		this.#child.kill("SIGKILL");
		this.stdout.destroy();
		await this.#exited;
	}
}

async function exitOf(child: Child<Stdin>): Promise<Exit> {
	try {
		const [code, signal] = await once(child, "exit");
		return [code, signal];
	} catch (failure) {
		return [(failure as NodeJS.ErrnoException).code ?? "no exit", null];
	}
}
