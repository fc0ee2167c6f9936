/** An unfinished task as the loop knows it: queued or running. State that must survive a restart is in its row and its work on the disk. */
import type { Moment } from "../store/clock-state.js";
import { isUnfinished, type TaskRow } from "../store/tasks.js";
import type { WordSource } from "../word-lists/references.js";
import type { TaskStore } from "./task-store.js";
import { isDangerous } from "./work.js";

export interface UnfinishedTask {
	readonly id: string;
	readonly order: number;
	readonly vip: boolean;
	readonly inserted: Moment;
	/** Releases its word lists. */
	readonly release: () => void;
	/** coming: being written to the disk; here: may be run; going: being removed. */
	standing: "coming" | "here" | "going";
	begun: boolean;
	dangerous: boolean;
	/** 0 to 99. */
	progress: number;
	/** Earliest start, by the monotonic clock. */
	notBeforeMs: number;
	/** Consecutive runs that failed with an error. */
	broken: number;
	run?: {
		readonly abort: AbortController;
		/** Run by an engine of another device: it takes no slot here. */
		readonly isLent: boolean;
		readonly ended: Promise<void>;
	};
}

export function unfinishedTask(
	row: TaskRow,
	standing: UnfinishedTask["standing"],
	release: () => void,
): UnfinishedTask {
	const { id, order, vip } = row;
	const inserted = {
		seconds: row.insertSeconds,
		operatingSeconds: row.insertOperatingSeconds,
	};
	return {
		id,
		order,
		vip,
		inserted,
		release,
		standing,
		begun: false,
		dangerous: false,
		progress: 0,
		notBeforeMs: 0,
		broken: 0,
	};
}

/** @returns a task as it is found at the start, with its word lists held; undefined where there is nothing to run. */
export function resumedTask(
	row: TaskRow,
	store: Pick<TaskStore, "tasks" | "work">,
	words: WordSource,
): UnfinishedTask | undefined {
	if (!isUnfinished(row.state) || row.call !== undefined) return undefined;
	const options = store.tasks.options(row.id);
	if (!options) return undefined; // never happens: written together with the row
	const work = store.work.get(row.id);
	const { language, listLanguages } = options;
	const release = words.holdNamed(options, language, "task", listLanguages);
	return {
		...unfinishedTask(row, "here", release),
		begun: work !== undefined,
		dangerous: work !== undefined && isDangerous(work),
		progress: work?.progress ?? 0,
	};
}
