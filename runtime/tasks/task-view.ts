/** The public view of a task on the disk: its row as a view, its result as segments read page by page. */
import { CodedError, type StatusCode } from "../errors.js";
import type { TaskRow, TaskState } from "../store/tasks.js";
import type { StoredResult, TaskView } from "./task-service.js";
import type { TaskStore } from "./task-store.js";
import type { UnfinishedTask } from "./unfinished.js";

/** @param entry in the loop. @returns `queued` for one that was begun and waits for its next run, also where its row was not written since. */
export function stateOf(
	{ state }: TaskRow,
	entry: Pick<UnfinishedTask, "run"> | undefined,
): TaskState {
	return state === "processing" && entry && !entry.run ? "queued" : state;
}

/** @param progress of an unfinished task, 0 to 99. */
export function viewOf(
	row: TaskRow,
	state: TaskState,
	progress: number,
): TaskView {
	const { id, owner, fileName, audioMs, insertSeconds, notes } = row;
	const { processSeconds, finishSeconds, failure, call } = row;
	const { insertOperatingSeconds } = row;
	return {
		id,
		owner,
		state,
		fileName,
		audioMs,
		insertSeconds,
		notes,
		...(insertOperatingSeconds !== undefined && { insertOperatingSeconds }),
		...(processSeconds !== undefined && { processSeconds }),
		...(finishSeconds !== undefined && { finishSeconds }),
		...(call !== undefined && { call }),
		progress: state === "completed" ? 100 : progress,
		...(failure && {
			failure: {
				status: failure.status as StatusCode,
				message: failure.message,
			},
		}),
	};
}

export function storedResult(
	{ results }: Pick<TaskStore, "results">,
	id: string,
): StoredResult | undefined {
	const stored = results.find(id);
	if (!stored) return undefined;
	return {
		statistics: stored.statistics,
		*segments() {
			for (let page = 0; page < stored.pages; page++) {
				const segments = results.page(id, page);
				if (!segments) throw new CodedError("220404"); // removed meanwhile
				yield* segments;
			}
		},
	};
}
