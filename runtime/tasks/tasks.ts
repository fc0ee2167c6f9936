/**
 * The tasks of this appliance: what the doors ask of them (`TaskDesk`), and the loop that runs them. Which one runs next is decided in queue.ts, how one runs in
 * task-run.ts.
 *
 * INVARIANTS
 * - A task is run by nobody or once; it is removed when its run has ended.
 * - The stored lists of words that an unfinished task names are held, after a restart as well.
 * - A task leaves the queue by being finished or removed, whatever goes wrong meanwhile.
 */
import { CodedError, type StatusCode } from "../errors.js";
import type { TaskRow } from "../store/tasks.js";
import { nextTasks, type QueuedTask } from "./queue.js";
import type { RunParts, TaskInHand } from "./run-parts.js";
import type {
	NewTask,
	StoredResult,
	TaskDesk,
	TaskState,
	TaskView,
} from "./task-desk.js";
import { type RunEnd, runTask } from "./task-run.js";
import { freshWork, isDangerous } from "./work.js";

export interface TasksParts extends RunParts {
	/** Tasks run at the same time. */
	readonly slots: number;
	/** Unfinished tasks; more are refused. */
	readonly queueMax: number;
	/** A task was completed or failed; its callback, where it has one, is in the outbox. */
	readonly onFinished: (row: TaskRow) => void;
}

/** A task in the queue, or in hand. */
interface Entry {
	readonly id: string;
	readonly order: number;
	readonly vip: boolean;
	readonly insertSeconds: number;
	/** Gives its lists back. */
	readonly release: () => void;
	begun: boolean;
	dangerous: boolean;
	progress: number;
	/** Not before, by the clock that never runs backwards. */
	notBeforeMs: number;
	/** Runs in a row that broke. */
	broken: number;
	run?: { readonly abort: AbortController; readonly ended: Promise<void> };
}

/** How long nobody asks for an engine where none was to be had. */
const noEngineMs = 5000;
const brokenMsMin = 1000;
const brokenMsMax = 60_000;
const queueFullSeconds = 60;

export class Tasks implements TaskDesk {
	readonly #parts: TasksParts;
	/** Every unfinished task. */
	readonly #entries = new Map<string, Entry>();
	readonly #removals = new Map<string, Promise<boolean>>();
	#timer: NodeJS.Timeout | undefined;
	#state: "new" | "running" | "stopped" = "new";
	#audioSeconds = 0;

	constructor(parts: TasksParts) {
		this.#parts = parts;
	}

	/** Takes up what was left unfinished. @throws StoreError */
	async start(): Promise<void> {
		const { store } = this.#parts;
		for (const row of store.tasks.list()) {
			if (row.state !== 2 && row.state !== 3) continue;
			const options = store.tasks.options(row.id);
			if (!options) continue; // written with its row: never
			const work = store.work.get(row.id);
			this.#entries.set(row.id, {
				...entryOf(row, this.#holdAgain(row.id, options)),
				begun: work !== undefined,
				dangerous: work !== undefined && isDangerous(work),
				progress: work?.progress ?? 0,
			});
			if (row.state === 2) await store.tasks.change({ ...row, state: 3 });
		}
		this.#state = "running";
		this.#pump();
	}

	/** What is under way is gone on with after the next start. */
	async stop(): Promise<void> {
		this.#state = "stopped";
		clearTimeout(this.#timer);
		const runs = [...this.#entries.values()].flatMap((it) => it.run ?? []);
		for (const { abort } of runs) abort.abort();
		await Promise.all(runs.map((it) => it.ended));
		await Promise.allSettled(this.#removals.values());
	}

	async submit(task: NewTask): Promise<void> {
		const { store, words, queueMax, nowSeconds } = this.#parts;
		if (this.#state === "stopped" || this.#entries.size >= queueMax)
			throw new CodedError(
				"100004",
				`at capacity, try again later: ${this.#entries.size} files wait to be transcribed`,
				{ retryAfterSeconds: queueFullSeconds },
			);
		const { id, owner, fileName, audioId, audioMs, options } = task;
		const release = words.hold(words.find(options));
		const row: TaskRow = {
			id,
			owner,
			fileName,
			audioId,
			audioMs,
			order: store.tasks.takeOrder(),
			vip: options.variant === "vip",
			state: 3,
			insertSeconds: nowSeconds(),
			notes: [],
		};
		const entry = entryOf(row, release);
		this.#entries.set(id, entry); // counts from now on
		try {
			await store.tasks.add(row, options);
		} catch (error) {
			this.#entries.delete(id);
			release();
			throw error;
		}
		this.#pump();
	}

	find(id: string): TaskView | undefined {
		const row = this.#parts.store.tasks.find(id);
		return row && !this.#removals.has(id) ? this.#viewOf(row) : undefined;
	}

	*list(): Generator<TaskView> {
		const rows = [...this.#parts.store.tasks.list()];
		for (const row of rows.reverse())
			if (!this.#removals.has(row.id)) yield this.#viewOf(row);
	}

	remove(id: string): Promise<boolean> {
		const underWay = this.#removals.get(id);
		if (underWay) return underWay.then(() => false);
		if (!this.#parts.store.tasks.find(id)) return Promise.resolve(false);
		const removal = this.#remove(id).finally(() => this.#removals.delete(id));
		this.#removals.set(id, removal);
		return removal;
	}

	result(id: string): StoredResult | undefined {
		const { results } = this.#parts.store;
		if (this.find(id)?.state !== 1) return undefined;
		const stored = results.find(id);
		if (!stored) return undefined;
		return {
			statistics: stored.statistics,
			*segments() {
				for (let page = 0; page < stored.pages; page++) {
					const segments = results.page(id, page);
					if (!segments) throw new CodedError("220404"); // removed meanwhile
					yield* segments;
				}
			},
		};
	}

	/** For /metrics: tasks by state. */
	get counts(): Readonly<Record<TaskState, number>> {
		const counts = { 0: 0, 1: 0, 2: 0, 3: 0 };
		for (const { state } of this.#parts.store.tasks.list()) counts[state]++;
		return counts;
	}

	/** Transcribed since the start. */
	get audioSeconds(): number {
		return this.#audioSeconds;
	}

	#viewOf(row: TaskRow): TaskView {
		const { id, owner, state, fileName, audioMs, insertSeconds, notes } = row;
		const { processSeconds, finishSeconds, failure } = row;
		const progress = this.#entries.get(id)?.progress ?? 0;
		return {
			id,
			owner,
			state,
			fileName,
			audioMs,
			insertSeconds,
			...(processSeconds !== undefined && { processSeconds }),
			...(finishSeconds !== undefined && { finishSeconds }),
			progress: state === 1 ? 100 : progress,
			...(failure && {
				failure: {
					status: failure.status as StatusCode,
					message: failure.message,
				},
			}),
			notes,
		};
	}

	async #remove(id: string): Promise<boolean> {
		const { store, audio } = this.#parts;
		const entry = this.#entries.get(id);
		entry?.run?.abort.abort();
		await entry?.run?.ended;
		const row = store.tasks.find(id);
		await store.tasks.remove(id, [
			store.work.removing(id),
			store.results.removing(id),
			store.outbox.removing(id),
		]);
		this.#forget(id);
		await store.work.clear(id);
		await store.results.clear(id);
		if (row) await audio.remove(row.audioId);
		this.#pump();
		return true;
	}

	/** Starts what may run now. */
	#pump(): void {
		if (this.#state !== "running") return;
		clearTimeout(this.#timer);
		const { slots } = this.#parts;
		const entries = [...this.#entries.values()];
		const running = entries.filter((it) => it.run);
		const nowMs = performance.now();
		const waiting = entries.filter(
			(it) =>
				!it.run && !this.#removals.has(it.id) && isOnDisk(this.#parts, it),
		);
		const ready = waiting.filter((it) => it.notBeforeMs <= nowMs);
		const next = nextTasks(
			ready.map((it) => this.#queued(it)),
			{
				count: running.length,
				dangerous: running.some((it) => it.dangerous),
			},
			slots,
		);
		for (const { id } of next) this.#run(id);
		const later = waiting.filter((it) => it.notBeforeMs > nowMs);
		if (later.length === 0) return;
		const soonest = Math.min(...later.map((it) => it.notBeforeMs));
		this.#timer = setTimeout(() => this.#pump(), soonest - nowMs + 1);
	}

	#queued(entry: Entry): QueuedTask {
		const waitedSeconds = this.#parts.nowSeconds() - entry.insertSeconds;
		return { ...entry, waitedSeconds };
	}

	#run(id: string): void {
		const entry = this.#entries.get(id);
		const row = this.#parts.store.tasks.find(id);
		const options = this.#parts.store.tasks.options(id);
		if (!entry || !row || !options) return;
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
				entry.progress = Math.max(entry.progress, percent);
			},
		};
		const ended = runTask(this.#parts, task)
			.then((end) => this.#onEnd(entry, task, end))
			.catch((error: unknown) => this.#onBroken(entry, error));
		entry.begun = true;
		entry.run = {
			abort,
			ended: ended.then(() => {
				delete entry.run;
				this.#pump();
			}),
		};
	}

	async #onEnd(entry: Entry, task: TaskInHand, end: RunEnd): Promise<void> {
		entry.broken = 0;
		switch (end.is) {
			case "finished":
				this.#onFinished(task.id);
				await this.#clearAway(task.id);
				return;
			case "again":
				entry.dangerous = end.dangerous;
				return;
			case "no-engine": {
				const untilMs = performance.now() + noEngineMs;
				for (const it of this.#entries.values()) it.notBeforeMs = untilMs;
				return;
			}
			case "stopped":
				return;
		}
	}

	#onFinished(id: string): void {
		const row = this.#parts.store.tasks.find(id);
		this.#forget(id);
		if (!row) return;
		if (row.state === 1) this.#audioSeconds += row.audioMs / 1000;
		this.#parts.onFinished(row);
	}

	/** What a finished task needs no more; what stays is swept away later. */
	async #clearAway(id: string): Promise<void> {
		const { store, log } = this.#parts;
		try {
			await store.work.clear(id);
			if (store.tasks.find(id)?.state === 0) await store.results.clear(id);
		} catch (error) {
			log.warn({ task: id, err: error }, "a task's work stays for the sweeper");
		}
	}

	/** No fault of the task that anybody knows of: the disk, or ours. It comes back later, and others go first. */
	#onBroken(entry: Entry, error: unknown): void {
		const { log } = this.#parts;
		log.error({ task: entry.id, err: error }, "a task's run broke");
		const pauseMs = Math.min(brokenMsMin * 2 ** entry.broken++, brokenMsMax);
		entry.notBeforeMs = performance.now() + pauseMs;
		entry.begun = false;
	}

	#forget(id: string): void {
		this.#entries.get(id)?.release();
		this.#entries.delete(id);
	}

	#holdAgain(id: string, options: NewTask["options"]): () => void {
		const { words, log } = this.#parts;
		try {
			return words.hold(words.find(options));
		} catch (error) {
			// its run will say so
			log.warn({ task: id, err: error }, "a task's words are gone");
			return () => {};
		}
	}
}

function entryOf(row: TaskRow, release: () => void): Entry {
	const { id, order, vip, insertSeconds } = row;
	return {
		id,
		order,
		vip,
		insertSeconds,
		release,
		begun: false,
		dangerous: false,
		progress: 0,
		notBeforeMs: 0,
		broken: 0,
	};
}

/** It is being submitted until then. */
function isOnDisk({ store }: RunParts, { id }: Entry): boolean {
	return store.tasks.find(id) !== undefined;
}
