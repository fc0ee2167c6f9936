/**
 * The loop that runs the unfinished tasks: starts those that may run, and decides by the end of a run when the task's next turn comes. Which one runs next is
 * decided in queue.ts, how one runs in task-run.ts.
 *
 * INVARIANTS
 * - A task has at most one run at a time.
 * - A task leaves the loop only when it is finished or taken out, whatever errors occur.
 */

import type { JobLane } from "../engine/remote-job.js";
import { isUnfinished, type TaskRow } from "../store/tasks.js";
import { brokenMs, noEngineMs } from "./back-off.js";
import { inOrder, nextTasks, type QueuedTask } from "./queue.js";
import type { RunParts, TaskInHand } from "./run-parts.js";
import { type RunEnd, runTask } from "./task-run.js";
import type { UnfinishedTask } from "./unfinished.js";
import { freshWork } from "./work.js";

export interface LoopParts extends RunParts {
	/** Tasks run at the same time. */
	readonly slots: number;
	/** A task was completed or failed; its callback, where it has one, is in the outbox. */
	readonly onFinished: (row: TaskRow) => void;
	/** Gets the tasks that could run on another device's engine (`lend`), each time the loop has started what it can. */
	readonly onWaiting?: (ids: readonly string[]) => void;
}

export class TaskLoop {
	readonly #parts: LoopParts;
	readonly #tasks = new Map<string, UnfinishedTask>();
	#timer: NodeJS.Timeout | undefined;
	#isRunning = false;
	#audioSeconds = 0;
	/** One after the other. */
	#triesWithoutEngine = 0;
	#engineNotBeforeMs = 0;

	constructor(parts: LoopParts) {
		this.#parts = parts;
	}

	start(): void {
		this.#isRunning = true;
		this.pump();
	}

	/** Tasks in progress are resumed after the next start. */
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

	/** Removes a task and releases its word lists. */
	takeOut(id: string): void {
		this.#tasks.get(id)?.release();
		this.#tasks.delete(id);
	}

	/** Starts the tasks that may run now. */
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
		const begun = next.map(({ id }) => this.#run(id));
		if (begun.includes(false)) {
			this.pump(); // its place is free for another
			return;
		}
		this.#parts.onWaiting?.(
			inOrder(
				waiting
					.filter((it) => mayBeLent(it, nowMs))
					.map((it) => this.#queued(it)),
			).map((it) => it.id),
		);
		const later = waiting.filter((it) => it.notBeforeMs > nowMs);
		if (later.length === 0) return;
		const soonest = Math.min(...later.map((it) => it.notBeforeMs));
		this.#timer = setTimeout(() => this.pump(), soonest - nowMs + 1);
	}

	/** Runs a waiting task on another device's engine; it takes no slot. @returns the end of the run; undefined where the task is no longer waiting. */
	lend(id: string, lane: JobLane): Promise<void> | undefined {
		const task = this.#tasks.get(id);
		const nowMs = performance.now();
		if (!this.#isRunning || !task || !mayBeLent(task, nowMs)) return undefined;
		this.#run(id, lane);
		return task.run?.ended;
	}

	#queued(task: UnfinishedTask): QueuedTask {
		const waitedSeconds = this.#parts.clock.ageSeconds(task.inserted);
		return { ...task, waitedSeconds };
	}

	/** @param lane of another device; absent: our own engine. @returns false where there is nothing to run: it is no longer in the loop. */
	#run(id: string, lane?: JobLane): boolean {
		const known = this.#tasks.get(id);
		const row = this.#parts.store.tasks.find(id);
		const options = this.#parts.store.tasks.options(id);
		// a write that failed may have been made: of its removal, or of its end
		if (!known || !row || !options || !isUnfinished(row.state)) {
			this.#onFinished(id);
			return false;
		}
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
		return true;
	}

	async #onEnd(task: UnfinishedTask, end: RunEnd): Promise<void> {
		task.broken = 0;
		if (end.is !== "no-engine") this.#triesWithoutEngine = 0;
		switch (end.is) {
			case "finished":
				this.#onFinished(task.id);
				await this.#clearAway(task.id);
				return;
			case "again":
				task.dangerous = end.dangerous;
				return;
			case "no-engine":
				this.#waitForEngine();
				return;
			case "stopped":
				return;
		}
	}

	#waitForEngine(): void {
		const nowMs = performance.now();
		// otherwise another run has found it out
		if (nowMs >= this.#engineNotBeforeMs)
			this.#engineNotBeforeMs = nowMs + noEngineMs(this.#triesWithoutEngine++);
		for (const it of this.#tasks.values())
			it.notBeforeMs = this.#engineNotBeforeMs;
	}

	#onFinished(id: string): void {
		const row = this.#parts.store.tasks.find(id);
		this.takeOut(id);
		if (!row) return;
		if (row.state === "completed") this.#audioSeconds += row.audioMs / 1000;
		this.#parts.onFinished(row);
	}

	/** Deletes the working data of a finished task; what remains is deleted by the sweeper. */
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

	/** An error without a known fault of the task: of the disk, or a bug. The task is retried later, after the others. */
	#onBroken(task: UnfinishedTask, error: unknown): void {
		const { log } = this.#parts;
		log.error({ task: task.id, err: error }, "running a task failed");
		task.notBeforeMs = performance.now() + brokenMs(task.broken++);
		task.begun = false;
	}
}

/** A task over which an engine died is not lent to other devices; one that only waits for our own engine is. */
function mayBeLent(task: UnfinishedTask, nowMs: number): boolean {
	const { run, standing, dangerous, broken, notBeforeMs } = task;
	const isPaused = broken > 0 && notBeforeMs > nowMs;
	return !run && standing === "here" && !dangerous && !isPaused;
}
