/**
 * One microphone's capture process, kept alive: started again when it dies or hangs, at once first, then with growing pauses. Tells what it hears.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { ownCommand } from "../config/own-program.js";
import type { EngineLog } from "../engine/log-port.js";
import { RestartPolicy } from "../engine/restart-policy.js";
import {
	type CaptureSettings,
	type FromCapture,
	quietMsMax,
	type ToCapture,
} from "./protocol.js";

/** How a capture process is started: the same executable with another sub-command. */
export interface CaptureCommand {
	readonly file: string;
	readonly args: readonly string[];
	/** Beside the environment of this process. */
	readonly environment?: Readonly<Record<string, string>>;
}

export interface CaptureListener {
	onMessage(message: FromCapture): void;
	/** The process is gone; the next one starts after the pause. */
	onDeath(reason: string, retryMs: number): void;
}

const backOffMs = 1000;
const stopMsMax = 3000;
/** libasound explains on standard error what it can't do. */
const libraryLine = /^ALSA lib /;

export class Capture {
	readonly #settings: CaptureSettings;
	readonly #listener: CaptureListener;
	readonly #log: EngineLog;
	readonly #command: CaptureCommand;
	readonly #policy = new RestartPolicy(backOffMs);
	#child: ChildProcess | undefined;
	#quietTimer: NodeJS.Timeout | undefined;
	#restartTimer: NodeJS.Timeout | undefined;
	#killReason: string | undefined;
	#stopped = false;

	constructor(
		settings: CaptureSettings,
		listener: CaptureListener,
		log: EngineLog,
		command: CaptureCommand = ownCommand("capture"),
	) {
		this.#settings = settings;
		this.#listener = listener;
		this.#log = log;
		this.#command = command;
	}

	get pid(): number | undefined {
		return this.#child?.pid;
	}

	start(): void {
		if (!this.#child && !this.#stopped) this.#spawn();
	}

	/** For good. */
	async stop(): Promise<void> {
		this.#stopped = true;
		clearTimeout(this.#restartTimer);
		const child = this.#child;
		if (!child) return;
		const gone = new Promise<void>((resolve) => {
			child.once("exit", () => resolve());
			child.once("error", () => resolve());
		});
		this.#send({ is: "stop" });
		const timer = setTimeout(() => child.kill("SIGKILL"), stopMsMax);
		await gone;
		clearTimeout(timer);
	}

	#spawn(): void {
		const child = spawn(this.#command.file, this.#command.args, {
			stdio: ["ignore", "ignore", "pipe", "ipc"],
			serialization: "advanced",
			env: { ...process.env, ...this.#command.environment },
		});
		this.#child = child;
		this.#killReason = undefined;
		child.on("message", (message) => this.#hear(message as FromCapture));
		child.on("error", (error) => {
			if (child.pid === undefined)
				this.#onGone(child, `can't be started: ${error.message}`);
		});
		child.on("exit", (code, signal) =>
			this.#onGone(
				child,
				this.#killReason ?? (signal ? `signal ${signal}` : `exit code ${code}`),
			),
		);
		if (child.stderr)
			createInterface({ input: child.stderr }).on("line", (line) =>
				this.#complain(line),
			);
		this.#send({ is: "start", settings: this.#settings });
		this.#watch();
	}

	#send(message: ToCapture): void {
		if (this.#child?.connected) this.#child.send(message, () => {});
	}

	#hear(message: FromCapture): void {
		this.#watch();
		if (!this.#stopped) this.#listener.onMessage(message);
	}

	#watch(): void {
		clearTimeout(this.#quietTimer);
		this.#quietTimer = setTimeout(() => {
			this.#killReason = "hung: it told nothing";
			this.#child?.kill("SIGKILL");
		}, quietMsMax);
	}

	#complain(line: string): void {
		const fields = { device: this.#settings.device, pid: this.pid };
		if (libraryLine.test(line)) this.#log.debug(fields, line);
		else this.#log.error(fields, line);
	}

	#onGone(child: ChildProcess, reason: string): void {
		if (this.#child !== child) return;
		this.#child = undefined;
		clearTimeout(this.#quietTimer);
		if (this.#stopped) return;
		const retryMs = this.#policy.died(performance.now());
		this.#listener.onDeath(reason, retryMs);
		this.#restartTimer = setTimeout(() => this.start(), retryMs);
	}
}
