/**
 * A job on a file that runs in an engine process. Unlike a recognition it is not retried here: the caller knows where to resume and what to leave out.
 * A job that sends nothing for too long is hung: its engine is killed, which looks like any other death.
 */
import { CodedError } from "../errors.js";
import type { UnrecognizedSpeech } from "../models/recognizer.js";
import type { RecognitionOptions } from "../session/options.js";
import { listsOf } from "../words/referred-lists.js";
import type {
	EngineExit,
	EngineProcess,
	RecognitionMessage,
} from "./engine-process.js";
import { EventStream } from "./event-stream.js";
import type {
	DiarizationJob,
	FileEvent,
	FileJob,
	RecognitionJob,
} from "./file-job.js";
import { sentOptions } from "./sent-word-lists.js";

/** A job as requested: with the word lists themselves. */
export type JobRequest =
	| (Omit<RecognitionJob, "options"> & { readonly options: RecognitionOptions })
	| DiarizationJob;

export interface RunningJob {
	/** Ends after `done`; throws CodedError where the job failed, EngineLost where its engine died. A reader that stops reading cancels the job. */
	readonly events: AsyncIterable<FileEvent>;
	/** Idempotent; the events end. */
	cancel(): void;
}

export interface JobLane {
	/** Runs on the lane's engine, which is started if necessary. @throws CodedError 100004 when no engine is ready in time. */
	openJob(job: JobRequest, signal?: AbortSignal): Promise<RunningJob>;
}

/** The process that worked on the job is gone. */
export class EngineLost extends Error {
	override readonly name = "EngineLost";
	/** The engine was stopped on purpose. */
	readonly requested: boolean;
	/** False where the engine had reported nothing about the job and had worked before: it may have been dying already when the job was sent. */
	readonly begun: boolean;

	constructor(exit: EngineExit, begun = true) {
		super(exit.reason);
		this.requested = exit.requested;
		this.begun = begun;
	}
}

export class RemoteJob implements RunningJob {
	readonly #engine: EngineProcess;
	readonly #answerMsMax: number;
	readonly #stream: EventStream<FileEvent>;
	readonly #id: number;
	readonly #onUnrecognized: (
		unrecognized: readonly UnrecognizedSpeech[],
	) => void;
	#timer: NodeJS.Timeout | undefined;
	#over = false;
	#hasReported = false;

	constructor(
		engine: EngineProcess,
		job: JobRequest,
		answerMsMax: number,
		onUnrecognized: (unrecognized: readonly UnrecognizedSpeech[]) => void,
	) {
		this.#engine = engine;
		this.#onUnrecognized = onUnrecognized;
		this.#answerMsMax = answerMsMax;
		this.#stream = new EventStream(() => this.cancel());
		const isFirst = !engine.hasWorked;
		this.#id = engine.attach({
			onMessage: (message) => this.#onMessage(message),
			onLost: (exit) =>
				this.#end(new EngineLost(exit, this.#hasReported || isFirst)),
		});
		const lists = job.is === "hear" ? listsOf(job.options) : [];
		engine.supply(lists, () => {
			if (this.#over) return;
			engine.send({ is: "job", id: this.#id, job: sentJob(job) });
			this.#watch();
		});
	}

	get events(): AsyncIterable<FileEvent> {
		return this.#stream;
	}

	cancel(): void {
		if (this.#over) return;
		this.#engine.send({ is: "cancel", id: this.#id });
		this.#end();
	}

	#onMessage(message: RecognitionMessage): void {
		if (this.#over) return;
		this.#hasReported = true;
		this.#watch();
		if (message.is === "failed")
			this.#end(new CodedError(message.status, message.message));
		else if (message.is === "job-event") this.#emit(message.event);
	}

	#emit(event: FileEvent): void {
		if (event.is === "heard")
			this.#onUnrecognized(event.utterances.flatMap((it) => it.unheard ?? []));
		// a slow reader needs only the latest
		if (event.is === "progress") this.#stream.replaceLast(event, isProgress);
		else this.#stream.push(event);
		if (event.is === "done") this.#end();
	}

	#watch(): void {
		clearTimeout(this.#timer);
		const timer = setTimeout(() => {
			void this.#engine.killIfHung(
				"hung: a job gave no sign of life",
				() => this.#over || this.#timer !== timer,
			);
		}, this.#answerMsMax);
		this.#timer = timer;
	}

	#end(error?: Error): void {
		if (this.#over) return;
		this.#over = true;
		clearTimeout(this.#timer);
		if (error) this.#stream.fail(error);
		else this.#stream.end();
		this.#engine.detach(this.#id);
	}
}

function sentJob(job: JobRequest): FileJob {
	return job.is === "hear"
		? { ...job, options: sentOptions(job.options) }
		: job;
}

function isProgress(event: FileEvent): boolean {
	return event.is === "progress";
}
