/**
 * Keeps one microphone's capture process alive: restarts it when it dies or hangs, at once at first, then after growing pauses, and replaces it when its
 * settings have changed. Forwards its messages.
 */
import { isDeepStrictEqual } from "node:util";
import { ownCommand } from "../config/own-program.js";
import type { LogPort } from "../log/log-port.js";
import { RestartPolicy } from "../process/restart-policy.js";
import {
	type WorkerCommand,
	WorkerProcess,
} from "../process/worker-process.js";
import type { SoundListener } from "./microphone-parts.js";
import {
	type CaptureSettings,
	type FromCapture,
	quietMsMax,
	startMsMax,
	type ToCapture,
} from "./protocol.js";

const backOffMs = 1000;
const stopMsMax = 3000;
/** libasound writes explanations of its errors to standard error. */
const libraryLine = /^ALSA lib /;

export class Capture {
	readonly #settings: () => CaptureSettings;
	readonly #listener: SoundListener;
	readonly #log: LogPort;
	readonly #command: WorkerCommand;
	readonly #policy = new RestartPolicy(backOffMs);
	#worker: WorkerProcess<FromCapture, ToCapture> | undefined;
	#quietTimer: NodeJS.Timeout | undefined;
	#restartTimer: NodeJS.Timeout | undefined;
	/** What the newest process was given. */
	#given: CaptureSettings | undefined;
	/** It was asked to end, for one with other settings. */
	#isReplaced = false;
	#stopped = false;

	/** @param settings asked for each process. */
	constructor(
		settings: () => CaptureSettings,
		listener: SoundListener,
		log: LogPort,
		command: WorkerCommand = ownCommand("capture"),
	) {
		this.#settings = settings;
		this.#listener = listener;
		this.#log = log;
		this.#command = command;
	}

	get pid(): number | undefined {
		return this.#worker?.pid;
	}

	start(): void {
		if (!this.#worker && !this.#stopped) this.#spawn();
	}

	/** The settings may have changed: if so, a process with the new ones takes over. */
	refresh(): void {
		if (!this.#worker || this.#stopped || this.#isReplaced) return;
		if (isDeepStrictEqual(this.#settings(), this.#given)) return;
		this.#isReplaced = true;
		void this.#worker.stop({ is: "stop" }, stopMsMax, "did not stop");
	}

	/** Final: the process is not started again. */
	async stop(): Promise<void> {
		this.#stopped = true;
		clearTimeout(this.#restartTimer);
		await this.#worker?.stop({ is: "stop" }, stopMsMax, "did not stop");
	}

	#spawn(): void {
		this.#worker = new WorkerProcess(this.#command, {
			onMessage: (message: FromCapture) => this.#onMessage(message),
			onEnd: (reason) => this.#onEnd(reason),
			onStderrLine: (line) => this.#onStderrLine(line),
		});
		this.#given = this.#settings();
		this.#worker.send({ is: "start", settings: this.#given });
		this.#watch(startMsMax);
	}

	#onMessage(message: FromCapture): void {
		this.#watch(quietMsMax);
		if (!this.#stopped) this.#listener.onMessage(message);
	}

	#watch(msMax: number): void {
		clearTimeout(this.#quietTimer);
		const timer = setTimeout(() => {
			// if it was this process that stood still, what the other one sent meanwhile is read before that
			setImmediate(() => {
				if (this.#quietTimer === timer) this.#worker?.kill("hung: no messages");
			});
		}, msMax);
		this.#quietTimer = timer;
	}

	#onStderrLine(line: string): void {
		const fields = { device: this.#given?.device, childPid: this.pid };
		if (libraryLine.test(line)) this.#log.debug(fields, line);
		else this.#log.error(fields, line);
	}

	#onEnd(reason: string): void {
		this.#worker = undefined;
		clearTimeout(this.#quietTimer);
		this.#quietTimer = undefined;
		if (this.#stopped) return;
		if (this.#isReplaced) {
			this.#isReplaced = false;
			this.#spawn();
			return;
		}
		const retryMs = this.#policy.died(performance.now());
		this.#listener.onDeath(reason, retryMs);
		this.#restartTimer = setTimeout(() => this.start(), retryMs);
	}
}
