/** The endpoints of file transcription. */
import type { Route } from "../router.js";
import { PieceMaker } from "./in-pieces.js";
import { type ResultRouteParts, resultRoute } from "./result.js";
import { removeTaskRoute, type TasksRouteParts, tasksRoute } from "./tasks.js";
import { type UploadRouteParts, uploadRoute } from "./upload.js";

export type FileRouteParts = Omit<
	UploadRouteParts & ResultRouteParts & TasksRouteParts,
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
	];
}
