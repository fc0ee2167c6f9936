/**
 * The service manager that started us, as the service room sees it. `drivers/systemd` implements it; where nobody manages us it says nothing and hears nothing.
 */
export interface ServiceManager {
	/** Whether anybody listens. */
	readonly isThere: boolean;
	/** How long it waits for `WATCHDOG=1` before it kills us; 0: it does not watch, or nobody is there. */
	readonly watchdogMs: number;
	/** Assignments as sd_notify(3) has them (`READY=1`), in one message. Never throws, and is lost where nobody listens. */
	notify(...assignments: readonly string[]): void;
}
