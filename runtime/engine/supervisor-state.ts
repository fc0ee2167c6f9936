/** A supervisor's state, for itself and for its readers: health, metrics, the heartbeat. */
import type { EngineProcess } from "./engine-process.js";
import type { EngineIdentity, EngineLoad, EngineSettings } from "./protocol.js";

export type Phase =
	/** Nothing runs, nothing is wanted (before `start`, or idle on demand). */
	| { readonly is: "down" }
	| { readonly is: "starting"; readonly engine: EngineProcess }
	| {
			readonly is: "ready";
			readonly engine: EngineProcess;
			readonly identity: EngineIdentity;
			/** Since when, by the monotonic clock. */
			readonly sinceMs: number;
	  }
	| {
			readonly is: "backing-off";
			readonly untilMs: number;
			readonly timer: NodeJS.Timeout;
	  }
	/** For good. */
	| { readonly is: "stopped" };

/** What has happened since the supervisor was created. */
export interface SupervisorHistory {
	/** Engines started, for any reason. */
	starts: number;
	/** Engines that died without being stopped. */
	deaths: number;
	/** Deaths since an engine was last ready. */
	deathsInARow: number;
	lastDeath: string | undefined;
}

export interface SupervisorState
	extends Readonly<Omit<SupervisorHistory, "starts">> {
	readonly lane: EngineSettings["lane"];
	readonly phase: Phase["is"];
	readonly onDemand: boolean;
	readonly identity: EngineIdentity | undefined;
	readonly load: EngineLoad | undefined;
	/** Engines started after the first. */
	readonly restarts: number;
	/** Since the ready engine's last sign of life. */
	readonly lastReportMsAgo: number | undefined;
	/** Until the next try, when backing off. */
	readonly backOffMs: number;
}

export function stateOf(
	phase: Phase,
	about: Pick<SupervisorState, "lane" | "onDemand">,
	{ starts, ...deaths }: SupervisorHistory,
): SupervisorState {
	const ready = phase.is === "ready" ? phase : undefined;
	return {
		...about,
		...deaths,
		phase: phase.is,
		identity: ready?.identity,
		load: ready?.engine.load,
		restarts: Math.max(0, starts - 1),
		lastReportMsAgo: ready?.engine.lastReportMsAgo,
		backOffMs:
			phase.is === "backing-off"
				? Math.max(0, phase.untilMs - performance.now())
				: 0,
	};
}
