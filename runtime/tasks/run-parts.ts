/** What a run of a task needs of the house, and what it knows of its task. */
import type { Clock } from "../clock/clock.js";
import type { EngineLog } from "../engine/log-port.js";
import type { JobLane } from "../engine/remote-job.js";
import type { Write } from "../store/database.js";
import type { TaskRow } from "../store/tasks.js";
import type { WordSource } from "../word-lists/references.js";
import type { FileOptions } from "./file-options.js";
import type { ResultKeywordSource } from "./result/parts.js";
import type { TaskStore } from "./task-store.js";
import type { Work } from "./work.js";

/** The shelf that uploads lie on. */
export interface TaskAudio {
	path(id: string): string;
	/** Undefined where there is no such file. */
	size(id: string): Promise<number | undefined>;
	remove(id: string): Promise<void>;
}

export interface RunParts {
	readonly store: TaskStore;
	readonly lane: JobLane;
	readonly audio: TaskAudio;
	readonly words: WordSource;
	readonly keywords: ResultKeywordSource;
	readonly clock: Clock;
	/** A time as answers write it. */
	readonly timeText: (unixSeconds: number) => string;
	readonly log: EngineLog;
	/** Written in the transaction that finishes a task, where somebody tells of it. */
	readonly announcing?: (id: string) => Write | undefined;
}

/** A task while it is run. */
export interface TaskInHand {
	readonly id: string;
	readonly options: FileOptions;
	/** Of its audio. */
	readonly path: string;
	readonly signal: AbortSignal;
	row: TaskRow;
	/** As it is on the disk. */
	work: Work;
	/** 0 to 99, newest. */
	onProgress(percent: number): void;
}

/** It was told to stop; what it had is on the disk. */
export class Stopped extends Error {
	override readonly name = "Stopped";
}
