/**
 * What the service manager hears of us, from the start to the stop (sd_notify(3)): that a long step needs more time, that we are ready, what is going on,
 * that we read our configuration again, that we stop.
 *
 * INVARIANTS
 * - `READY=1` is said once the engine has heard its probe clip right, and never behind `STOPPING=1`.
 * - More time is only asked for while a step is younger than it may become, or gets on: a step that hangs is ended by the manager.
 */
import type { ServiceManager } from "./manager-port.js";
import { type Vital, Watchdog, type WatchdogLog } from "./watchdog.js";

type Phase = "starting" | "ready" | "stopping";

/** More time is asked for so often, and so much at once. */
const extendEveryMs = 5000;
const extendByMs = 15_000;
/** How often we look whether something else is going on. */
const statusEveryMs = 5000;

export interface ReadyService {
	/** What must be good; asked for once, where somebody listens. */
	vitals(): readonly Vital[];
	/** What is going on, in a few words. */
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
	 * A step of the start.
	 * @param msMax what it may take, by its own deadlines; counted anew whenever it gets on
	 * @param step may tell that it does, and how far it is
	 */
	async during<T>(
		doing: string,
		msMax: number,
		step: (getsOn: (howFar: string) => void) => Promise<T>,
	): Promise<T> {
		let untilMs = performance.now() + msMax;
		let status = doing;
		const extend = () => {
			if (this.#phase !== "starting" || performance.now() > untilMs) return;
			this.#manager.notify(moreTime(extendByMs), `STATUS=${status}`);
		};
		const getsOn = (howFar: string) => {
			untilMs = performance.now() + msMax;
			const hasChanged = status !== `${doing}: ${howFar}`;
			status = `${doing}: ${howFar}`;
			if (hasChanged) extend();
		};
		extend();
		this.#extending = setInterval(extend, extendEveryMs);
		try {
			return await step(getsOn);
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

	/** A reload that is refused leaves us ready as well: with what was in force before. */
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

	/** @param msMax what the stop may take before it ends itself. */
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

/** What the appliance is doing, in a line: what `systemctl status` shows. */
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
