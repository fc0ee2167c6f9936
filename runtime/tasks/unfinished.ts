/** An unfinished task as the loop that runs tasks knows it: in the queue, or in hand. What must not be lost stands in its row and its work on the disk. */
import type { Moment } from "../store/clock-state.js";
import type { TaskRow } from "../store/tasks.js";

export interface UnfinishedTask {
	readonly id: string;
	readonly order: number;
	readonly vip: boolean;
	readonly inserted: Moment;
	/** Gives its lists back. */
	readonly release: () => void;
	/** It is being written to the disk, may be run, or is being removed. */
	standing: "coming" | "here" | "going";
	begun: boolean;
	dangerous: boolean;
	/** 0 to 99. */
	progress: number;
	/** Not before, by the clock that never runs backwards. */
	notBeforeMs: number;
	/** Runs in a row that broke. */
	broken: number;
	run?: {
		readonly abort: AbortController;
		/** By an engine of another device: it takes no slot here. */
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
		...{ id, order, vip, inserted, release, standing },
		begun: false,
		dangerous: false,
		progress: 0,
		notBeforeMs: 0,
		broken: 0,
	};
}
