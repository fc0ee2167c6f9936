/**
 * Whether an engine is alive, for a watchdog: stricter than health, which waits until the supervisor has given up on a hung engine; and more patient with an
 * engine that is being replaced, which is the supervisor doing its work.
 */
import type { SupervisorState } from "./supervisor-state.js";

type EngineLiveness = Pick<
	SupervisorState,
	"phase" | "onDemand" | "lastReportMsAgo" | "deathsInARow" | "lastDeath"
>;

/** @param silenceMsMax how long a living engine may stay silent. @returns what is wrong; undefined: nothing. */
export function heartbeatTrouble(
	{
		phase,
		onDemand,
		lastReportMsAgo = 0,
		deathsInARow,
		lastDeath,
	}: EngineLiveness,
	silenceMsMax: number,
): string | undefined {
	switch (phase) {
		case "ready":
			return lastReportMsAgo <= silenceMsMax
				? undefined
				: `no sign of life for more than ${silenceMsMax / 1000} s`;
		case "starting":
		case "backing-off":
			// the appliance does not depend on a lane that starts on demand
			return onDemand || deathsInARow <= 1
				? undefined
				: `keeps dying (${lastDeath})`;
		case "down":
			return onDemand ? undefined : "was not started";
		case "stopped":
			return undefined; // shutting down
	}
}
