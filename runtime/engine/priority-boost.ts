/**
 * An engine that takes only what nobody else wants of the processor gets nothing on a device that is busy all day. One that had work for a while and hardly ran is
 * given the share of its niceness instead, with the programs that it started, until its work is done.
 *
 * To leave Linux' idle policy a process without privileges needs the right to its niceness (RLIMIT_NICE; `LimitNICE=` in the unit): where it has none, the log says so
 * and all stays as it is.
 */
import { readdirSync } from "node:fs";
import { statOf } from "../process/running-process.js";
import type { EngineLog } from "./log-port.js";
import { idlePolicy, normalPolicy } from "./scheduling.js";

export interface PriorityBoostLimits {
	/** How long it may wait. */
	readonly boostAfterMs: number;
	/** Who got more of one core meanwhile has come on. */
	readonly shareMin: number;
}

export interface WatchedProcess {
	readonly pid: number | undefined;
	/** Something waits for it. */
	readonly isBusy: boolean;
}

const checksPerWait = 10;
/** Linux tells times in these, whatever its own clock (proc(5), sysconf(_SC_CLK_TCK)). */
const msPerTick = 10;

type State =
	| { readonly is: "resting" }
	| { readonly is: "waiting"; sinceMs: number; ranMs: number }
	| { readonly is: "boosted" }
	/** It may not. */
	| { readonly is: "failed" };

export class PriorityBoost {
	readonly #limits: PriorityBoostLimits;
	readonly #watched: () => WatchedProcess;
	readonly #log: EngineLog;
	readonly #timer: NodeJS.Timeout;
	#state: State = { is: "resting" };

	constructor(
		limits: PriorityBoostLimits,
		watched: () => WatchedProcess,
		log: EngineLog,
	) {
		this.#limits = limits;
		this.#watched = watched;
		this.#log = log;
		this.#timer = setInterval(
			() => void this.#check(),
			limits.boostAfterMs / checksPerWait,
		);
		this.#timer.unref();
	}

	stop(): void {
		clearInterval(this.#timer);
	}

	async #check(): Promise<void> {
		const { pid, isBusy } = this.#watched();
		if (pid === undefined || this.#state.is === "failed") return;
		if (!isBusy) return this.#restore(pid);
		const [nowMs, ranMs] = [performance.now(), ranMsOf(pid)];
		if (this.#state.is === "resting")
			this.#state = { is: "waiting", sinceMs: nowMs, ranMs };
		if (this.#state.is !== "waiting") return;
		const waitedMs = nowMs - this.#state.sinceMs;
		if (waitedMs < this.#limits.boostAfterMs) return;
		if (ranMs - this.#state.ranMs < this.#limits.shareMin * waitedMs)
			await this.#boost(pid);
		else this.#state = { is: "waiting", sinceMs: nowMs, ranMs };
	}

	async #boost(pid: number): Promise<void> {
		this.#state = { is: "boosted" };
		const trouble = await normalPolicy(withChildren(pid));
		if (trouble === undefined) {
			this.#log.info(
				{ pid },
				"raising the engine's priority: it waited long enough",
			);
			return;
		}
		this.#state = { is: "failed" };
		this.#log.warn(
			{ pid, reason: trouble },
			"engine gets hardly any CPU time and is not allowed to raise its priority",
		);
	}

	async #restore(pid: number): Promise<void> {
		const wasBoosted = this.#state.is === "boosted";
		this.#state = { is: "resting" };
		if (!wasBoosted) return;
		const trouble = await idlePolicy(withChildren(pid));
		if (trouble !== undefined)
			this.#log.info({ pid, reason: trouble }, "engine keeps its low priority");
	}
}

/** The process, and those it started. */
function withChildren(pid: number): number[] {
	const family = [pid];
	for (const name of readdirSync("/proc")) {
		if (!/^\d+$/.test(name)) continue;
		const [, parent] = statOf(Number(name)) ?? [];
		if (Number(parent) === pid) family.push(Number(name));
	}
	return family;
}

/** Of all its threads, since it began; 0: it is gone. Programs that it started and that ended are in it. */
function ranMsOf(pid: number): number {
	// utime, stime, cutime, cstime: fields 14 to 17; the state is field 3
	const ticks = statOf(pid)?.slice(11, 15) ?? [];
	return msPerTick * ticks.reduce((sum, it) => sum + Number(it), 0);
}
