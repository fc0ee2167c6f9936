/**
 * Feeds the service manager's watchdog only while everything works: a timer of this event loop checks everything that must work, and sends `WATCHDOG=1` if
 * nothing is wrong. A blocked loop sends nothing; neither does one whose database or engine is dead. The manager kills the process when it has received nothing
 * for `WatchdogSec`.
 *
 * Checks are a third of that apart: a single late check, or one that finds an engine just being replaced, is not fatal.
 */
import type { ServiceManager } from "./manager-port.js";

/** Something that must work. */
export interface Vital {
	readonly name: string;
	/** @returns the fault, or undefined. Within its own deadline. */
	check(): string | undefined | Promise<string | undefined>;
}

export interface WatchdogLog {
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
}

const checksInPeriod = 3;
/** A timer later than this means that the loop was blocked. */
const lateMsMax = 1000;

/** Interval of the checks for a manager with this timeout. */
export function checkEveryMs(watchdogMs: number): number {
	return watchdogMs / checksInPeriod;
}

export class Watchdog {
	readonly #manager: ServiceManager;
	readonly #vitals: readonly Vital[];
	readonly #log: WatchdogLog;
	#timer: NodeJS.Timeout | undefined;
	#dueMs = 0;
	#stopped = false;
	#trouble = "";
	/** Called when the trouble changes or is over. */
	onTrouble: () => void = () => {};

	constructor(
		manager: ServiceManager,
		vitals: readonly Vital[],
		log: WatchdogLog,
	) {
		this.#manager = manager;
		this.#vitals = vitals;
		this.#log = log;
	}

	/** Does nothing if the manager has no watchdog. */
	start(): void {
		if (this.#manager.watchdogMs > 0) this.#checkIn(0);
	}

	stop(): void {
		this.#stopped = true;
		clearTimeout(this.#timer);
	}

	/** The current fault, for people; empty if there is none. */
	get trouble(): string {
		return this.#trouble;
	}

	#checkIn(milliseconds: number): void {
		this.#dueMs = performance.now() + milliseconds;
		this.#timer = setTimeout(() => void this.#check(), milliseconds);
	}

	async #check(): Promise<void> {
		const lateMs = Math.round(performance.now() - this.#dueMs);
		if (lateMs > lateMsMax)
			this.#log.warn({ lateMs }, "event loop was blocked");
		const troubles = await Promise.all(this.#vitals.map(troubleOf));
		if (this.#stopped) return;
		this.#report(troubles.filter((it) => it !== "").join("; "));
		if (this.#trouble === "") this.#manager.notify("WATCHDOG=1");
		this.#checkIn(checkEveryMs(this.#manager.watchdogMs));
	}

	#report(trouble: string): void {
		const before = this.#trouble;
		this.#trouble = trouble;
		if (trouble === before) return;
		this.onTrouble();
		if (trouble === "") this.#log.info({}, "health recovered");
		else
			this.#log.error(
				{ trouble },
				"unhealthy: not notifying the watchdog of the service manager",
			);
	}
}

async function troubleOf({ name, check }: Vital): Promise<string> {
	try {
		const trouble = await check();
		return trouble === undefined ? "" : `${name}: ${trouble}`;
	} catch (error) {
		return `${name}: ${(error as Error).message}`;
	}
}
