/**
 * A process of this program's own, usually another verb of the same executable, spoken to in structured clones over an IPC channel: engines, copies of the
 * recognizer, capture, keywords.
 *
 * INVARIANT: `onEnd` is called once, after the last message, also where the process could not be started. Nothing is started again here.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { OwnCommand } from "../config/own-program.js";
import { Deferred } from "../event-loop/deferred.js";

export interface WorkerCommand extends OwnCommand {
	/** Beside the environment of this process. */
	readonly environment?: Readonly<Record<string, string>>;
}

export interface WorkerListener<Received> {
	onMessage(message: Received): void;
	/** @param reason why it was killed, or how it ended. @param cause why it could not be started. */
	onEnd(reason: string, cause?: Error): void;
	/** A line on its standard error, which is this process's own where nobody listens. */
	onStderrLine?(line: string): void;
}

export class WorkerProcess<Received, Sent extends object> {
	readonly #child: ChildProcess;
	readonly #listener: WorkerListener<Received>;
	readonly #ended = new Deferred<string>();
	#killReason: string | undefined;
	#hasEnded = false;

	constructor(command: WorkerCommand, listener: WorkerListener<Received>) {
		this.#listener = listener;
		// where its lines are listened to they are all that it says: its standard output is not ours
		const [stdout, stderr] = listener.onStderrLine
			? (["ignore", "pipe"] as const)
			: (["inherit", "inherit"] as const);
		const child = spawn(command.file, command.args, {
			stdio: ["ignore", stdout, stderr, "ipc"],
			serialization: "advanced",
			env: { ...process.env, ...command.environment },
		});
		this.#child = child;
		child.on("message", (it) => listener.onMessage(it as Received));
		child.on("error", (error) => {
			if (child.pid === undefined)
				this.#end(`can't be started: ${error.message}`, error);
		});
		// not at its exit: what it had said before may still be on its way
		child.on("close", (code, signal) =>
			this.#end(signal ? `signal ${signal}` : `exit code ${code}`),
		);
		if (child.stderr)
			createInterface({ input: child.stderr }).on("line", (line) =>
				listener.onStderrLine?.(line),
			);
	}

	/** Undefined where it could not be started. */
	get pid(): number | undefined {
		return this.#child.pid;
	}

	get hasEnded(): boolean {
		return this.#hasEnded;
	}

	/** Its reason; never rejects. */
	get ended(): Promise<string> {
		return this.#ended.promise;
	}

	/** Lost where the process is gone: `onEnd` says so. @param left called when it is on its way, or can't be. */
	send(message: Sent, left: () => void = () => {}): void {
		if (this.#child.connected) this.#child.send(message, () => left());
		else left();
	}

	/** @param reason that `onEnd` gets; the first one counts. */
	kill(reason?: string): void {
		this.#killReason ??= reason;
		this.#child.kill("SIGKILL");
	}

	/** Asks it to end, and kills it where it does not in time. */
	async stop(message: Sent, graceMs: number, lateReason: string) {
		this.send(message);
		const timer = setTimeout(() => this.kill(lateReason), graceMs);
		await this.ended;
		clearTimeout(timer);
	}

	#end(how: string, cause?: Error): void {
		if (this.#hasEnded) return;
		this.#hasEnded = true;
		const reason = this.#killReason ?? how;
		this.#listener.onEnd(reason, cause);
		this.#ended.resolve(reason);
	}
}
