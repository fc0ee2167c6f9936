/**
 * Turns a file into a task, however it arrived: inspects it, puts it on the shelf, queues it. An acknowledged file is on the disk; a refused one leaves nothing
 * there, unless it is uncertain whether its task was written.
 */

import { randomBytes } from "node:crypto";
import type { ContainerProbe } from "../../audio/probe-port.js";
import { parseLenientJson } from "../../json/validate.js";
import type { LogPort } from "../../log/log-port.js";
import type { Outbound } from "../../outbound/outbound.js";
import type { Owner } from "../../owner.js";
import type { AudioShelf } from "../../store/audio-shelf.js";
import { StoreError } from "../../store/store-error.js";
import type { Language } from "../../text/languages.js";
import type { DefaultingWords } from "../../word-lists/endpoint-words.js";
import type { WordSource } from "../../word-lists/references.js";
import type { FileOptions, Variant } from "../file-options.js";
import type { TaskRequest, TaskService } from "../task-service.js";
import { admittedAudio } from "./admitted-audio.js";
import { fetchFile, type UploadedFile } from "./fetched-file.js";
import { type FileSizes, fileBytesMax } from "./limits.js";
import {
	checkCallback,
	fileOptionsOf,
	type UploadOptions,
	uploadSchemas,
} from "./upload-options.js";
import { UploadPlaces } from "./upload-places.js";

export interface IntakeParts {
	readonly taskService: Pick<TaskService, "submit" | "requireRoom">;
	readonly shelf: Pick<AudioShelf, "begin">;
	readonly probe: ContainerProbe;
	readonly outbound: Pick<Outbound, "send" | "objection">;
	readonly wordLists: WordSource;
	/** Of the installed models. */
	readonly languages: readonly Language[];
	/** `[files]` */
	readonly sizes: FileSizes & { readonly uploads_max: number };
	/** For one `file_url`. */
	readonly fetchSecondsMax: number;
}

/** The caller that submits a file. */
export interface Submitter {
	readonly owner: Owner;
	readonly request?: TaskRequest;
	readonly signal: AbortSignal;
	readonly log: LogPort;
}

/** A file and its options. */
export interface FileSubmission extends Submitter {
	readonly variant: Variant;
	readonly values: UploadOptions;
	/** `auto`: the bytes alone decide, whatever the options name. */
	readonly format?: "auto";
	/** The transcript is to be a translation from this language. */
	readonly translatedFrom?: Language;
	/** See FileOptions. */
	readonly listLanguages?: readonly Language[];
	/** See NewTask. */
	readonly isAwaited?: true;
	/** Of an endpoint that has lists for requests without any. */
	readonly wordLists?: Pick<DefaultingWords, "withDefaults">;
	/** Undefined where the options have a URL instead. */
	readonly file: UploadedFile | undefined;
}

export interface TakenFile {
	readonly taskId: string;
	/** Duration of its audio. */
	readonly seconds: number;
}

export class FileIntake {
	/** Shared by all uploads and fetches. */
	readonly places: UploadPlaces;
	readonly #parts: IntakeParts;

	constructor(parts: IntakeParts) {
		this.#parts = parts;
		this.places = new UploadPlaces(parts.sizes.uploads_max);
	}

	/** Before a file is received or fetched: a large one takes long. @throws CodedError 100004 */
	requireRoom(): void {
		this.#parts.taskService.requireRoom();
	}

	/** The file is kept or discarded in any case. @throws CodedError; the signal's reason */
	async take(submission: FileSubmission): Promise<TakenFile> {
		const { values, variant, owner, request, signal, log } = submission;
		const { translatedFrom, listLanguages, isAwaited } = submission;
		const { taskService, wordLists, sizes, probe } = this.#parts;
		let { file } = submission;
		let release = () => {};
		try {
			const named = fileOptionsOf(values, variant, this.#parts.languages);
			const { language } = named;
			const options = {
				...named,
				...submission.wordLists?.withDefaults(named, language, listLanguages),
				...(submission.format && { format: submission.format }),
				...(translatedFrom && { translatedFrom }),
				...(listLanguages && { listLanguages }),
			};
			checkCallback(values, (url) => this.#parts.outbound.objection(url));
			wordLists.resolve(named, language, listLanguages); // what the configuration adds refuses no request
			release = wordLists.holdNamed(
				options,
				language,
				"recognition",
				listLanguages,
			);
			file ??= await this.#fetch(values, variant, signal);
			const { draft, name } = file;
			const { format, channels, audioMs } = await admittedAudio(
				draft,
				options,
				sizes,
				probe,
				signal,
			);
			await draft.commit();
			const id = randomBytes(16).toString("hex");
			const task = {
				id,
				owner,
				fileName: name,
				audioId: draft.id,
				audioMs,
				...(request && { request }),
				...(isAwaited && { isAwaited }),
				options: { ...forChannels(options, channels), format },
			};
			await taskService.submit(task).catch((error: unknown) => {
				if (mayBeStored(error)) draft.settle();
				throw error;
			});
			draft.settle();
			log.info({ task: id, bytes: draft.bytes, audioMs }, "file taken");
			return { taskId: id, seconds: secondsOf(audioMs) };
		} finally {
			release();
			await file?.draft.discard();
		}
	}

	/** Takes a file by the URL in a message. @param body with the field names of the form. @throws CodedError; the signal's reason */
	async takeNamed(
		body: Readonly<Record<string, unknown>>,
		submitter: Submitter,
	): Promise<TakenFile> {
		this.requireRoom();
		const place = this.places.take(submitter.owner);
		try {
			const { values, unknown } = parseLenientJson(
				uploadSchemas.standard,
				body,
			);
			if (unknown.length > 0)
				submitter.log.debug({ unknown }, "unknown fields ignored");
			return await this.take({
				...submitter,
				variant: "standard",
				values,
				file: undefined,
			});
		} finally {
			place.leave();
		}
	}

	#fetch(
		{ file_url = "", format }: UploadOptions,
		variant: Variant,
		signal: AbortSignal,
	): Promise<UploadedFile> {
		const { sizes, fetchSecondsMax: secondsMax } = this.#parts;
		const bytesMax = fileBytesMax(sizes, variant, format);
		return fetchFile(
			file_url,
			bytesMax,
			{ ...this.#parts, secondsMax },
			signal,
		);
	}
}

/** One channel can't be recognized as two: who asked for two gets the segments of one speaker. */
function forChannels(options: FileOptions, channels: number): FileOptions {
	if (options.channels !== 2 || channels === 2) return options;
	return { ...options, channels: 1, clusters: options.clusters ?? 1 };
}

/** Duration of audio as answers give it: whole seconds, at least 1. */
export function secondsOf(audioMs: number): number {
	return Math.max(1, Math.round(audioMs / 1000));
}

/** The next start finds the task, and runs it, or removes the audio that belongs to none. */
function mayBeStored(error: unknown): boolean {
	return error instanceof StoreError && error.trouble === "stuck";
}
