/**
 * The loop that runs the unfinished tasks: starts what may run, and decides by how a run ended when the task's turn comes again. Which one runs next is
 * decided in queue.ts, how one runs in task-run.ts.
 *
 * INVARIANTS
 * - A task is run by nobody or once.
 * - A task leaves the loop by being finished or taken out, whatever goes wrong meanwhile.
 */

import type { JobLane } from "../engine/remote-job.js";
import { backOff } from "../limits/back-off.js";
import type { TaskRow } from "../store/tasks.js";
import { nextTasks, type QueuedTask } from "./queue.js";
import type { RunParts, TaskInHand } from "./run-parts.js";
import { type RunEnd, runTask } from "./task-run.js";
import type { UnfinishedTask } from "./unfinished.js";
import { freshWork } from "./work.js";

export interface LoopParts extends RunParts {
	/** Tasks run at the same time. */
	readonly slots: number;
	/** A task was completed or failed; its callback, where it has one, is in the outbox. */
	readonly onFinished: (row: TaskRow) => void;
	/** Tasks that could run if somebody had an engine for them (`lend`); told whenever the loop has looked. */
	readonly onWaiting?: (ids: readonly string[]) => void;
}

/** How long nobody asks for an engine where none was to be had. */
const noEngineMs = 5000;
const brokenMsMin = 1000;
const brokenMsMax = 60_000;

export class TaskLoop {
	readonly #parts: LoopParts;
	readonly #tasks = new Map<string, UnfinishedTask>();
	#timer: NodeJS.Timeout | undefined;
	#isRunning = false;
	#audioSeconds = 0;

	constructor(parts: LoopParts) {
		this.#parts = parts;
	}

	start(): void {
		this.#isRunning = true;
		this.pump();
	}

	/** What is under way is gone on with after the next start. */
	async stop(): Promise<void> {
		this.#isRunning = false;
		clearTimeout(this.#timer);
		const runs = [...this.#tasks.values()].flatMap((it) => it.run ?? []);
		for (const { abort } of runs) abort.abort();
		await Promise.all(runs.map((it) => it.ended));
	}

	/** Unfinished tasks. */
	get size(): number {
		return this.#tasks.size;
	}

	/** Transcribed since the start. */
	get audioSeconds(): number {
		return this.#audioSeconds;
	}

	find(id: string): UnfinishedTask | undefined {
		return this.#tasks.get(id);
	}

	put(task: UnfinishedTask): void {
		this.#tasks.set(task.id, task);
	}

	/** Its lists are given back. */
	takeOut(id: string): void {
		this.#tasks.get(id)?.release();
		this.#tasks.delete(id);
	}

	/** Starts what may run now. */
	pump(): void {
		if (!this.#isRunning) return;
		clearTimeout(this.#timer);
		const tasks = [...this.#tasks.values()];
		const running = tasks.filter((it) => it.run && !it.run.isLent);
		const nowMs = performance.now();
		const waiting = tasks.filter((it) => !it.run && it.standing === "here");
		const ready = waiting.filter((it) => it.notBeforeMs <= nowMs);
		const next = nextTasks(
			ready.map((it) => this.#queued(it)),
			{
				count: running.length,
				dangerous: running.some((it) => it.dangerous),
			},
			this.#parts.slots,
		);
		for (const { id } of next) this.#run(id);
		this.#parts.onWaiting?.(
			ready.filter((it) => mayBeLent(it)).map((it) => it.id),
		);
		const later = waiting.filter((it) => it.notBeforeMs > nowMs);
		if (later.length === 0) return;
		const soonest = Math.min(...later.map((it) => it.notBeforeMs));
		this.#timer = setTimeout(() => this.pump(), soonest - nowMs + 1);
	}

	/** A task that waits is run by an engine elsewhere, beside the slots. @returns the end of the run; undefined where the task does not wait any more. */
	lend(id: string, lane: JobLane): Promise<void> | undefined {
		const task = this.#tasks.get(id);
		if (!this.#isRunning || !task || !mayBeLent(task)) return undefined;
		if (task.notBeforeMs > performance.now()) return undefined;
		this.#run(id, lane);
		return task.run?.ended;
	}

	#queued(task: UnfinishedTask): QueuedTask {
		const waitedSeconds = this.#parts.clock.ageSeconds(task.inserted);
		return { ...task, waitedSeconds };
	}

	/** @param lane where it is not run by our own engine. */
	#run(id: string, lane?: JobLane): void {
		const known = this.#tasks.get(id);
		const row = this.#parts.store.tasks.find(id);
		const options = this.#parts.store.tasks.options(id);
		if (!known || !row || !options) return;
		const abort = new AbortController();
		const { store, audio } = this.#parts;
		const task: TaskInHand = {
			id,
			options,
			path: audio.path(row.audioId),
			signal: abort.signal,
			row,
			work: store.work.get(id) ?? freshWork(options.channels),
			onProgress: (percent) => {
				known.progress = Math.max(known.progress, percent);
			},
		};
		const parts = lane ? { ...this.#parts, lane } : this.#parts;
		const ended = runTask(parts, task)
			.then((end) => this.#onEnd(known, end))
			.catch((error: unknown) => this.#onBroken(known, error));
		known.begun = true;
		known.run = {
			abort,
			isLent: lane !== undefined,
			ended: ended.then(() => {
				delete known.run;
				this.pump();
			}),
		};
	}

	async #onEnd(task: UnfinishedTask, end: RunEnd): Promise<void> {
		task.broken = 0;
		switch (end.is) {
			case "finished":
				this.#onFinished(task.id);
				await this.#clearAway(task.id);
				return;
			case "again":
				task.dangerous = end.dangerous;
				return;
			case "no-engine": {
				const untilMs = performance.now() + noEngineMs;
				for (const it of this.#tasks.values()) it.notBeforeMs = untilMs;
				return;
			}
			case "stopped":
				return;
		}
	}

	#onFinished(id: string): void {
		const row = this.#parts.store.tasks.find(id);
		this.takeOut(id);
		if (!row) return;
		if (row.state === "completed") this.#audioSeconds += row.audioMs / 1000;
		this.#parts.onFinished(row);
	}

	/** What a finished task needs no more; what stays is swept away later. */
	async #clearAway(id: string): Promise<void> {
		const { store, log } = this.#parts;
		try {
			await store.work.clear(id);
			if (store.tasks.find(id)?.state === "failed")
				await store.results.clear(id);
		} catch (error) {
			log.warn(
				{ task: id, err: error },
				"failed to delete the working data of a task, left to the sweeper",
			);
		}
	}

	/** No fault of the task that anybody knows of: the disk, or ours. It comes back later, and others go first. */
	#onBroken(task: UnfinishedTask, error: unknown): void {
		const { log } = this.#parts;
		log.error({ task: task.id, err: error }, "running a task failed");
		const pauseMs = backOff(task.broken++, brokenMsMin, brokenMsMax);
		task.notBeforeMs = performance.now() + pauseMs;
		task.begun = false;
	}
}

/** One that an engine died of is nobody else's trouble. */
function mayBeLent(task: UnfinishedTask): boolean {
	return !task.run && task.standing === "here" && !task.dangerous;
}
