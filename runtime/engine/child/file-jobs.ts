/**
 * Jobs on files inside an engine. Each job ends once: with `done`, with `failed`, or cancelled without a message.
 */
import type { RecognitionOptions } from "../../session/options.js";
import type { DiarizationJob, FileEvent, RecognitionJob } from "../file-job.js";
import type { ToEngine } from "../protocol.js";
import type { ReceivedWordLists } from "./received-word-lists.js";

/** All events of a job but its end. */
export type JobEvent = Exclude<FileEvent, { readonly is: "done" }>;

export interface JobContext {
	emit(event: JobEvent): void;
	/** The job was cancelled: errors it throws from then on are ignored. */
	readonly signal: AbortSignal;
}

/** Each runs a job to its end. @returns the file's length in milliseconds, counted in samples. @throws CodedError */
export interface FileWorkers {
	/** @param options of the job, with the word lists that it names. */
	recognize(
		job: RecognitionJob,
		options: RecognitionOptions,
		context: JobContext,
	): Promise<number>;
	diarize(job: DiarizationJob, context: JobContext): Promise<number>;
	/** Releases what they hold besides the models. */
	close(): Promise<void>;
}

export interface JobListener {
	onEvent(id: number, event: FileEvent): void;
	onFailed(id: number, error: unknown): void;
	/** The job has ended, for whatever reason, and holds nothing any more. */
	onEnded(): void;
}

export class FileJobs {
	readonly #workers: FileWorkers;
	readonly #wordLists: ReceivedWordLists;
	readonly #listener: JobListener;
	readonly #running = new Map<number, AbortController>();

	constructor(
		workers: FileWorkers,
		words: ReceivedWordLists,
		listener: JobListener,
	) {
		this.#workers = workers;
		this.#wordLists = words;
		this.#listener = listener;
	}

	get running(): number {
		return this.#running.size;
	}

	start({ id, job }: Extract<ToEngine, { readonly is: "job" }>): void {
		const abort = new AbortController();
		this.#running.set(id, abort);
		const context: JobContext = {
			emit: (event) => {
				if (!abort.signal.aborted) this.#listener.onEvent(id, event);
			},
			signal: abort.signal,
		};
		void this.#run(id, context, () =>
			job.is === "hear"
				? this.#workers.recognize(
						job,
						this.#wordLists.optionsOf(job.options),
						context,
					)
				: this.#workers.diarize(job, context),
		);
	}

	/** Sends no answer; an id that is not a job's is ignored. */
	cancel(id: number): void {
		this.#running.get(id)?.abort();
	}

	cancelAll(): void {
		for (const abort of this.#running.values()) abort.abort();
	}

	async #run(
		id: number,
		{ signal }: JobContext,
		work: () => Promise<number>,
	): Promise<void> {
		try {
			const audioMs = await work();
			if (!signal.aborted) this.#listener.onEvent(id, { is: "done", audioMs });
		} catch (error) {
			if (!signal.aborted) this.#listener.onFailed(id, error);
		}
		this.#running.delete(id);
		this.#listener.onEnded();
	}
}
