/**
 * One engine process from its start to its death, seen from the main process: sends and receives the protocol, enforces its deadlines, and
 * notifies every recognition that it held when it dies. It restarts nothing: that is the supervisor's job.
 */

import { Deferred } from "../event-loop/deferred.js";
import type { LogPort } from "../log/log-port.js";
import type { Processor } from "../models/inference-port.js";
import {
	type WorkerCommand,
	WorkerProcess,
} from "../process/worker-process.js";
import type { Mover } from "../session/lane-port.js";
import type { WordList } from "../words/word-list.js";
import { PriorityBoost } from "./priority-boost.js";
import type {
	EngineIdentity,
	EngineLoad,
	EngineSettings,
	FromEngine,
	ToEngine,
} from "./protocol.js";
import { SentWordLists } from "./sent-word-lists.js";
import { isStarved } from "./starvation.js";

export interface EngineDeadlines {
	/** From the start to `ready`. */
	readonly readyMsMax: number;
	readonly pingMs: number;
	/** A ping unanswered for this long means a hung engine. Longer than the longest inference. */
	readonly pingMsMax: number;
	/** An idle-priority engine that hardly ran for this long is given normal priority; undefined: never. */
	readonly boostAfterMs?: number;
}

const lateReason = "did not drain";
/** A silent engine that is found starved this often is killed all the same: about ten minutes. */
const starvedChecksMax = 600;
/** Of one core: at a tenth of a core a file is transcribed in about real time. */
const shareMin = 0.05;

/** What one recognition, or one job, receives from its engine. */
export type RecognitionMessage = Extract<
	FromEngine,
	{ readonly is: "event" | "job-event" | "failed" | "credit" }
>;

export interface EngineMessageListener {
	onMessage(message: RecognitionMessage): void;
	/** The process died; nothing more comes. */
	onLost(exit: EngineExit): void;
	mover?: Mover;
}

export interface EngineExit {
	/** The exit was intended: stop, drain, or the end of this program. */
	readonly requested: boolean;
	/** For the log and for /healthz. */
	readonly reason: string;
	/** The processor it tried or used, if it died before it was ready. */
	readonly tried?: Processor;
}

/** Whether an engine that was asked to end died instead. */
export function diedStopping({ requested, reason }: EngineExit): boolean {
	return requested && reason !== "exit code 0" && reason !== lateReason;
}

export class EngineProcess {
	readonly #worker: WorkerProcess<FromEngine, ToEngine>;
	readonly #deadlines: EngineDeadlines;
	readonly #log: LogPort;
	readonly #recognitions = new Map<number, EngineMessageListener>();
	readonly #ready = new Deferred<EngineIdentity>();
	readonly #exited = new Deferred<EngineExit>();
	readonly #wordLists = new SentWordLists((message) => this.send(message));
	/** It runs at idle priority and may get no CPU time for a while. */
	readonly #isIdleOnly: boolean;
	readonly #boost: PriorityBoost | undefined;
	#timer: NodeJS.Timeout;
	#nextId = 1;
	#pingId = 0;
	#load: EngineLoad | undefined;
	#lastReportMs: number | undefined;
	#tried: Processor | undefined;
	#startError: string | undefined;
	#stopping = false;
	/** How it ended. */
	#exit: EngineExit | undefined;
	/** Called when a load report came in, or the last recognition ended. */
	onQuiet: () => void = () => {};
	/** Called before recognitions are notified of the loss: they ask for the next engine at once. */
	onExit: (exit: EngineExit) => void = () => {};

	constructor(
		command: WorkerCommand,
		settings: EngineSettings,
		deadlines: EngineDeadlines,
		log: LogPort,
	) {
		this.#deadlines = deadlines;
		this.#isIdleOnly = settings.idleOnly;
		this.#log = log;
		this.#worker = new WorkerProcess(command, {
			onMessage: (message) => this.#onMessage(message),
			onEnd: (reason) => this.#onEnd(this.#startError ?? reason),
		});
		this.#timer = this.#deadline("not ready in time", deadlines.readyMsMax);
		if (settings.idleOnly && deadlines.boostAfterMs !== undefined)
			this.#boost = new PriorityBoost(
				{ boostAfterMs: deadlines.boostAfterMs, shareMin },
				() => ({ pid: this.pid, isBusy: this.#hasWork() }),
				log,
			);
		this.send({ is: "start", settings });
	}

	/** Rejects when the process dies first. */
	get ready(): Promise<EngineIdentity> {
		return this.#ready.promise;
	}

	/** Never rejects. */
	get exited(): Promise<EngineExit> {
		return this.#exited.promise;
	}

	get pid(): number | undefined {
		return this.#worker.pid;
	}

	/** The last report, if there was one. */
	get load(): EngineLoad | undefined {
		return this.#load;
	}

	/** Since its last sign of life; undefined: there was none yet. */
	get lastReportMsAgo(): number | undefined {
		return this.#lastReportMs && performance.now() - this.#lastReportMs;
	}

	get recognitions(): number {
		return this.#recognitions.size;
	}

	/** How each of its recognitions goes on in another engine; undefined while one can't. */
	movers(): readonly (() => void)[] | undefined {
		const movers: (() => void)[] = [];
		for (const listener of this.#recognitions.values()) {
			const mover = listener.mover?.();
			if (!mover) return undefined;
			movers.push(mover);
		}
		return movers;
	}

	/** Whether it was ever given a recognition or job. */
	get hasWorked(): boolean {
		return this.#nextId > 1;
	}

	/** Gives a recognition an id and the messages about it, until `detach`. */
	attach(listener: EngineMessageListener): number {
		const id = this.#nextId++;
		const exit = this.#exit;
		if (exit) queueMicrotask(() => listener.onLost(exit));
		else this.#recognitions.set(id, listener);
		return id;
	}

	detach(id: number): void {
		if (this.#recognitions.delete(id) && this.#recognitions.size === 0)
			this.onQuiet();
	}

	/** Silently dropped when the process is gone; listeners get `onLost`. */
	send(message: ToEngine): void {
		this.#worker.send(message);
	}

	/** Makes sure the engine has these lists. @param then sends the message that names them; called once, possibly at once. */
	supply(lists: readonly WordList[], then: () => void): void {
		this.#wordLists.supply(lists, then);
	}

	kill(reason: string): void {
		this.#worker.kill(reason);
	}

	/** For an engine whose answer is late. @param isOver checked before it is killed: the answer may have arrived meanwhile. */
	async killIfHung(reason: string, isOver: () => boolean): Promise<void> {
		const checks = this.#isIdleOnly ? starvedChecksMax : 0;
		for (let check = 0; check < checks; check++) {
			if (isOver() || this.#exit) return;
			if (!(await isStarved(this.pid))) break;
		}
		if (!isOver()) this.kill(reason);
	}

	/** Starting counts as work: someone waits for the engine. */
	#hasWork(): boolean {
		return this.#recognitions.size > 0 || this.#lastReportMs === undefined;
	}

	/** Gives open recognitions `graceMs` to end, then kills. */
	async stop(graceMs: number): Promise<void> {
		this.#stopping = true;
		await this.#worker.stop({ is: "drain" }, graceMs, lateReason);
	}

	#onMessage(message: FromEngine): void {
		switch (message.is) {
			case "ready":
				this.#lastReportMs = performance.now();
				this.#tried = undefined;
				this.#ready.resolve(message.identity);
				this.#ping();
				return;
			case "tries":
				this.#tried = message.processor;
				return;
			case "broken":
				this.#startError = message.message;
				return;
			case "pong":
				this.#onPong(message.id, message.load);
				return;
			case "log":
				this.#log[message.level](
					{ ...message.fields, childPid: this.pid },
					message.message,
				);
				return;
			default:
				this.#recognitions.get(message.id)?.onMessage(message);
		}
	}

	#deadline(reason: string, ms: number): NodeJS.Timeout {
		const timer = setTimeout(() => {
			void this.killIfHung(reason, () => this.#timer !== timer);
		}, ms);
		return timer;
	}

	#ping(): void {
		clearTimeout(this.#timer);
		this.send({ is: "ping", id: ++this.#pingId });
		this.#timer = this.#deadline(
			"hung: no answer to a ping",
			this.#deadlines.pingMsMax,
		);
	}

	#onPong(id: number, load: EngineLoad): void {
		if (id !== this.#pingId) return;
		this.#load = load;
		this.#lastReportMs = performance.now();
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#ping(), this.#deadlines.pingMs);
		this.onQuiet();
	}

	#onEnd(reason: string): void {
		clearTimeout(this.#timer);
		this.#boost?.stop();
		const exit = {
			requested: this.#stopping,
			reason,
			...(this.#tried && { tried: this.#tried }),
		};
		this.#exit = exit;
		this.onExit(exit);
		this.#exited.resolve(exit);
		this.#ready.reject(new Error(`engine process: ${reason}`));
		const lost = [...this.#recognitions.values()];
		this.#recognitions.clear();
		for (const listener of lost) listener.onLost(exit);
	}
}
