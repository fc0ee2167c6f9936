/** What `GET /metrics` says of files. */
import type { Series } from "./metrics.js";

/** What file transcription says of itself. */
export interface TaskFigures {
	/** By state: 0 failed, 1 completed, 2 processing, 3 queued. */
	readonly tasks: Readonly<Record<0 | 1 | 2 | 3, number>>;
	readonly callbacksWaiting: number;
	/** Transcribed since the start. */
	readonly audioSeconds: number;
}

export const taskSeries: readonly Series<TaskFigures>[] = [
	{
		kind: "gauge",
		name: "tasks",
		help: "Files to be transcribed, and finished ones that are kept.",
		labels: ["state"],
		values: ({ tasks }) => [
			[{ state: "failed" }, tasks[0]],
			[{ state: "completed" }, tasks[1]],
			[{ state: "processing" }, tasks[2]],
			[{ state: "queued" }, tasks[3]],
		],
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
