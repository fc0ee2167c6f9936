/**
 * Keeps one engine process alive: starts it, restarts it when it dies or uses too much memory, and backs off when it keeps dying.
 *
 * A fresh engine is ready in under a second, so no spare is kept: callers that need one meanwhile wait in `engine`.
 */

import { CodedError } from "../errors.js";
import type { LogPort } from "../log/log-port.js";
import type { RefusedProcessor } from "../models/inference-port.js";
import { RestartPolicy } from "../process/restart-policy.js";
import type { WorkerCommand } from "../process/worker-process.js";
import {
	diedStopping,
	type EngineDeadlines,
	type EngineExit,
	EngineProcess,
} from "./engine-process.js";
import { EngineWaiters } from "./engine-waiters.js";
import { type MemoryLimits, tooLarge } from "./memory-limit.js";
import type { EngineIdentity, EngineSettings } from "./protocol.js";
import {
	type Phase,
	type SupervisorHistory,
	type SupervisorState,
	stateOf,
} from "./supervisor-state.js";
import { warnOfRefusals } from "./warn-of-refusals.js";

/** Recognitions that are open when another model takes over have this long to end: most sessions are shorter, and both models are in memory meanwhile. */
const replacedMsMax = 3_600_000;

export interface SupervisorLimits extends EngineDeadlines, MemoryLimits {
	/** How long open recognitions have to end when their engine is stopped. */
	readonly drainMsMax: number;
	/** An engine without work for this long is stopped until it is needed; undefined: never. */
	readonly idleMsMax?: number;
	/** How long `engine` waits for one. */
	readonly waitMsMax: number;
	/** The first pause after too many deaths; doubles with each. */
	readonly backOffMs: number;
}

export class EngineSupervisor {
	readonly #command: WorkerCommand;
	#settings: EngineSettings;
	readonly #limits: SupervisorLimits;
	readonly #log: LogPort;
	readonly #policy: RestartPolicy;
	readonly #waiters = new EngineWaiters();
	readonly #history: SupervisorHistory = {
		starts: 0,
		deaths: 0,
		deathsInARow: 0,
		lastDeath: undefined,
	};
	#phase: Phase = { is: "down" };
	/** Processors that an engine died of before it was ready: later engines do not use them. */
	#distrusted: readonly RefusedProcessor[] = [];
	/** The weights on disk were verified once: a restart need not wait for their checksums. */
	#modelsProved = false;
	#idleTimer: NodeJS.Timeout | undefined;

	constructor(
		command: WorkerCommand,
		settings: EngineSettings,
		limits: SupervisorLimits,
		log: LogPort,
	) {
		this.#command = command;
		this.#settings = settings;
		this.#limits = limits;
		this.#log = log;
		this.#policy = new RestartPolicy(limits.backOffMs);
	}

	/** Starts an engine unless one is running. */
	start(): void {
		if (this.#phase.is === "down") this.#spawn();
	}

	/** The engine, as soon as it is ready; started if it was stopped for being idle. @throws CodedError 100004 when none is ready in time. */
	async engine(signal?: AbortSignal): Promise<EngineProcess> {
		this.start();
		if (this.#phase.is === "ready") return this.#phase.engine;
		if (this.#phase.is === "stopped") throw this.#refusal();
		const { waitMsMax } = this.#limits;
		if (this.state.backOffMs > waitMsMax) throw this.#refusal();
		return this.#waiters.wait(waitMsMax, () => this.#refusal(), signal);
	}

	/** Replaces a ready engine with a fresh one; the old one's open recognitions get a moment to end. Does nothing if no engine is ready. */
	restart(): void {
		if (this.#phase.is !== "ready") return;
		const { engine } = this.#phase;
		this.#log.warn(
			{ lane: this.#settings.lane },
			"restarting engine on request",
		);
		this.#retire(engine);
		if (this.#limits.idleMsMax === undefined) this.#spawn();
	}

	/**
	 * Replaces the engine with one that has other settings. The old one works on until the new one has passed its probe, and its open recognitions end with it. A
	 * lane that starts on demand only takes over the settings, for its next engine; one that is just starting is started anew. An engine that dies of a processor
	 * is tried once more without that processor.
	 * @throws Error with the reason; nothing has changed then.
	 */
	async replaceWith(settings: EngineSettings): Promise<void> {
		if (this.#limits.idleMsMax !== undefined) {
			this.#settings = settings;
			this.#modelsProved = false;
			if (this.#phase.is === "starting") {
				// whoever waits for it gets one with these settings
				this.#retire(this.#phase.engine);
				this.#spawn();
			} else this.restart();
			return;
		}
		const engine = this.#create(settings);
		const outcome = await new Promise<EngineIdentity | EngineExit>(
			(resolve) => {
				engine.ready.then(resolve, () => {}); // its exit says why
				engine.onExit = resolve;
			},
		);
		if ("reason" in outcome) {
			if (!this.#distrust(outcome)) throw new Error(outcome.reason);
			return this.replaceWith(settings);
		}
		const before = this.#phase;
		if (before.is === "stopped") return engine.stop(0);
		if (before.is === "backing-off") clearTimeout(before.timer);
		if (before.is === "starting" || before.is === "ready")
			this.#retire(before.engine, replacedMsMax);
		this.#settings = settings;
		this.#history.starts++;
		this.#adopt(engine);
		this.#onReady(engine, outcome);
	}

	/** Gives open recognitions `graceMs` to end, then kills. Final: nothing is started again. */
	async stop(graceMs: number): Promise<void> {
		const phase = this.#phase;
		this.#phase = { is: "stopped" };
		this.#forgetIdleness();
		this.#waiters.rejectAll(this.#refusal());
		if (phase.is === "backing-off") clearTimeout(phase.timer);
		if (phase.is === "starting" || phase.is === "ready")
			await phase.engine.stop(graceMs);
	}

	get state(): SupervisorState {
		const { lane } = this.#settings;
		const onDemand = this.#limits.idleMsMax !== undefined;
		return stateOf(this.#phase, { lane, onDemand }, this.#history);
	}

	#spawn(): void {
		this.#history.starts++;
		const engine = this.#create({
			...this.#settings,
			verify: this.#settings.verify && !this.#modelsProved,
		});
		this.#adopt(engine);
		engine.ready.then(
			(identity) => this.#onReady(engine, identity),
			() => {}, // handled in #onExit
		);
	}

	#create(settings: EngineSettings): EngineProcess {
		return new EngineProcess(
			this.#command,
			{ ...settings, distrusted: this.#distrusted },
			this.#limits,
			this.#log,
		);
	}

	/** @returns whether another processor is left to try. */
	#distrust({ requested, tried, reason }: EngineExit): boolean {
		if (requested || tried === undefined) return false;
		const why = `an engine died of it before it was ready: ${reason}`;
		this.#distrusted = [...this.#distrusted, { processor: tried, why }];
		return true;
	}

	#adopt(engine: EngineProcess): void {
		this.#phase = { is: "starting", engine };
		engine.onQuiet = () => this.#onQuiet(engine);
		engine.onExit = (exit) => this.#onExit(engine, exit);
	}

	#onReady(engine: EngineProcess, identity: EngineIdentity): void {
		if (!this.#isCurrent(engine)) return;
		this.#phase = { is: "ready", engine, identity, sinceMs: performance.now() };
		this.#modelsProved = true;
		this.#history.deathsInARow = 0;
		const { lane } = this.#settings;
		const { model, startMs, threads } = identity;
		this.#log.info(
			{ lane, childPid: engine.pid, model, startMs, threads },
			"engine is ready",
		);
		warnOfRefusals(this.#log, lane, identity);
		this.#waiters.resolveAll(engine);
		this.#onQuiet(engine);
	}

	#onExit(engine: EngineProcess, exit: EngineExit): void {
		const { lane } = this.#settings;
		const { reason } = exit;
		if (diedStopping(exit))
			this.#log.error(
				{ lane, childPid: engine.pid, reason },
				"engine died while it was stopping",
			);
		if (exit.requested) return;
		this.#history.deaths++;
		this.#history.deathsInARow++;
		this.#history.lastDeath = reason;
		this.#log.error({ lane, childPid: engine.pid, reason }, "engine died");
		this.#distrust(exit);
		if (!this.#isCurrent(engine)) return;
		this.#forgetIdleness();
		const pauseMs = this.#policy.died(performance.now());
		if (pauseMs === 0) this.#spawn();
		else this.#backOff(pauseMs);
	}

	#backOff(pauseMs: number): void {
		const { lane } = this.#settings;
		this.#log.error(
			{ lane, pauseMs: Math.round(pauseMs), reason: this.#history.lastDeath },
			"engine keeps dying; waiting before the next start",
		);
		const timer = setTimeout(() => this.#spawn(), pauseMs);
		const untilMs = performance.now() + pauseMs;
		this.#phase = { is: "backing-off", untilMs, timer };
		if (pauseMs < this.#limits.waitMsMax) return;
		this.#waiters.rejectAll(this.#refusal());
	}

	/** Called when an engine may be idle: replaces one that uses too much memory, or stops an idle one after a while. */
	#onQuiet(engine: EngineProcess): void {
		if (!this.#isCurrent(engine)) return;
		const large = tooLarge(this.#phase, this.#limits);
		if (large) {
			const { movers, bytesMax, readyBytes } = large;
			const { lane } = this.#settings;
			const rssBytes = engine.load?.rssBytes;
			this.#log.warn(
				{ lane, rssBytes, rssBytesMax: bytesMax, readyBytes },
				readyBytes > bytesMax
					? "restarting engine: it needs more memory than engine.rss_megabytes_max from the start"
					: "restarting engine: it uses too much memory",
			);
			this.#retire(engine);
			this.#spawn();
			for (const move of movers) move();
		} else if (engine.recognitions > 0) this.#forgetIdleness();
		else if (this.#limits.idleMsMax !== undefined)
			this.#idleTimer ??= setTimeout(() => {
				this.#idleTimer = undefined;
				if (this.#isCurrent(engine) && engine.recognitions === 0)
					this.#retire(engine);
			}, this.#limits.idleMsMax);
	}

	/** The engine is no longer the current one. @param graceMs for its open recognitions */
	#retire(engine: EngineProcess, graceMs = this.#limits.drainMsMax): void {
		this.#forgetIdleness();
		this.#phase = { is: "down" };
		void engine.stop(graceMs);
	}

	#forgetIdleness(): void {
		clearTimeout(this.#idleTimer);
		this.#idleTimer = undefined;
	}

	#isCurrent(engine: EngineProcess): boolean {
		const phase = this.#phase;
		return (
			(phase.is === "starting" || phase.is === "ready") &&
			phase.engine === engine
		);
	}

	#refusal(): CodedError {
		const seconds = Math.max(1, Math.ceil(this.state.backOffMs / 1000));
		return new CodedError("100004", "no recognition engine is ready", {
			retryAfterSeconds: seconds,
		});
	}
}
