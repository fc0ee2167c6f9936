/**
 * Tells the service manager that we are well, and only then: a timer of this event loop looks at everything that must be good, and says `WATCHDOG=1` where
 * nothing is wrong. A loop that is held says nothing; neither does one whose database or engine is dead. The manager kills us when it has heard nothing for
 * `WatchdogSec`.
 *
 * Looks are a third of that apart: one that comes late, or finds an engine that is just being replaced, is no death.
 */
import type { ServiceManager } from "./manager-port.js";

/** Something that must be good. */
export interface Vital {
	readonly name: string;
	/** @returns what is wrong; undefined: nothing. Within its own deadline. */
	check(): string | undefined | Promise<string | undefined>;
}

export interface WatchdogLog {
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
}

const checksInPeriod = 3;
/** A timer so late says that something held the loop. */
const lateMsMax = 1000;

/** How often a manager with this patience is told. */
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
	/** Called when the trouble is another one, or is over. */
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

	/** Nothing where the manager does not watch. */
	start(): void {
		if (this.#manager.watchdogMs > 0) this.#checkIn(0);
	}

	stop(): void {
		this.#stopped = true;
		clearTimeout(this.#timer);
	}

	/** What is wrong, for people; empty: nothing. */
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
