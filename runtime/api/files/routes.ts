/** The endpoints of file transcription. */

import { PieceMaker } from "../in-pieces.js";
import type { Route } from "../router.js";
import { type ResultRouteParts, resultRoute } from "./result.js";
import { type TaskAudioParts, taskAudioRoutes } from "./task-audio.js";
import { type TaskEditParts, taskEditRoutes } from "./task-edits.js";
import { removeTaskRoute, type TasksRouteParts, tasksRoute } from "./tasks.js";
import { type UploadRouteParts, uploadRoute } from "./upload.js";

export type FileRouteParts = Omit<
	UploadRouteParts &
		ResultRouteParts &
		TasksRouteParts &
		TaskAudioParts &
		TaskEditParts,
	"pieces"
>;

export function fileRoutes(given: FileRouteParts): readonly Route[] {
	const parts = { ...given, pieces: new PieceMaker() };
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
