/** The services that a run of a task needs, and the state of its task. */
import type { Clock } from "../clock/clock.js";
import type { JobLane } from "../engine/remote-job.js";
import type { LogPort } from "../log/log-port.js";
import type { Write } from "../store/database.js";
import type { TaskRow } from "../store/tasks.js";
import type { WordSource } from "../word-lists/references.js";
import type { FileOptions } from "./file-options.js";
import type { ResultKeywordSource } from "./result/parts.js";
import type { TaskStore } from "./task-store.js";
import type { Work } from "./work.js";

/** The shelf of uploaded audio. */
export interface TaskShelf {
	path(id: string): string;
	/** Undefined where there is no such file. */
	size(id: string): Promise<number | undefined>;
	remove(id: string): Promise<void>;
}

export interface RunParts {
	readonly store: TaskStore;
	readonly lane: JobLane;
	readonly audio: TaskShelf;
	readonly words: WordSource;
	readonly keywords: ResultKeywordSource;
	readonly clock: Clock;
	/** Formats a time as answers do. */
	readonly timeText: (unixSeconds: number) => string;
	readonly log: LogPort;
	/** A write for the transaction that finishes a task, if an announcer is set. */
	readonly announcing?: (id: string) => Write | undefined;
}

/** A task during its run. */
export interface TaskInHand {
	readonly id: string;
	readonly options: FileOptions;
	/** Path of its audio. */
	readonly path: string;
	readonly signal: AbortSignal;
	row: TaskRow;
	/** As stored on the disk. */
	work: Work;
	/** 0 to 99, current. */
	onProgress(percent: number): void;
}

/** The run was stopped; its progress is on the disk. */
export class Stopped extends Error {
	override readonly name = "Stopped";
}
