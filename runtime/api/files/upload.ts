/**
 * `POST /v1/asrfile/upload` and `/upload/vip` (service-interface.md 4.4): a file becomes a task. What is acknowledged is on the disk; what is refused has left nothing
 * there.
 */
import { randomBytes } from "node:crypto";
import { Type } from "@sinclair/typebox";
import type { ContainerProbe } from "../../audio/probe-port.js";
import type { Language } from "../../models/recognizer.js";
import type { Outbound } from "../../outbound/outbound.js";
import type { AudioShelf } from "../../store/audio-shelf.js";
import type { Variant } from "../../tasks/file-options.js";
import type { TaskDesk } from "../../tasks/task-desk.js";
import { success } from "../envelope.js";
import type { ApiResponse, RequestContext } from "../exchange.js";
import type { WordSource } from "../references.js";
import type { Route } from "../router.js";
import { parseTexts } from "../validate.js";
import { admittedAudio } from "./admitted-audio.js";
import { fetchFile } from "./fetched-file.js";
import { type FileSizes, fileBytesMax } from "./limits.js";
import { fileMissing, readUpload, type UploadedFile } from "./upload-form.js";
import {
	checkCallback,
	fileOptionsOf,
	uploadForm,
	uploadOptions,
} from "./upload-options.js";
import type { UploadPlaces } from "./upload-places.js";

export interface UploadDoorParts {
	readonly desk: Pick<TaskDesk, "submit">;
	readonly shelf: Pick<AudioShelf, "begin">;
	readonly probe: ContainerProbe;
	readonly outbound: Pick<Outbound, "send" | "objection">;
	readonly wordLists: WordSource;
	/** For all uploads, of both variants. */
	readonly places: UploadPlaces;
	/** Of the installed models. */
	readonly languages: readonly Language[];
	readonly sizes: FileSizes;
	/** Of one `file_url`. */
	readonly fetchSecondsMax: number;
}

export function uploadRoute(variant: Variant, parts: UploadDoorParts): Route {
	const schema = uploadOptions(variant);
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
		handle: (context) => upload(context, variant, schema, parts),
	};
}

async function upload(
	{ request, principal, log }: RequestContext,
	variant: Variant,
	schema: ReturnType<typeof uploadOptions>,
	parts: UploadDoorParts,
): Promise<ApiResponse> {
	const { desk, wordLists, sizes } = parts;
	const leave = parts.places.take();
	let file: UploadedFile | undefined;
	let release = () => {};
	try {
		const { texts, file: sent } = await readUpload(request, variant, parts);
		file = sent;
		if (!file && !texts.has("file_url")) throw fileMissing();
		const { values, unknown } = parseTexts(schema, texts);
		if (unknown.length > 0) log.debug({ unknown }, "unknown fields ignored");
		const options = fileOptionsOf(values, variant, parts.languages);
		checkCallback(values, (url) => parts.outbound.objection(url));
		const words = wordLists.resolve(values, values.lang_type);
		release = wordLists.hold(words);
		file ??= await fetchFile(
			values.file_url ?? "",
			fileBytesMax(sizes, variant, values.format),
			{ ...parts, secondsMax: parts.fetchSecondsMax },
			request.signal,
		);
		const { draft, name } = file;
		const { format, channels, audioMs } = await admittedAudio(
			draft,
			options,
			sizes,
			parts.probe,
			request.signal,
		);
		await draft.commit();
		const id = randomBytes(16).toString("hex");
		await desk.submit({
			id,
			owner: principal.name,
			fileName: name,
			audioId: draft.id,
			audioMs,
			// two channels can't be heard where there is one
			options: {
				...options,
				format,
				channels: channels === 2 ? options.channels : 1,
			},
		});
		draft.settle();
		log.info({ task: id, bytes: draft.bytes, audioMs }, "file taken");
		return success({
			duration: Math.max(1, Math.round(audioMs / 1000)),
			task_id: id,
		});
	} finally {
		release();
		await file?.draft.discard();
		leave();
	}
}
