/**
 * A child process of this program, usually another command of the same executable, that exchanges structured clones over an IPC channel: engines, copies of the
 * recognizer, capture, keywords.
 *
 * INVARIANT: `onEnd` is called once, after the last message, even if the process could not be started. This class never restarts it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { OwnCommand } from "../config/own-program.js";
import { Deferred } from "../event-loop/deferred.js";

export interface WorkerCommand extends OwnCommand {
	/** In addition to the environment of this process. */
	readonly environment?: Readonly<Record<string, string>>;
}

export interface WorkerListener<Received> {
	onMessage(message: Received): void;
	/** @param reason why it was killed, or how it ended. @param cause why it could not be started. */
	onEnd(reason: string, cause?: Error): void;
	/** A line from its standard error; without this listener it shares this process's standard error. */
	onStderrLine?(line: string): void;
}

export class WorkerProcess<Received, Sent extends object> {
	/** Undefined: it could not be started. */
	readonly #child: ChildProcess | undefined;
	readonly #listener: WorkerListener<Received>;
	readonly #ended = new Deferred<string>();
	#killReason: string | undefined;
	#hasEnded = false;

	constructor(command: WorkerCommand, listener: WorkerListener<Received>) {
		this.#listener = listener;
		// with a line listener only standard error is used: the child must not write to our standard output
		const [stdout, stderr] = listener.onStderrLine
			? (["ignore", "pipe"] as const)
			: (["inherit", "inherit"] as const);
		const child = this.#spawned(() =>
			spawn(command.file, command.args, {
				argv0: command.argv0,
				stdio: ["ignore", stdout, stderr, "ipc"],
				serialization: "advanced",
				env: { ...process.env, ...command.environment },
			}),
		);
		this.#child = child;
		if (!child) return;
		child.on("message", (message) => listener.onMessage(message as Received));
		child.on("error", (error) => {
			if (child.pid === undefined)
				this.#end(`can't be started: ${error.message}`, error);
		});
		// not on "exit": messages sent before may still be in flight
		child.on("close", (code, signal) =>
			this.#end(signal ? `signal ${signal}` : `exit code ${code}`),
		);
		if (child.stderr)
			createInterface({ input: child.stderr }).on("line", (line) =>
				listener.onStderrLine?.(line),
			);
	}

	/** Undefined if it could not be started. */
	get pid(): number | undefined {
		return this.#child?.pid;
	}

	get hasEnded(): boolean {
		return this.#hasEnded;
	}

	/** Resolves with the reason; never rejects. */
	get ended(): Promise<string> {
		return this.#ended.promise;
	}

	/** Dropped if the process is gone: `onEnd` reports that. @param onSent called when the message was sent, or can't be. */
	send(message: Sent, onSent: () => void = () => {}): void {
		if (this.#child?.connected) this.#child.send(message, () => onSent());
		else onSent();
	}

	/** @param reason passed to `onEnd`; the first one counts. */
	kill(reason?: string): void {
		this.#killReason ??= reason;
		// until Node has reported that it could not be started, its handle holds any pid, and 0 is this process's whole group
		if (this.#child?.pid !== undefined) this.#child.kill("SIGKILL");
	}

	/** Asks it to end, and kills it if it does not in time. */
	async stop(message: Sent, graceMs: number, lateReason: string) {
		this.send(message);
		const timer = setTimeout(() => this.kill(lateReason), graceMs);
		await this.ended;
		clearTimeout(timer);
	}

	/** Some errors are thrown instead of being reported by the process, among them too little memory. */
	#spawned(spawn: () => ChildProcess): ChildProcess | undefined {
		try {
			return spawn();
		} catch (error) {
			const cause = error as Error;
			queueMicrotask(() =>
				this.#end(`can't be started: ${cause.message}`, cause),
			);
			return undefined;
		}
	}

	#end(how: string, cause?: Error): void {
		if (this.#hasEnded) return;
		this.#hasEnded = true;
		const reason = this.#killReason ?? how;
		this.#listener.onEnd(reason, cause);
		this.#ended.resolve(reason);
	}
}
