/**
 * All that the main process and an engine process say to each other: one union per direction, over `child_process` IPC with
 * `serialization: "advanced"` (structured clone).
 *
 * How a conversation ends, whatever happens:
 * - `start` is answered by `ready` or `broken` within `readyMsMax`, or the child is killed.
 * - `ping` is answered by `pong` within `pingMsMax`, or the child is hung and killed.
 * - `open` starts a recognition with an id of its own. It ends with an `event` that is `completed`, or with `failed`; nothing of that id follows.
 *   Every `audio` is answered by `credit` as its bytes are used up, and `finish` by the end. `cancel` has no answer.
 *   Lists of words go before the `open` that names them, once for each child, in pieces; `forget-words` says which it need not keep any longer. What a
 *   recognition has begun with it keeps.
 *   A recognition that is owed something and hears nothing for `answerMsMax` is failed (100003) and cancelled.
 * - `job` starts work on a file with an id of its own (file-job.ts). It ends with a `job-event` that is `done`, or with `failed`; nothing of that id follows.
 *   A job that says nothing for `answerMsMax` hangs, and its engine is killed. Its lists of words go before it as they do before an `open`.
 * - A child that dies has failed every recognition it held. Main tells a live caller 230004; others it retries where that is safe, or tells 100003;
 *   a job is asked for again from where it had come to.
 * - A main process that dies closes the channel: the child stops by itself.
 */

import type { StatusCode } from "../errors.js";
import type {
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

/** What a child needs to know to be an engine. */
export interface EngineSettings {
	readonly lane: LaneName;
	/** Folder of the recognizer's package. */
	readonly modelFolder: string;
	/** Folder of the voice activity model's package. */
	readonly voiceActivityFolder: string;
	/** Folder of the package of the second voice activity model, for files; absent where there shall be none; it need not be there. */
	readonly segmentationFolder?: string;
	/** Folder of the package of the model that tells voices apart; it need not be there. */
	readonly speakerFolder: string;
	/** Threads inside one operator of the recognizer; 0: as many as there are cores. */
	readonly threads: number;
	/** What computes the recognizer's graphs. */
	readonly processor: WantedProcessor;
	/** Execution providers of a vendor's library. */
	readonly customProviders?: readonly string[];
	/** Those that an engine died of: they are not tried. */
	readonly distrusted?: readonly RefusedProcessor[];
	/** Copies of the recognizer that share these threads when files are heard. */
	readonly recognizers: number;
	/** Hypotheses kept while searching, where a request does not say. */
	readonly beam: number;
	/** Speech between two partials at least. */
	readonly partialMs?: number;
	/** Its lane's folder for containers on their way to ffmpeg; each engine makes its own in it. */
	readonly spoolFolder: string;
	/** Largest container, bytes. */
	readonly spoolBytesMax: number;
	/** Look at the weights' checksums before loading them. */
	readonly verify: boolean;
	/** Operating system priority: 0 normal, 19 lowest. */
	readonly niceness: number;
	/** It runs when nobody else wants to. */
	readonly idleOnly: boolean;
}

/** Those that say what is loaded and how. */
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
	/** A piece of a list; the next one of the same key follows, unless it is the last. */
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
	/** Behind the audio sent before it. */
	| { readonly is: "end-sentence"; readonly id: number }
	| { readonly is: "finish"; readonly id: number }
	/** Work on a file. */
	| { readonly is: "job"; readonly id: number; readonly job: FileJob }
	| { readonly is: "cancel"; readonly id: number }
	/** Finish what is open, take nothing new, exit. */
	| { readonly is: "drain" };

/** What the engine says of itself when it has proved that it hears. */
export interface EngineIdentity {
	/** The model package's name. */
	readonly model: string;
	readonly languages: readonly Language[];
	readonly threads: number;
	/** What computes the recognizer's graphs, where there was a choice. */
	readonly processors: readonly ProcessorChoice[];
	/** From the process's start to this message. */
	readonly startMs: number;
	/** Resident memory when ready, bytes. */
	readonly rssBytes: number;
	readonly probe: ProbeResult;
}

/** A real decode of the package's own clip. */
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
	/** Seconds of audio recognised since the start, and seconds of decoding spent on it; partials not counted. */
	readonly audioSeconds: number;
	readonly decodeSeconds: number;
}

export type FromEngine =
	| { readonly is: "ready"; readonly identity: EngineIdentity }
	/** It tries or uses this processor from here on, which may be the end of it; undefined: it does not any more. */
	| { readonly is: "tries"; readonly processor: Processor | undefined }
	/** It can't be an engine; it exits next. `message` says what to do. */
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
	/** So many more bytes of this recognition were used up. */
	| { readonly is: "credit"; readonly id: number; readonly bytes: number }
	| {
			readonly is: "log";
			readonly level: "debug" | "info" | "warn" | "error";
			readonly message: string;
			readonly fields: Readonly<Record<string, unknown>>;
	  };

/** Bytes of one recognition that may be under way to the child and unused there. */
export const creditBytes = 512 * 1024;

/** Largest `audio` message: a big one would hold up a ping behind it. */
export const audioBytesMax = 64 * 1024;

/** Largest piece of a list of words, UTF-16 units, for the same reason. */
export const wordListUnitsMax = 32 * 1024;
