/**
 * Every message between the main process and an engine process: one union per direction, over `child_process` IPC with
 * `serialization: "advanced"` (structured clone).
 *
 * How an exchange ends:
 * - `start` is answered by `ready` or `broken` within `readyMsMax`, or the child is killed.
 * - `ping` is answered by `pong` within `pingMsMax`, or the child is hung and killed.
 * - `open` starts a recognition under a new id. It ends with an `event` that is `completed`, or with `failed`; nothing with that id follows.
 *   Every `audio` is answered by `credit` as its bytes are used up, and `finish` by the end. `cancel` has no answer.
 *   Word lists are sent before the `open` that names them, once per child, in pieces; `forget-words` names those that the child may drop. A running
 *   recognition keeps the lists it started with.
 *   A recognition that is owed an answer and receives nothing for `answerMsMax` fails with 100003 and is cancelled.
 * - `job` starts work on a file under a new id (file-job.ts). It ends with a `job-event` that is `done`, or with `failed`; nothing with that id follows.
 *   A job that sends nothing for `answerMsMax` is hung, and its engine is killed. Its word lists are sent before it, as for an `open`.
 * - When a child dies, every recognition it held has failed. Main fails live callers with 230004; others it retries where that is safe, or fails with 100003;
 *   a job is requested again from where it had got to.
 * - When the main process dies, the channel closes and the child exits.
 */

import type { StatusCode } from "../errors.js";
import type {
	KernelChoice,
	KernelLevel,
	Processor,
	ProcessorChoice,
	RefusedProcessor,
	WantedProcessor,
} from "../models/inference-port.js";
import type { SessionEvent } from "../session/events.js";
import type { Language } from "../text/languages.js";
import type { FileEvent, FileJob } from "./file-job.js";
import type { SentOptions } from "./sent-options.js";

export type LaneName = "live" | "batch";

/** What a child needs to act as an engine. */
export interface EngineSettings {
	readonly lane: LaneName;
	/** Folder of the recognizer's package. */
	readonly modelFolder: string;
	/** Folders of the packages for single languages, by lang_type. */
	readonly languageFolders?: Readonly<Record<string, string>>;
	/** Folder of the voice activity model's package. */
	readonly voiceActivityFolder: string;
	/** Folder of the package of the second voice activity model, for files; absent where none is wanted. The folder may be missing. */
	readonly segmentationFolder?: string;
	/** Folder of the second ear's package; absent where none is wanted. */
	readonly secondEarFolder?: string;
	/** Folder of the package of the speaker embedding model. The folder may be missing. */
	readonly speakerFolder: string;
	/** Threads inside one operator of the recognizer; 0: as many as there are cores. */
	readonly threads: number;
	/** The cores to run on: auto, all, or a list; absent: all. */
	readonly cores?: string;
	/** What computes the recognizer's graphs. */
	readonly processor: WantedProcessor;
	/** Execution providers of a vendor's library. */
	readonly customProviders?: readonly string[];
	/** Best instructions that our kernels on the CPU may use; absent: auto. */
	readonly kernels?: KernelLevel;
	/** Processors that crashed an engine: they are not tried. */
	readonly distrusted?: readonly RefusedProcessor[];
	/** Copies of the recognizer that share these threads when files are transcribed. */
	readonly recognizers: number;
	/** Default beam, for requests that do not set one. */
	readonly beam: number;
	/** Minimum amount of speech between two partials, milliseconds. */
	readonly partialMs?: number;
	/** The lane's folder for containers waiting for ffmpeg; each engine creates its own subfolder. */
	readonly spoolFolder: string;
	/** Largest container, bytes. */
	readonly spoolBytesMax: number;
	/** Check the weights' checksums before loading them. */
	readonly verify: boolean;
	/** Operating system priority: 0 normal, 19 lowest. */
	readonly niceness: number;
	/** Run only when no other process wants the CPU. */
	readonly idleOnly: boolean;
}

/** The settings that determine what is loaded and how. */
export type CoreSettings = Omit<
	EngineSettings,
	"lane" | "niceness" | "idleOnly"
>;

export type ToEngine =
	| { readonly is: "start"; readonly settings: EngineSettings }
	| { readonly is: "ping"; readonly id: number }
	| {
			readonly is: "open";
			readonly id: number;
			readonly options: SentOptions;
	  }
	/** A piece of a list; pieces with the same key follow until the last. */
	| {
			readonly is: "word-list";
			readonly key: string;
			readonly entries: readonly string[];
			readonly last: boolean;
	  }
	| { readonly is: "forget-words"; readonly keys: readonly string[] }
	| {
			readonly is: "audio";
			readonly id: number;
			readonly bytes: Uint8Array;
	  }
	/** Takes effect after the audio sent before it. */
	| { readonly is: "end-sentence"; readonly id: number }
	| { readonly is: "finish"; readonly id: number }
	/** Work on a file. */
	| { readonly is: "job"; readonly id: number; readonly job: FileJob }
	| { readonly is: "cancel"; readonly id: number }
	/** Finish what is open, accept nothing new, exit. */
	| { readonly is: "drain" };

/** What the engine reports about itself once it has transcribed its probe clip. */
export interface EngineIdentity {
	/** The model package's name. */
	readonly model: string;
	readonly languages: readonly Language[];
	/** Absent: none is configured. */
	readonly languageModels?: readonly LanguageModelState[];
	readonly threads: number;
	/** The processors of the recognizer's graphs, where there was a choice. */
	readonly processors: readonly ProcessorChoice[];
	/** Our kernels on its CPU. */
	readonly kernels: readonly KernelChoice[];
	/** From the process's start to this message. */
	readonly startMs: number;
	/** Resident memory when ready, bytes. */
	readonly rssBytes: number;
	readonly probe: ProbeResult;
}

/** A model that serves some languages beside the main one. */
export interface LanguageModelState {
	/** The package's name. */
	readonly name: string;
	readonly languages: readonly Language[];
	/** `closed` for lack of memory, until it is used; `failed`: the main model serves its languages. */
	readonly state: "open" | "closed" | "failed";
	readonly why?: string;
}

/** Result of decoding the package's own clip. */
export interface ProbeResult {
	readonly text: string;
	readonly wordsMissing: readonly string[];
	readonly decodeMs: number;
}

export interface EngineLoad {
	/** Resident memory, bytes. */
	readonly rssBytes: number;
	/** Recognitions open in the child. */
	readonly sessions: number;
	/** Seconds of audio recognized since the start, and seconds of decoding spent on it; partials not counted. */
	readonly audioSeconds: number;
	readonly decodeSeconds: number;
	/** Segments for which the second ear failed since the start. */
	readonly refinementFailures: number;
	/** Absent: none is configured. */
	readonly languageModels?: readonly LanguageModelState[];
}

export type FromEngine =
	| { readonly is: "ready"; readonly identity: EngineIdentity }
	/** The engine is about to try or use this processor, which may crash it; undefined: it no longer does. */
	| { readonly is: "tries"; readonly processor: Processor | undefined }
	/** The child can't act as an engine and exits next. `message` says what to do. */
	| { readonly is: "broken"; readonly message: string }
	| { readonly is: "pong"; readonly id: number; readonly load: EngineLoad }
	| {
			readonly is: "event";
			readonly id: number;
			readonly event: SessionEvent;
	  }
	| {
			readonly is: "job-event";
			readonly id: number;
			readonly event: FileEvent;
	  }
	| {
			readonly is: "failed";
			readonly id: number;
			readonly status: StatusCode;
			readonly message: string;
	  }
	/** This many more bytes of the recognition were used up. */
	| { readonly is: "credit"; readonly id: number; readonly bytes: number }
	| {
			readonly is: "log";
			readonly level: "debug" | "info" | "warn" | "error";
			readonly message: string;
			readonly fields: Readonly<Record<string, unknown>>;
	  };

/** Bytes of one recognition that may be in flight to the child or unused there. */
export const creditBytes = 512 * 1024;

/** Largest `audio` message: a bigger one would delay a ping behind it. */
export const audioBytesMax = 64 * 1024;

/** Largest piece of a word list, UTF-16 units, for the same reason. */
export const wordListUnitsMax = 32 * 1024;
