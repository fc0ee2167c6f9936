/**
 * `POST /v1/asrfile/upload` and `/upload/vip` (service-interface.md 4.4): a file becomes a task. What is acknowledged is on the disk; what is refused has left nothing
 * there.
 */
import { Type } from "@sinclair/typebox";
import type { Variant } from "../../tasks/file-options.js";
import { type TakeParts, takeFile } from "../../tasks/intake/taken-file.js";
import { uploadForm } from "../../tasks/intake/upload-options.js";
import type { UploadPlaces } from "../../tasks/intake/upload-places.js";
import { withCountedBody } from "../counted-body.js";
import { success } from "../envelope.js";
import type { ApiResponse, RequestContext } from "../exchange.js";
import type { Route } from "../router.js";
import { sharerOf } from "../sharer.js";
import { readUpload } from "./upload-form.js";

export interface UploadDoorParts extends TakeParts {
	/** For all uploads, of both variants. */
	readonly places: UploadPlaces;
}

export function uploadRoute(variant: Variant, parts: UploadDoorParts): Route {
	return {
		method: "POST",
		path: variant === "vip" ? "/v1/asrfile/upload/vip" : "/v1/asrfile/upload",
		access: "files",
		description: {
			summary:
				variant === "vip"
					? "Transcribe a file before all others"
					: "Transcribe a file",
			body: { type: "multipart/form-data", schema: uploadForm(variant) },
			answer: Type.Object({
				duration: Type.Integer({ description: "of the audio, seconds" }),
				task_id: Type.String(),
			}),
			errors: [
				"100003",
				"100004",
				"200001",
				"200002",
				"200003",
				"200004",
				"200005",
				"200006",
				"200007",
				"200008",
				"200009",
				"210404",
				"211404",
				"212404",
			],
		},
		failureData: () => ({ duration: 0, task_id: "" }),
		handle: (context) => upload(context, variant, parts),
	};
}

async function upload(
	{ request, principal, log }: RequestContext,
	variant: Variant,
	parts: UploadDoorParts,
): Promise<ApiResponse> {
	const place = parts.places.take(sharerOf(principal, request));
	try {
		const counted = withCountedBody(request, (bytes) => place.came(bytes));
		const { texts, file } = await readUpload(counted, variant, parts);
		const { signal } = request;
		const offer = { texts, file, owner: principal.owner, signal, log };
		const { taskId, seconds } = await takeFile(offer, variant, parts);
		return success({ duration: seconds, task_id: taskId });
	} finally {
		place.leave();
	}
}
