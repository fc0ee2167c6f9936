/**
 * sd_notify(3) of the system's libsystemd: what the service manager is told comes from this very process, so `NotifyAccess=main` takes it. The
 * only file here that knows ffi-rs. Not a helper program: its messages bear the helper's number, which the manager
 * turns away, and starting one takes 8 ms where a call takes 20 us.
 *
 * A call is one message into a datagram socket and takes microseconds. It would wait only where the manager has left hundreds of messages unread.
 */
import type { ServiceManager } from "../../runtime/service/manager-port.js";

type Debug = (fields: object, message: string) => void;

/** Without `NOTIFY_SOCKET` nobody listens: nothing is loaded. */
export async function openServiceManager(
	debug: Debug,
	environment: NodeJS.ProcessEnv = process.env,
): Promise<ServiceManager> {
	if (!environment.NOTIFY_SOCKET) return nobody;
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
		return nobody;
	}
}

const nobody: ServiceManager = {
	isThere: false,
	watchdogMs: 0,
	notify: () => {},
};

/** @returns 1: sent; 0: nobody listens; negative: an errno. */
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

/** `WATCHDOG_USEC`, where it is meant for this process (sd_watchdog_enabled(3)). */
function watchdogMs(environment: NodeJS.ProcessEnv): number {
	const { WATCHDOG_PID: pid, WATCHDOG_USEC: microseconds = "" } = environment;
	if (pid && Number(pid) !== process.pid) return 0;
	return /^\d{1,15}$/.test(microseconds) ? Number(microseconds) / 1000 : 0;
}

/** A line end would begin another assignment. */
function oneLine(assignment: string): string {
	return [...assignment]
		.map((character) => (character < " " ? " " : character))
		.join("");
}
