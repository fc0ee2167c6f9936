/** The tables of the tasks, with the types of this folder; the store itself only knows rows. */
import type { Turn } from "../engine/file-job.js";
import { CallbackRepository } from "../store/callbacks.js";
import type { Database } from "../store/database.js";
import { RemovalRequestRepository } from "../store/removal-requests.js";
import { type EditRoom, TaskEditRepository } from "../store/task-edits.js";
import { TaskResultRepository } from "../store/task-results.js";
import { TaskWorkRepository } from "../store/task-work.js";
import { TaskRepository } from "../store/tasks.js";
import type { ReferredWords } from "../word-lists/references.js";
import type { FileOptions } from "./file-options.js";
import type { FileUtterance } from "./result/parts.js";
import type { ResultSegment, Statistics } from "./result/result.js";
import type { Work } from "./work.js";

export interface TaskStore {
	readonly tasks: TaskRepository<FileOptions>;
	readonly work: TaskWorkRepository<Work, FileUtterance, Turn, ReferredWords>;
	readonly results: TaskResultRepository<ResultSegment, Statistics>;
	readonly edits: TaskEditRepository;
	readonly outbox: CallbackRepository;
	readonly removalRequests: RemovalRequestRepository;
}

/** @param room for corrections; absent: there is always some. */
export function openTaskStore(database: Database, room?: EditRoom): TaskStore {
	return {
		tasks: new TaskRepository(database),
		work: new TaskWorkRepository(database),
		results: new TaskResultRepository(database),
		edits: new TaskEditRepository(database, room),
		outbox: new CallbackRepository(database),
		removalRequests: new RemovalRequestRepository(database),
	};
}
