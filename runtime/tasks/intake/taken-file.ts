/**
 * A file becomes a task, whichever door it came through: looked at, put on the shelf, queued. What is acknowledged is on the disk; what is refused has left
 * nothing there.
 */
import { randomBytes } from "node:crypto";
import {
	fileMissing,
	type Upload,
	type UploadedFile,
} from "../../api/files/upload-form.js";
import type { ContainerProbe } from "../../audio/probe-port.js";
import type { EngineLog } from "../../engine/log-port.js";
import type { Language } from "../../models/recognizer.js";
import type { Outbound } from "../../outbound/outbound.js";
import type { Owner } from "../../owner.js";
import type { AudioShelf } from "../../store/audio-shelf.js";
import { parseTexts } from "../../validate.js";
import type { WordSource } from "../../word-lists/references.js";
import type { Variant } from "../file-options.js";
import type { TaskDesk, TaskRequest } from "../task-desk.js";
import { admittedAudio } from "./admitted-audio.js";
import { fetchFile } from "./fetched-file.js";
import { type FileSizes, fileBytesMax } from "./limits.js";
import {
	checkCallback,
	fileOptionsOf,
	uploadOptions,
} from "./upload-options.js";

export interface TakeParts {
	readonly desk: Pick<TaskDesk, "submit">;
	readonly shelf: Pick<AudioShelf, "begin">;
	readonly probe: ContainerProbe;
	readonly outbound: Pick<Outbound, "send" | "objection">;
	readonly wordLists: WordSource;
	/** Of the installed models. */
	readonly languages: readonly Language[];
	readonly sizes: FileSizes;
	/** Of one `file_url`. */
	readonly fetchSecondsMax: number;
}

/** A file, or the URL of one among the texts, and how it is to be transcribed. */
export interface FileOffer extends Upload {
	readonly owner: Owner;
	readonly request?: TaskRequest;
	readonly signal: AbortSignal;
	readonly log: EngineLog;
}

export interface TakenFile {
	readonly taskId: string;
	/** Of its audio. */
	readonly seconds: number;
}

const schemas = {
	standard: uploadOptions("standard"),
	vip: uploadOptions("vip"),
} as const;

/** The offered file is kept or discarded. @throws CodedError; the signal's reason */
export async function takeFile(
	{ texts, file: sent, owner, request, signal, log }: FileOffer,
	variant: Variant,
	parts: TakeParts,
): Promise<TakenFile> {
	const { desk, wordLists, sizes } = parts;
	let file: UploadedFile | undefined = sent;
	let release = () => {};
	try {
		if (!file && !texts.has("file_url")) throw fileMissing();
		const { values, unknown } = parseTexts(schemas[variant], texts);
		if (unknown.length > 0) log.debug({ unknown }, "unknown fields ignored");
		const options = fileOptionsOf(values, variant, parts.languages);
		checkCallback(values, (url) => parts.outbound.objection(url));
		const words = wordLists.resolve(values, values.lang_type);
		release = wordLists.hold(words);
		file ??= await fetchFile(
			values.file_url ?? "",
			fileBytesMax(sizes, variant, values.format),
			{ ...parts, secondsMax: parts.fetchSecondsMax },
			signal,
		);
		const { draft, name } = file;
		const { format, channels, audioMs } = await admittedAudio(
			draft,
			options,
			sizes,
			parts.probe,
			signal,
		);
		await draft.commit();
		const id = randomBytes(16).toString("hex");
		await desk.submit({
			id,
			owner,
			fileName: name,
			audioId: draft.id,
			audioMs,
			...(request && { request }),
			// two channels can't be heard where there is one
			options: {
				...options,
				format,
				channels: channels === 2 ? options.channels : 1,
			},
		});
		draft.settle();
		log.info({ task: id, bytes: draft.bytes, audioMs }, "file taken");
		return { taskId: id, seconds: secondsOf(audioMs) };
	} finally {
		release();
		await file?.draft.discard();
	}
}

/** Of audio, as answers tell it. */
export function secondsOf(audioMs: number): number {
	return Math.max(1, Math.round(audioMs / 1000));
}
