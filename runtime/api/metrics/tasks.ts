/** Metrics of file transcription. */
import { type TaskState, taskStates } from "../../store/tasks.js";
import type { Series } from "./metrics.js";

/** Stats of file transcription. */
export interface TaskStats {
	readonly tasks: Readonly<Record<TaskState, number>>;
	readonly callbacksWaiting: number;
	/** Transcribed since the start. */
	readonly audioSeconds: number;
}

export const taskSeries: readonly Series<TaskStats>[] = [
	{
		kind: "gauge",
		name: "tasks",
		help: "Files to be transcribed, and finished ones that are kept.",
		labels: ["state"],
		values: ({ tasks }) => taskStates.map((state) => [{ state }, tasks[state]]),
	},
	{
		kind: "gauge",
		name: "callbacks_waiting",
		help: "Callbacks that were not delivered yet.",
		labels: [],
		values: ({ callbacksWaiting }) => [[{}, callbacksWaiting]],
	},
	{
		kind: "counter",
		name: "task_audio_seconds_total",
		help: "Audio of files transcribed since the start.",
		labels: [],
		values: ({ audioSeconds }) => [[{}, audioSeconds]],
	},
];
