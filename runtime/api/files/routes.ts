/** The endpoints of file transcription. */
import type { Route } from "../router.js";
import { type ResultRouteParts, resultRoute } from "./result.js";
import { type TaskAudioParts, taskAudioRoutes } from "./task-audio.js";
import { type TaskEditParts, taskEditRoutes } from "./task-edits.js";
import { removeTaskRoute, type TasksRouteParts, tasksRoute } from "./tasks.js";
import { type UploadRouteParts, uploadRoute } from "./upload.js";

export type FileRouteParts = UploadRouteParts &
	ResultRouteParts &
	TasksRouteParts &
	TaskAudioParts &
	TaskEditParts;

export function fileRoutes(parts: FileRouteParts): readonly Route[] {
	return [
		uploadRoute("standard", parts),
		uploadRoute("vip", parts),
		resultRoute(parts),
		tasksRoute(parts),
		removeTaskRoute(parts),
		...taskAudioRoutes(parts),
		...taskEditRoutes(parts),
	];
}
