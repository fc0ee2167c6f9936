/**
 * What the doors ask of the tasks: the port between `api/files` and the queue. Everything acknowledged here is on the disk.
 */
import type { StatusCode } from "../errors.js";
import type { Owner } from "../owner.js";
import type { TaskState } from "../store/tasks.js";
import type { FileOptions } from "./file-options.js";
import type { ResultSegment, Statistics } from "./result/result.js";

/** By which it is known that somebody asks twice, as whatever delivers requests may do. */
export interface TaskRequest {
	/** Of who asks, and what they call their request. */
	readonly key: string;
	/** Of what is asked for. */
	readonly content: string;
}

export interface NewTask {
	/** At least 128 random bits: whoever knows it may read the result. */
	readonly id: string;
	/** It sees the task, and so does `admin`. */
	readonly owner: Owner;
	/** As the client named it: shown, never a path. */
	readonly fileName: string;
	/** On the audio shelf. */
	readonly audioId: string;
	readonly audioMs: number;
	readonly options: FileOptions;
	readonly request?: TaskRequest;
}

/** What the outside may see of a task. */
export interface TaskView {
	readonly id: string;
	readonly owner: Owner;
	readonly state: TaskState;
	readonly fileName: string;
	readonly audioMs: number;
	/** Unix times in seconds. */
	readonly insertSeconds: number;
	readonly processSeconds?: number;
	readonly finishSeconds?: number;
	/** 0 to 100. */
	readonly progress: number;
	/** Of a failed one. */
	readonly failure?: { readonly status: StatusCode; readonly message: string };
	/** What a person should know of a completed one: stretches that could not be heard, for instance. */
	readonly notes: readonly string[];
}

/** A completed task's transcript; read piece by piece, it may be hours long. */
export interface StoredResult {
	segments(): Iterable<ResultSegment>;
	readonly statistics: Statistics;
}

export interface TaskService {
	/** Resolves when the task is on the disk. Its audio belongs to the task from then on. @throws CodedError 100004 when the queue is full. */
	submit(task: NewTask): Promise<void>;
	find(id: string): TaskView | undefined;
	/** Newest first. */
	list(): Iterable<TaskView>;
	/** Cancels or removes, with its result and audio. @returns whether there was one. */
	remove(id: string): Promise<boolean>;
	/** Of a completed task. */
	result(id: string): StoredResult | undefined;
}
