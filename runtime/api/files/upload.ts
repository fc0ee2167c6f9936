/**
 * `POST /v1/asrfile/upload` and `/upload/vip` (docs/interface.md section 4.4): a file becomes a task. An acknowledged upload is on the disk; a refused one
 * leaves nothing there.
 */
import { Type } from "@sinclair/typebox";
import { parseTexts } from "../../json/validate.js";
import type { AudioShelf } from "../../store/audio-shelf.js";
import type { Variant } from "../../tasks/file-options.js";
import type { FileIntake } from "../../tasks/intake/file-intake.js";
import type { FileSizes } from "../../tasks/intake/limits.js";
import {
	uploadForm,
	uploadSchemas,
} from "../../tasks/intake/upload-options.js";
import { audioErrors } from "../audio-errors.js";
import { withCountedBody } from "../counted-body.js";
import { success } from "../envelope.js";
import type { ApiResponse, RequestContext } from "../exchange.js";
import { sharerOf } from "../network-of.js";
import type { Route } from "../router.js";
import { fileMissing, readUpload } from "./upload-form.js";

export interface UploadRouteParts {
	readonly intake: FileIntake;
	readonly shelf: Pick<AudioShelf, "begin">;
	readonly sizes: FileSizes;
}

export function uploadRoute(variant: Variant, parts: UploadRouteParts): Route {
	return {
		method: "POST",
		path: variant === "vip" ? "/v1/asrfile/upload/vip" : "/v1/asrfile/upload",
		access: "files",
		endpoint: "asrfile",
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
				...audioErrors,
				"200009",
			],
		},
		failureData: () => ({ duration: 0, task_id: "" }),
		handle: (context) => upload(context, variant, parts),
	};
}

async function upload(
	{ request, principal, log, measured }: RequestContext,
	variant: Variant,
	parts: UploadRouteParts,
): Promise<ApiResponse> {
	const { intake } = parts;
	intake.requireRoom();
	const place = intake.places.take(sharerOf(principal, request));
	try {
		const counted = withCountedBody(request, (bytes) => place.add(bytes));
		const { texts, file } = await readUpload(counted, variant, parts);
		try {
			if (!file && !texts.has("file_url")) throw fileMissing();
			const { values, unknown } = parseTexts(uploadSchemas[variant], texts);
			if (unknown.length > 0) log.debug({ unknown }, "unknown fields ignored");
			const { owner } = principal;
			const { signal } = request;
			const { taskId, seconds } = await intake.take({
				variant,
				values,
				file,
				owner,
				signal,
				log,
			});
			measured.audioRecognized(seconds);
			return success({ duration: seconds, task_id: taskId });
		} finally {
			await file?.draft.discard(); // does nothing once a task owns it
		}
	} finally {
		place.leave();
	}
}
