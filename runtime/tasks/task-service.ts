/** The port between the endpoints (`api/files`) and the tasks. Everything acknowledged here is on the disk. */
import type { AudioFormat } from "../audio/container.js";
import type { StatusCode } from "../errors.js";
import type { Owner } from "../owner.js";
import type { SegmentEdit } from "../store/task-edits.js";
import type { TaskState } from "../store/tasks.js";
import type { FileOptions } from "./file-options.js";
import type { ResultSegment, Statistics } from "./result/result.js";

/** Identifies a repeated request, as delivery may repeat it. */
export interface TaskRequest {
	/** Identifies the caller and its request. */
	readonly key: string;
	/** Identifies the content of the request. */
	readonly content: string;
}

export interface NewTask {
	/** At least 128 random bits: its holder may read the result. */
	readonly id: string;
	/** The task is visible to its owner and to `admin`. */
	readonly owner: Owner;
	/** Name given by the client: for display, never a path. */
	readonly fileName: string;
	/** On the audio shelf. */
	readonly audioId: string;
	readonly audioMs: number;
	readonly options: FileOptions;
	readonly request?: TaskRequest;
	/** Its client waits for it and gets its result at once or never: it is removed at the next start. */
	readonly isAwaited?: true;
}

/** The public part of a task. */
export interface TaskView {
	readonly id: string;
	readonly owner: Owner;
	readonly state: TaskState;
	readonly fileName: string;
	readonly audioMs: number;
	/** Unix times in seconds. */
	readonly insertSeconds: number;
	/** The same by the operating clock (`Clock.operatingSeconds`), for ages; tasks of older versions have none. */
	readonly insertOperatingSeconds?: number;
	readonly processSeconds?: number;
	readonly finishSeconds?: number;
	/** 0 to 100. */
	readonly progress: number;
	/** Of a failed task. */
	readonly failure?: { readonly status: StatusCode; readonly message: string };
	/** Of a call: its name. */
	readonly call?: string;
	/** Notes for people on a completed task: spans that could not be transcribed, for instance. */
	readonly notes: readonly string[];
}

/** A completed task's transcript; read piece by piece, it may be hours long. */
export interface StoredResult {
	segments(): Iterable<ResultSegment>;
	readonly statistics: Statistics;
}

/** The sentences of a result, as they become certain while the rest of the file is transcribed. */
export interface SettledSentences {
	/** The texts of those that became certain since the last call, in order; once the task is finished, only its result has the rest. */
	take(): readonly string[];
}

export interface TaskAudio {
	readonly audioId: string;
	/** That the bytes have. */
	readonly format: AudioFormat;
}

/** A correction. */
export interface TranscriptEdit {
	/** Names of speakers by number; an empty one takes the name away. Two with one name are the same person. */
	readonly speakers?: Readonly<Record<string, string>>;
	/** Null: the recognized text, again. */
	readonly segments?: readonly {
		readonly seg_num: number;
		readonly transcript: string | null;
	}[];
}

/** A segment that people changed. */
export interface EditedSegment extends SegmentEdit {
	readonly number: number;
}

/** What people changed; read piece by piece, it may be as long as the transcript, many times over. */
export interface TranscriptEdits {
	readonly speakers: Readonly<Record<string, string>>;
	segments(): Iterable<EditedSegment>;
}

export interface TaskService {
	/** Resolves when the task is on the disk. Its audio belongs to the task from then on. @throws CodedError 100004 when the queue is full. */
	submit(task: NewTask): Promise<void>;
	/** Before a file is received that `submit` would refuse. @throws CodedError 100004 where too many tasks wait */
	requireRoom(): void;
	find(id: string): TaskView | undefined;
	/** Newest first. */
	list(): Iterable<TaskView>;
	/** Cancels or removes a task with its result and audio. @returns whether it existed. */
	remove(id: string): Promise<boolean>;
	/** Undefined where nothing is certain before the end: speakers, channels, subtitles. */
	settledSentences(id: string): SettledSentences | undefined;
	/** Only for a completed task; with the corrections that people made. */
	result(id: string): StoredResult | undefined;
	/** Its audio as it was uploaded; undefined where it is not kept any more. */
	audio(id: string): TaskAudio | undefined;
	/** Corrects a transcript. @returns whether there is one. @throws CodedError 200002, StoreError */
	edit(id: string, edit: TranscriptEdit): Promise<boolean>;
	edits(id: string): TranscriptEdits;
}
