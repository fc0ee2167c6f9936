/** A task as its client sees it (docs/interface.md section 2.5, docs/decisions.md section 7). */
import { type Static, Type } from "@sinclair/typebox";
import { localTimeText } from "../../clock/time-text.js";
import type { TaskState } from "../../store/tasks.js";
import type { TaskView } from "../../tasks/task-service.js";

/** Names by state; clients compare them exactly. */
export const stateNames = {
	failed: "Failed",
	completed: "Completed",
	processing: "Transcribing",
	queued: "Queued",
} as const satisfies Readonly<Record<TaskState, string>>;

const time = Type.String({
	description: "YYYY-MM-DD hh:mm:ss, empty until then",
});

export const describedTask = Type.Object({
	task_id: Type.String(),
	desc: Type.Unsafe<(typeof stateNames)[TaskState]>(
		Type.String({ description: Object.values(stateNames).join(", ") }),
	),
	file_name: Type.String(),
	insert_time: time,
	process_time: time,
	finish_time: time,
	progress: Type.Integer({ description: "percent" }),
});
export type DescribedTask = Static<typeof describedTask>;

export function describe(task: TaskView): DescribedTask {
	return {
		task_id: task.id,
		desc: stateNames[task.state],
		file_name: task.fileName,
		insert_time: textOf(task.insertSeconds),
		process_time: textOf(task.processSeconds),
		finish_time: textOf(task.finishSeconds),
		progress: task.progress,
	};
}

function textOf(seconds: number | undefined): string {
	return seconds === undefined ? "" : localTimeText(seconds);
}
