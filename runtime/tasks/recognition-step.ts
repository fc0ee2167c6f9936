/** Recognizes a task's file: each result of the engine is stored before the next event is processed, in one transaction with the position to resume from. */
import type {
	ChannelSpan,
	FileEvent,
	UtterancesEvent,
} from "../engine/file-job.js";
import { EngineLost, type RunningJob } from "../engine/remote-job.js";
import { CodedError } from "../errors.js";
import type { ReferredWords } from "../word-lists/references.js";
import { namesLists } from "./file-options.js";
import { type RunParts, Stopped, type TaskInHand } from "./run-parts.js";
import { recognitionJobOf, wantsDiarization } from "./wanted-jobs.js";
import { afterRecognition, afterUtterances, isSuspicious } from "./work.js";

/** An engine died, or a job in it failed, while trying these spans. */
export class JobDied extends Error {
	override readonly name = "JobDied";
	readonly tried: readonly ChannelSpan[];

	constructor(tried: readonly ChannelSpan[], cause: Error) {
		super(cause.message, { cause });
		this.tried = tried;
	}
}

/** Minimum time between writes that only store progress. */
const progressMsMin = 5000;
/** Recognition's share of a task's progress, where diarization follows. */
const recognitionShare = 0.9;

export class RecognitionStep {
	readonly #parts: RunParts;
	readonly #task: TaskInHand;
	#tried: readonly ChannelSpan[] = [];
	#writtenMs = performance.now();

	constructor(parts: RunParts, task: TaskInHand) {
		this.#parts = parts;
		this.#task = task;
	}

	/** @returns whether recognition is complete; false: another job must continue. @throws JobDied, EngineLost, Stopped, CodedError */
	async run(): Promise<boolean> {
		const { path, options, work, signal } = this.#task;
		const words = await this.#words();
		const wanted = recognitionJobOf(path, options, words, work);
		const job = await this.#parts.lane.openJob(wanted, signal);
		for await (const event of untilAborted(job, signal, () => this.#tried)) {
			await this.#onEvent(event);
			if (event.is === "done") return true;
			// the fatal segment is found, or the cause lay elsewhere: continue with several at a time
			if (wanted.oneByOne && !isSuspicious(this.#task.work)) return false;
		}
		throw new Stopped();
	}

	/** What its lists hold when the first run begins: later runs go on with the same, whatever happens to the lists. */
	async #words(): Promise<ReferredWords> {
		const { store, words: source } = this.#parts;
		const { id, options } = this.#task;
		const stored = store.work.words(id);
		if (stored) return stored;
		const { words, notes } = source.resolveAccepted(
			options,
			options.language,
			options.listLanguages,
		);
		if (!namesLists(options)) return words;
		const { row } = this.#task;
		this.#task.row = { ...row, notes: [...row.notes, ...notes] };
		const write = store.work.puttingWords(id, words);
		await store.tasks.change(this.#task.row, [write]);
		return words;
	}

	async #onEvent(event: FileEvent): Promise<void> {
		switch (event.is) {
			case "trying":
				this.#tried = event.stretches;
				return;
			case "heard":
				await this.#storeUtterances(event);
				return;
			case "progress":
				await this.#showProgress(event.audioMs);
				return;
			case "done":
				await this.#write(() => {
					this.#task.work = afterRecognition(this.#task.work, event.audioMs);
				});
				return;
			case "voices":
				return; // only diarization jobs send these
		}
	}

	async #storeUtterances(event: UtterancesEvent): Promise<void> {
		const { store } = this.#parts;
		const { id } = this.#task;
		const first = event.utterances[0];
		this.#tried = this.#tried.filter(
			(it) =>
				it.channel !== event.channel || it.startSample >= event.resume.sample,
		);
		const work = afterUtterances(
			this.#task.work,
			event,
			this.#percentOf(this.#recognizedMs(event)),
		);
		if (first)
			await store.work.putUtterances(
				id,
				work,
				event.channel,
				first.index,
				event.utterances,
			);
		else await store.work.put(id, work);
		this.#task.work = work;
		this.#writtenMs = performance.now();
		this.#task.onProgress(work.progress);
	}

	/** The position that all channels have reached. */
	#recognizedMs({ channel, resume }: UtterancesEvent): number {
		const samples = this.#task.work.resume.map((it, index) =>
			index === channel - 1 ? resume.sample : it.sample,
		);
		return Math.min(...samples) / 16;
	}

	async #showProgress(audioMs: number): Promise<void> {
		const { work } = this.#task;
		const progress = Math.max(work.progress, this.#percentOf(audioMs));
		this.#task.onProgress(progress);
		if (performance.now() - this.#writtenMs < progressMsMin) return;
		await this.#write(() => {
			this.#task.work = { ...work, progress };
		});
	}

	#percentOf(audioMs: number): number {
		const { row, options } = this.#task;
		const share = wantsDiarization(options) ? recognitionShare : 1;
		const percent = (100 * share * audioMs) / Math.max(1, row.audioMs);
		return Math.min(99, Math.floor(percent));
	}

	async #write(change: () => void): Promise<void> {
		change();
		this.#writtenMs = performance.now();
		await this.#parts.store.work.put(this.#task.id, this.#task.work);
	}
}

/** A job's events; an abort cancels the job. @throws JobDied; EngineLost where this job did not cause it; Stopped, CodedError */
export async function* untilAborted(
	job: RunningJob,
	signal: AbortSignal,
	tried: () => readonly ChannelSpan[],
): AsyncGenerator<FileEvent> {
	const cancel = () => job.cancel();
	signal.addEventListener("abort", cancel, { once: true });
	try {
		if (signal.aborted) throw new Stopped();
		for await (const event of job.events) {
			if (signal.aborted) throw new Stopped();
			yield event;
		}
	} catch (error) {
		if (signal.aborted) throw new Stopped();
		throw asJobError(error, tried());
	} finally {
		signal.removeEventListener("abort", cancel);
		job.cancel();
	}
}

function asJobError(error: unknown, tried: readonly ChannelSpan[]): unknown {
	if (error instanceof EngineLost) {
		if (error.requested) return new Stopped();
		return error.begun ? new JobDied(tried, error) : error;
	}
	// an internal error of the job counts as a death
	if (error instanceof CodedError && error.status === "100003")
		return new JobDied(tried, error);
	return error;
}
