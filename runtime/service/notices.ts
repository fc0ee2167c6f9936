/**
 * Notifications to the service manager, from start to stop (sd_notify(3)): that a long step needs more time, that the service is ready, its status, a reload of
 * the configuration, the stop.
 *
 * INVARIANTS
 * - `READY=1` is sent once the engine has recognized its probe clip, and never after `STOPPING=1`.
 * - More time is only requested while a step is within its limit or makes progress: a step that hangs is ended by the manager.
 */
import type { ServiceManager } from "./manager-port.js";
import { type Vital, Watchdog, type WatchdogLog } from "./watchdog.js";

type Phase = "starting" | "ready" | "stopping";

/** How often more time is requested, and how much at once. */
const extendEveryMs = 5000;
const extendByMs = 15_000;
/** How often the status is checked for a change. */
const statusEveryMs = 5000;

export interface ReadyService {
	/** Everything that must work; called once, if there is a service manager. */
	vitals(): readonly Vital[];
	/** The current activity, in a few words. */
	status(): string;
}

export class ServiceNotices {
	readonly #manager: ServiceManager;
	readonly #log: WatchdogLog;
	#phase: Phase = "starting";
	#extending: NodeJS.Timeout | undefined;
	#statusTimer: NodeJS.Timeout | undefined;
	#watchdog: Watchdog | undefined;
	#statusSent = "";

	constructor(manager: ServiceManager, log: WatchdogLog) {
		this.#manager = manager;
		this.#log = log;
	}

	/**
	 * Runs a step of the start.
	 * @param msMax its limit, by its own deadlines; restarted whenever it reports progress
	 * @param step may report its progress
	 */
	async during<T>(
		doing: string,
		msMax: number,
		step: (onProgress: (progress: string) => void) => Promise<T>,
	): Promise<T> {
		let untilMs = performance.now() + msMax;
		let status = doing;
		const extend = () => {
			if (this.#phase !== "starting" || performance.now() > untilMs) return;
			this.#manager.notify(moreTime(extendByMs), `STATUS=${status}`);
		};
		const onProgress = (progress: string) => {
			untilMs = performance.now() + msMax;
			const hasChanged = status !== `${doing}: ${progress}`;
			status = `${doing}: ${progress}`;
			if (hasChanged) extend();
		};
		extend();
		this.#extending = setInterval(extend, extendEveryMs);
		try {
			return await step(onProgress);
		} finally {
			clearInterval(this.#extending);
		}
	}

	ready({ vitals, status }: ReadyService): void {
		if (this.#phase !== "starting") return;
		this.#phase = "ready";
		if (!this.#manager.isThere) return;
		const watchdog = new Watchdog(this.#manager, vitals(), this.#log);
		const sendStatus = () => this.#sendStatus(watchdog.trouble || status());
		watchdog.onTrouble = sendStatus;
		this.#watchdog = watchdog;
		this.#statusSent = status();
		this.#manager.notify("READY=1", `STATUS=${this.#statusSent}`);
		watchdog.start();
		this.#statusTimer = setInterval(sendStatus, statusEveryMs);
		this.#statusTimer.unref();
	}

	/** A refused reload also leaves the service ready, with the previous configuration. */
	reloading(reload: () => void): void {
		if (this.#phase !== "ready") {
			reload();
			return;
		}
		const microseconds = process.hrtime.bigint() / 1000n; // CLOCK_MONOTONIC
		this.#manager.notify("RELOADING=1", `MONOTONIC_USEC=${microseconds}`);
		try {
			reload();
		} finally {
			this.#manager.notify("READY=1", `STATUS=${this.#statusSent}`);
		}
	}

	/** @param msMax time after which the stop is forced. */
	stopping(msMax: number): void {
		this.#phase = "stopping";
		clearInterval(this.#extending);
		clearInterval(this.#statusTimer);
		this.#watchdog?.stop();
		this.#manager.notify(
			"STOPPING=1",
			moreTime(msMax),
			"STATUS=finishing requests in progress",
		);
	}

	#sendStatus(status: string): void {
		if (status === this.#statusSent) return;
		this.#statusSent = status;
		this.#manager.notify(`STATUS=${status}`);
	}
}

function moreTime(milliseconds: number): string {
	return `EXTEND_TIMEOUT_USEC=${Math.ceil(milliseconds) * 1000}`;
}

/** The activity of the appliance for the status line that `systemctl status` shows. */
export interface AtWork {
	readonly address: string;
	readonly live: { readonly busy: number; readonly slots: number };
	readonly filesRunning: number;
	readonly filesWaiting: number;
}

export function statusLine(at: AtWork): string {
	const { address, live, filesRunning, filesWaiting } = at;
	const work = [
		...(live.busy > 0 ? [`${live.busy} of ${live.slots} streams`] : []),
		...(filesRunning > 0 ? [counted(filesRunning, "file")] : []),
		...(filesWaiting > 0 ? [`${counted(filesWaiting, "file")} waiting`] : []),
	];
	return `${address}: ${work.length > 0 ? work.join(", ") : "idle"}`;
}

function counted(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? "" : "s"}`;
}
