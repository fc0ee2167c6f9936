/** The endpoints of file transcription. */
import type { Route } from "../router.js";
import { PieceMaker } from "./in-pieces.js";
import { type ResultDoorParts, resultRoute } from "./result.js";
import { removeTaskRoute, type TasksDoorParts, tasksRoute } from "./tasks.js";
import { type UploadDoorParts, uploadRoute } from "./upload.js";

export type FileDoorParts = Omit<
	UploadDoorParts & ResultDoorParts & TasksDoorParts,
	"pieces"
>;

export function fileRoutes(given: FileDoorParts): readonly Route[] {
	const parts = { ...given, pieces: new PieceMaker() };
	return [
		uploadRoute("standard", parts),
		uploadRoute("vip", parts),
		resultRoute(parts),
		tasksRoute(parts),
		removeTaskRoute(parts),
	];
}
