/**
 * An idle-priority engine gets no CPU time on a device that is busy all day. An engine that had work for a while and hardly ran
 * is moved to the normal policy with its niceness, together with its child processes, until its work is done.
 *
 * An unprivileged process may leave Linux' idle policy only if it has the right to its niceness (RLIMIT_NICE; `LimitNICE=` in the unit). Without it
 * a warning is logged and nothing changes.
 */
import { readdirSync } from "node:fs";
import type { LogPort } from "../log/log-port.js";
import { statOf } from "../process/running-process.js";
import { idlePolicy, normalPolicy } from "./scheduling.js";

export interface PriorityBoostLimits {
	/** How long an engine with work may go without CPU time. */
	readonly boostAfterMs: number;
	/** A process that got more than this share of one core meanwhile is not boosted. */
	readonly shareMin: number;
}

export interface WatchedProcess {
	readonly pid: number | undefined;
	/** It has work to do. */
	readonly isBusy: boolean;
}

const checksPerWait = 10;
/** Linux reports CPU times in ticks of this length, whatever its internal clock (proc(5), sysconf(_SC_CLK_TCK)). */
const msPerTick = 10;

type State =
	| { readonly is: "resting" }
	| { readonly is: "waiting"; sinceMs: number; ranMs: number }
	| { readonly is: "boosted" }
	/** Not permitted. */
	| { readonly is: "failed" };

export class PriorityBoost {
	readonly #limits: PriorityBoostLimits;
	readonly #watched: () => WatchedProcess;
	readonly #log: LogPort;
	readonly #timer: NodeJS.Timeout;
	#state: State = { is: "resting" };

	constructor(
		limits: PriorityBoostLimits,
		watched: () => WatchedProcess,
		log: LogPort,
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
		const error = await normalPolicy(withChildren(pid));
		if (error === undefined) {
			this.#log.info(
				{ childPid: pid },
				"raised the engine's priority: it has had hardly any CPU time",
			);
			return;
		}
		this.#state = { is: "failed" };
		this.#log.warn(
			{ childPid: pid, reason: error },
			"the engine gets hardly any CPU time, and its priority can't be raised",
		);
	}

	async #restore(pid: number): Promise<void> {
		const wasBoosted = this.#state.is === "boosted";
		this.#state = { is: "resting" };
		if (!wasBoosted) return;
		const error = await idlePolicy(withChildren(pid));
		if (error !== undefined)
			this.#log.info(
				{ childPid: pid, reason: error },
				"the engine's priority can't be lowered again",
			);
	}
}

/** The process and its children. */
function withChildren(pid: number): number[] {
	const family = [pid];
	for (const name of readdirSync("/proc")) {
		if (!/^\d+$/.test(name)) continue;
		const [, parent] = statOf(Number(name)) ?? [];
		if (Number(parent) === pid) family.push(Number(name));
	}
	return family;
}

/** CPU time of all its threads since it started, including its finished children; 0: it has exited. */
function ranMsOf(pid: number): number {
	// utime, stime, cutime, cstime: fields 14 to 17; the state is field 3
	const ticks = statOf(pid)?.slice(11, 15) ?? [];
	return msPerTick * ticks.reduce((sum, it) => sum + Number(it), 0);
}
