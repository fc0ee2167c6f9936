/**
 * The tasks of this appliance: the `TaskService` of the endpoints. They are run in task-loop.ts.
 *
 * INVARIANTS
 * - A task is removed only after its run has ended.
 * - The word lists that an unfinished task names are held, after a restart as well.
 */
import type { JobLane } from "../engine/remote-job.js";
import { CodedError } from "../errors.js";
import type { TaskRow, TaskState } from "../store/tasks.js";
import type { Language } from "../text/languages.js";
import { applyEdit, editsOf, withEdits } from "./edits.js";
import type { LiveTasks } from "./live-tasks.js";
import { settledSentences } from "./settled-sentences.js";
import { type LoopParts, TaskLoop } from "./task-loop.js";
import { TaskRequests } from "./task-requests.js";
import type {
	NewTask,
	SettledSentences,
	StoredResult,
	TaskAudio,
	TaskService,
	TaskView,
	TranscriptEdit,
	TranscriptEdits,
} from "./task-service.js";
import { storedResult, viewOf } from "./task-view.js";
import { resumedTask, unfinishedTask } from "./unfinished.js";

export interface TasksParts extends LoopParts {
	/** Maximum of unfinished tasks; more are refused. */
	readonly queueMax: number;
	/** A task was removed from the disk, together with its pending callback. */
	readonly onRemoved: (id: string) => void;
	/** Those of calls, which are not run by the loop. */
	readonly live: Pick<LiveTasks, "removing">;
}

export interface ShareableTask {
	readonly language: Language;
	readonly audioId: string;
	readonly audioMs: number;
}

const queueFullSeconds = 60;

export class Tasks implements TaskService {
	readonly #parts: TasksParts;
	readonly #loop: TaskLoop;
	readonly #removals = new Map<string, Promise<boolean>>();
	readonly #requests: TaskRequests;
	#isStopped = false;

	constructor(parts: TasksParts) {
		this.#parts = parts;
		const { store, clock } = parts;
		this.#requests = new TaskRequests({ tasks: store.tasks, clock });
		this.#loop = new TaskLoop(parts);
	}

	/** Resumes unfinished tasks, but for those that a request waited for. @throws StoreError */
	async start(): Promise<void> {
		const { store, words } = this.#parts;
		await store.tasks.load();
		await this.#removeAwaited();
		for (const row of store.tasks.list()) {
			const entry = resumedTask(row, store, words);
			if (!entry) continue;
			this.#loop.put(entry);
			if (row.state === "processing")
				await store.tasks.change({ ...row, state: "queued" });
		}
		this.#loop.start();
	}

	/** Tasks in progress are resumed after the next start. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		await this.#loop.stop();
		await Promise.allSettled(this.#removals.values());
	}

	async submit(task: NewTask): Promise<void> {
		const { store, words, queueMax, clock, log } = this.#parts;
		if (this.#isStopped || this.#loop.size >= queueMax)
			throw new CodedError(
				"100004",
				`at capacity, try again later: ${this.#loop.size} files are waiting to be transcribed`,
				{ retryAfterSeconds: queueFullSeconds },
			);
		const { id, owner, fileName, audioId, audioMs, options } = task;
		const { request, isAwaited } = task;
		words.resolve(options, options.language); // refuses it while its client waits
		const release = words.holdNamed(options, options.language, "task");
		const row: TaskRow = {
			id,
			owner,
			fileName,
			audioId,
			audioMs,
			...(request && { request }),
			...(isAwaited && { isAwaited }),
			order: store.tasks.takeOrder(),
			vip: options.variant === "vip",
			state: "queued",
			insertSeconds: clock.nowSeconds(),
			insertOperatingSeconds: clock.operatingSeconds(),
			notes: [],
		};
		const entry = unfinishedTask(row, "coming", release);
		this.#loop.put(entry); // counted in the queue from now on
		try {
			await store.tasks.add(row, options);
		} catch (error) {
			this.#requests.doubt();
			if (!this.#isStored(id)) {
				this.#loop.takeOut(id);
				throw error;
			}
			log.warn({ task: id, err: error }, "stored, although its write failed");
		}
		this.#requests.note(row);
		if (entry.standing === "coming") entry.standing = "here";
		this.#loop.pump();
	}

	find(id: string): TaskView | undefined {
		const row = this.#parts.store.tasks.find(id);
		return row && !this.#removals.has(id) ? this.#viewOf(row) : undefined;
	}

	/** @returns the task created by a request, and the request's content; undefined where there was none lately. */
	requested(
		key: string,
	): { readonly task: TaskView; readonly content: string } | undefined {
		const row = this.#requests.find(key);
		const task = row && this.find(row.id);
		return task && { task, content: row.request?.content ?? "" };
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

	settledSentences(id: string): SettledSentences | undefined {
		const { tasks, work } = this.#parts.store;
		const options = tasks.options(id);
		return (
			options && settledSentences(options, (it) => work.utterances(id, 1, it))
		);
	}

	result(id: string): StoredResult | undefined {
		const original = this.#originalOf(id);
		return original && withEdits(original, this.#parts.store.edits, id);
	}

	audio(id: string): TaskAudio | undefined {
		const row = this.#parts.store.tasks.find(id);
		const options = this.#parts.store.tasks.options(id);
		if (!row || !options || row.audioGone || row.audioId === "")
			return undefined;
		return { audioId: row.audioId, format: options.format };
	}

	async edit(id: string, edit: TranscriptEdit): Promise<boolean> {
		const { store, clock } = this.#parts;
		const original = () => this.#originalOf(id);
		return applyEdit(store.edits, id, original, edit, clock.nowSeconds());
	}

	edits(id: string): TranscriptEdits {
		return editsOf(this.#parts.store.edits, id);
	}

	#originalOf(id: string): StoredResult | undefined {
		if (this.find(id)?.state !== "completed") return undefined;
		return storedResult(this.#parts.store, id);
	}

	/** @returns what another device must know to transcribe it. */
	shareable(id: string): ShareableTask | undefined {
		const row = this.#parts.store.tasks.find(id);
		const options = this.#parts.store.tasks.options(id);
		if (!row || !options) return undefined;
		if (options.translatedFrom) return undefined; // an older version does not know it
		const { audioId, audioMs } = row;
		return { language: options.language, audioId, audioMs };
	}

	/** Runs a task on another device's engine. @returns the end of the run; undefined where the task is no longer waiting. */
	lend(id: string, lane: JobLane): Promise<void> | undefined {
		return this.#loop.lend(id, lane);
	}

	/** Tasks by state, for /metrics. */
	get counts(): Readonly<Record<TaskState, number>> {
		const counts = { failed: 0, completed: 0, processing: 0, queued: 0 };
		for (const { state } of this.#parts.store.tasks.list()) counts[state]++;
		return counts;
	}

	/** Transcribed since the start. */
	get audioSeconds(): number {
		return this.#loop.audioSeconds;
	}

	/** Also after a write that failed: it may have been made. */
	#isStored(id: string): boolean {
		try {
			return this.#parts.store.tasks.find(id) !== undefined;
		} catch {
			return false; // nothing can be read either
		}
	}

	#viewOf(row: TaskRow): TaskView {
		return viewOf(row, this.#loop.find(row.id)?.progress ?? 0);
	}

	/** Those of requests that a crash ended: their clients repeat them, or don't want them any more. */
	async #removeAwaited(): Promise<void> {
		const { store, log } = this.#parts;
		for (const { id, isAwaited } of [...store.tasks.list()])
			if (isAwaited)
				await this.remove(id).catch((error: unknown) =>
					log.warn({ task: id, err: error }, "a task was not removed"),
				);
	}

	async #remove(id: string): Promise<boolean> {
		const { store, audio, live } = this.#parts;
		const entry = this.#loop.find(id);
		if (entry) entry.standing = "going";
		entry?.run?.abort.abort();
		await entry?.run?.ended;
		const row = store.tasks.find(id);
		try {
			await live.removing(id, () => this.#removeRows(id));
		} catch (error) {
			if (entry) entry.standing = "here"; // it still exists and continues
			this.#loop.pump();
			throw error;
		}
		this.#loop.takeOut(id);
		if (row) this.#requests.forget(row);
		this.#parts.onRemoved(id);
		await store.work.clear(id);
		await store.results.clear(id);
		await store.edits.clear(id);
		if (row && row.audioId !== "") await audio.remove(row.audioId);
		this.#loop.pump();
		return true;
	}

	/** After this, nothing is written of the task any more. @throws StoreError */
	#removeRows(id: string): Promise<void> {
		const { tasks, work, results, outbox, edits } = this.#parts.store;
		return edits.alone(id, () =>
			tasks.remove(id, [
				work.removing(id),
				results.removing(id),
				outbox.removing(id),
				...edits.removing(id),
			]),
		);
	}
}
