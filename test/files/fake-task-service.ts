/** A task service that stores tasks and never runs them: the fake behind the file endpoints. */
import { CodedError } from "../../runtime/errors.js";
import type { Database } from "../../runtime/store/database.js";
import { TaskEditRepository } from "../../runtime/store/task-edits.js";
import { applyEdit, editsOf, withEdits } from "../../runtime/tasks/edits.js";
import type {
	ResultSegment,
	Statistics,
} from "../../runtime/tasks/result/result.js";
import type {
	NewTask,
	SettledSentences,
	StoredResult,
	TaskAudio,
	TaskService,
	TaskView,
	TranscriptEdit,
	TranscriptEdits,
} from "../../runtime/tasks/task-service.js";

type Changes = { -readonly [K in keyof TaskView]?: TaskView[K] };

export class FakeTaskService implements TaskService {
	/** In the order of submission. */
	readonly submitted: NewTask[] = [];
	refuse: Error | undefined;
	isFull = false;
	/** Called for each submission before it is answered. */
	onSubmit: () => void = () => {};
	readonly #views = new Map<string, TaskView>();
	readonly #results = new Map<string, StoredResult>();
	readonly #settled = new Map<string, string[]>();
	#editsThere: TaskEditRepository | undefined;

	requireRoom(): void {
		if (this.isFull) throw new CodedError("100004", "the queue is full");
	}

	async submit(task: NewTask): Promise<void> {
		if (this.refuse) throw this.refuse;
		this.onSubmit();
		this.submitted.push(task);
		this.put(task.id, {
			owner: task.owner,
			fileName: task.fileName,
			audioMs: task.audioMs,
		});
	}

	get last(): NewTask {
		const last = this.submitted.at(-1);
		if (!last) throw new Error("nothing was submitted");
		return last;
	}

	/** Adds or replaces a task. */
	put(id: string, changes: Changes = {}): void {
		this.#views.set(id, {
			id,
			owner: "token:tester",
			state: "queued",
			fileName: "a.wav",
			audioMs: 1000,
			insertSeconds: Math.floor(Date.now() / 1000),
			progress: 0,
			notes: [],
			...this.#views.get(id),
			...changes,
		});
	}

	complete(id: string, segments: Iterable<ResultSegment>): void {
		const statistics: Statistics = {
			speed: 120,
			word_count: 2,
			insert_time: "2026-01-01 00:00:00",
			process_time: "2026-01-01 00:00:01",
			finish_time: "2026-01-01 00:00:02",
		};
		this.put(id, { state: "completed", progress: 100 });
		this.#results.set(id, { segments: () => segments, statistics });
	}

	/** More sentences of a task in progress are certain. */
	settle(id: string, texts: readonly string[]): void {
		this.#settled.set(id, [...(this.#settled.get(id) ?? []), ...texts]);
	}

	settledSentences(id: string): SettledSentences {
		return { take: () => this.#settled.get(id)?.splice(0) ?? [] };
	}

	find(id: string): TaskView | undefined {
		return this.#views.get(id);
	}

	*list(): Generator<TaskView> {
		yield* [...this.#views.values()].reverse();
	}

	async remove(id: string): Promise<boolean> {
		this.#results.delete(id);
		return this.#views.delete(id);
	}

	result(id: string): StoredResult | undefined {
		const result = this.#results.get(id);
		return result && withEdits(result, this.#edits, id);
	}

	/** Where corrections are stored. */
	keepEditsIn(database: Database): void {
		this.#editsThere = new TaskEditRepository(database);
	}

	audio(id: string): TaskAudio | undefined {
		const task = this.submitted.find((it) => it.id === id);
		return task && { audioId: task.audioId, format: task.options.format };
	}

	edit(id: string, edit: TranscriptEdit): Promise<boolean> {
		const result = () => this.#results.get(id);
		return applyEdit(this.#edits, id, result, edit, Date.now() / 1000);
	}

	edits(id: string): TranscriptEdits {
		return editsOf(this.#edits, id);
	}

	get #edits(): TaskEditRepository {
		if (!this.#editsThere) throw new Error("no database");
		return this.#editsThere;
	}
}
