/** The endpoints of file transcription. */
import type { Route } from "../router.js";
import { type ResultDoorParts, resultRoute } from "./result.js";
import { removeTaskRoute, type TasksDoorParts, tasksRoute } from "./tasks.js";
import { type UploadDoorParts, uploadRoute } from "./upload.js";

export type FileDoorParts = UploadDoorParts & ResultDoorParts & TasksDoorParts;

export function fileRoutes(parts: FileDoorParts): readonly Route[] {
	return [
		uploadRoute("standard", parts),
		uploadRoute("vip", parts),
		resultRoute(parts),
		tasksRoute(parts),
		removeTaskRoute(parts),
	];
}
