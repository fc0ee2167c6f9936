/**
 * sd_notify(3) of the system's libsystemd, through ffi-rs: messages to the service manager come from this process, so `NotifyAccess=main` accepts them.
 * A helper program would not work: its messages have the helper's process id, which the manager rejects, and starting it takes 8 ms, while a call takes
 * 20 us.
 *
 * A call sends one message to a datagram socket and takes microseconds. It only blocks if the manager has hundreds of unread messages.
 */
import type { ServiceManager } from "../../runtime/service/manager-port.js";

type Debug = (fields: object, message: string) => void;

/** Without `NOTIFY_SOCKET` there is no service manager, and the library is not loaded. */
export async function openServiceManager(
	debug: Debug,
	environment: NodeJS.ProcessEnv = process.env,
): Promise<ServiceManager> {
	if (!environment.NOTIFY_SOCKET) return noManager;
	try {
		const sdNotify = await loadSdNotify();
		return {
			isThere: true,
			watchdogMs: watchdogMs(environment),
			notify: (...assignments) => {
				const sent = sdNotify(assignments.map(oneLine).join("\n"));
				if (sent < 0)
					debug({ errno: -sent }, "failed to notify the service manager");
			},
		};
	} catch (cause) {
		debug({ err: cause }, "failed to load libsystemd");
		return noManager;
	}
}

const noManager: ServiceManager = {
	isThere: false,
	watchdogMs: 0,
	notify: () => {},
};

/** @returns 1: sent; 0: no service manager; negative: an errno. */
async function loadSdNotify(): Promise<(state: string) => number> {
	const { DataType, load, open } = await import("ffi-rs");
	const library = "systemd";
	open({ library, path: "libsystemd.so.0" });
	const call = (state: string) =>
		load({
			library,
			funcName: "sd_notify",
			retType: DataType.I32,
			paramsType: [DataType.I32, DataType.String],
			paramsValue: [0, state], // 0: NOTIFY_SOCKET stays for the next call
		});
	return call;
}

/** `WATCHDOG_USEC`, if it is for this process (sd_watchdog_enabled(3)). */
function watchdogMs(environment: NodeJS.ProcessEnv): number {
	const { WATCHDOG_PID: pid, WATCHDOG_USEC: microseconds = "" } = environment;
	if (pid && Number(pid) !== process.pid) return 0;
	return /^\d{1,15}$/.test(microseconds) ? Number(microseconds) / 1000 : 0;
}

/** A newline would begin another assignment. */
function oneLine(assignment: string): string {
	return [...assignment]
		.map((character) => (character < " " ? " " : character))
		.join("");
}
