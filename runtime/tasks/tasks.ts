/**
 * The tasks of this appliance: the `TaskService` of the endpoints. They are run in task-loop.ts and removed in task-removals.ts.
 *
 * INVARIANT: the word lists that an unfinished task names are held, after a restart as well.
 */
import type { JobLane } from "../engine/remote-job.js";
import { CodedError } from "../errors.js";
import type { TaskRow, TaskState } from "../store/tasks.js";
import type { Language } from "../text/languages.js";
import { applyEdit, editsOf, withEdits } from "./edits.js";
import { settledSentences } from "./settled-sentences.js";
import { type LoopParts, TaskLoop } from "./task-loop.js";
import { isStored, type RemovalParts, TaskRemovals } from "./task-removals.js";
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
import { stateOf, storedResult, viewOf } from "./task-view.js";
import { resumedTask, unfinishedTask } from "./unfinished.js";

export interface TasksParts extends LoopParts, RemovalParts {
	/** Maximum of unfinished tasks; more are refused. */
	readonly queueMax: number;
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
	readonly #requests: TaskRequests;
	readonly #removals: TaskRemovals;
	#isStopped = false;

	constructor(parts: TasksParts) {
		this.#parts = parts;
		const { store, clock } = parts;
		this.#requests = new TaskRequests({ tasks: store.tasks, clock });
		this.#loop = new TaskLoop(parts);
		this.#removals = new TaskRemovals(parts, this.#loop, this.#requests);
	}

	/** Resumes unfinished tasks, but for those that a request waited for. Writes nothing that it needs: the disk may be full. @throws StoreError */
	async start(): Promise<void> {
		const { store, words } = this.#parts;
		await store.tasks.load();
		await this.#removeAwaited();
		for (const row of store.tasks.list()) {
			const entry = resumedTask(row, store, words);
			if (entry) this.#loop.put(entry);
		}
		this.#loop.start();
	}

	/** Tasks in progress are resumed after the next start. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		await this.#loop.stop();
		await this.#removals.ended();
	}

	requireRoom(): void {
		const { size } = this.#loop;
		if (this.#isStopped || size >= this.#parts.queueMax)
			throw new CodedError(
				"100004",
				`at capacity, try again later: ${size} files are waiting to be transcribed`,
				{ retryAfterSeconds: queueFullSeconds },
			);
	}

	async submit(task: NewTask): Promise<void> {
		const { store, words, clock, log } = this.#parts;
		this.requireRoom();
		const { id, owner, fileName, audioId, audioMs, options } = task;
		const { request, isAwaited } = task;
		const { language, listLanguages } = options;
		words.resolve(options, language, listLanguages); // refuses it while its client waits
		const release = words.holdNamed(options, language, "task", listLanguages);
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
			if (!isStored(store, id)) {
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
		return row && !this.#removals.isUnderWay(id)
			? this.#viewOf(row)
			: undefined;
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
			if (!this.#removals.isUnderWay(row.id)) yield this.#viewOf(row);
	}

	remove(id: string): Promise<boolean> {
		return this.#removals.remove(id);
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
		for (const row of this.#parts.store.tasks.list())
			counts[stateOf(row, this.#loop.find(row.id))]++;
		return counts;
	}

	/** Transcribed since the start. */
	get audioSeconds(): number {
		return this.#loop.audioSeconds;
	}

	#viewOf(row: TaskRow): TaskView {
		const entry = this.#loop.find(row.id);
		return viewOf(row, stateOf(row, entry), entry?.progress ?? 0);
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
}
