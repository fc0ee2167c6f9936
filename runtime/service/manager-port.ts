/** The service manager that started this process, as runtime/service sees it. Implemented in `drivers/systemd`; without a service manager nothing is sent. */
export interface ServiceManager {
	/** Whether a service manager is present. */
	readonly isThere: boolean;
	/** How long it waits for `WATCHDOG=1` before it kills this process; 0: no watchdog, or no service manager. */
	readonly watchdogMs: number;
	/** Sends assignments as in sd_notify(3) (`READY=1`) in one message. Never throws; the message is lost without a service manager. */
	notify(...assignments: readonly string[]): void;
}
