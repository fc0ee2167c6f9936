/** What the tasks keep on the disk, with the types of this room; the store itself knows only rows. */
import type { Turn } from "../engine/file-job.js";
import type { Database } from "../store/database.js";
import { OutboxRepository } from "../store/outbox.js";
import { TaskResultRepository } from "../store/task-results.js";
import { TaskWishRepository } from "../store/task-wishes.js";
import { TaskWorkRepository } from "../store/task-work.js";
import { TaskRepository } from "../store/tasks.js";
import type { FileOptions } from "./file-options.js";
import type { HeardUtterance } from "./result/parts.js";
import type { ResultSegment, Statistics } from "./result/result.js";
import type { Work } from "./work.js";

export interface TaskStore {
	readonly tasks: TaskRepository<FileOptions>;
	readonly work: TaskWorkRepository<Work, HeardUtterance, Turn>;
	readonly results: TaskResultRepository<ResultSegment, Statistics>;
	readonly outbox: OutboxRepository;
	readonly wishes: TaskWishRepository;
}

export function openTaskStore(database: Database): TaskStore {
	return {
		tasks: new TaskRepository(database),
		work: new TaskWorkRepository(database),
		results: new TaskResultRepository(database),
		outbox: new OutboxRepository(database),
		wishes: new TaskWishRepository(database),
	};
}
