/**
 * One run of a task: recognition from where the last run ended, diarization, then composing and storing the result. Every step is on the disk before the next
 * one; if a run ends in between, the next run continues from there.
 *
 * INVARIANTS
 * - Utterances and the position to resume from are written in one transaction: nothing is recognized twice, nothing is left out.
 * - The result, the task's state and its callback are one transaction: a task is finished once.
 * - After an abort only a write in progress is completed.
 */
import { EngineLost } from "../engine/remote-job.js";
import { CodedError } from "../errors.js";
import { StoreError } from "../store/store-error.js";
import { diarize } from "./diarization-step.js";
import { JobDied, RecognitionStep } from "./recognition-step.js";
import { completeTask, failTask } from "./result-step.js";
import { type RunParts, Stopped, type TaskInHand } from "./run-parts.js";
import { wantsDiarization } from "./wanted-jobs.js";
import { afterDeath, isDangerous, putBack, takenUp } from "./work.js";

export type RunEnd =
	/** Completed or failed. */
	| { readonly is: "finished" }
	/** It has to be run again. `dangerous`: an engine died over it. */
	| { readonly is: "again"; readonly dangerous: boolean }
	/** No engine is available now. */
	| { readonly is: "no-engine" }
	/** Stopped on request. */
	| { readonly is: "stopped" };

/** @throws errors that are not the task's fault: of the store, or a bug. */
export async function runTask(
	parts: RunParts,
	task: TaskInHand,
): Promise<RunEnd> {
	const before = task.work;
	try {
		if (!(await begin(parts, task))) return { is: "finished" };
		if (!(await work(parts, task))) return again(task);
		await completeTask(parts, task);
		return { is: "finished" };
	} catch (error) {
		if (isFull(error) && !task.signal.aborted && task.work !== before)
			await putBackWork(parts, task).catch(() => {}); // the disk may take nothing at all; the first error says so
		return afterError(parts, task, error);
	}
}

/** @returns false where it was begun too often without progress: then it has failed. */
async function begin(parts: RunParts, task: TaskInHand): Promise<boolean> {
	const work = takenUp(task.work);
	if (!work) {
		const message =
			"processing was started many times without progress; see the log";
		await failTask(parts, task, { status: "220500", message });
		return false;
	}
	const { row } = task;
	task.row = {
		...row,
		state: "processing",
		processSeconds: row.processSeconds ?? parts.clock.nowSeconds(),
	};
	await parts.store.tasks.change(task.row, [
		parts.store.work.putting(task.id, work),
	]);
	task.work = work;
	return true;
}

/** @returns whether everything is there to compose the result. */
async function work(parts: RunParts, task: TaskInHand): Promise<boolean> {
	const hasWork = () =>
		task.work.audioMs === undefined ||
		(wantsDiarization(task.options) && !task.work.voices);
	if (!hasWork()) return true;
	if ((await parts.audio.size(task.row.audioId)) === undefined)
		throw new CodedError("220500", "the stored audio no longer exists");
	if (task.work.audioMs === undefined)
		if (!(await new RecognitionStep(parts, task).run())) return false;
	if (hasWork()) await diarize(parts, task);
	return true;
}

async function afterError(
	parts: RunParts,
	task: TaskInHand,
	error: unknown,
): Promise<RunEnd> {
	if (error instanceof Stopped && !task.signal.aborted)
		await putBackWork(parts, task); // its engine was stopped, or its device is gone
	if (error instanceof Stopped || task.signal.aborted) return { is: "stopped" };
	if (error instanceof JobDied) return afterJobDied(parts, task, error);
	if (error instanceof EngineLost) return again(task); // not caused by this task: one more start without progress
	if (!(error instanceof CodedError)) throw error;
	if (error.status === "100004") {
		await putBackWork(parts, task);
		return { is: "no-engine" };
	}
	await failTask(parts, task, error);
	return { is: "finished" };
}

/** Space comes back when somebody makes some, however long that takes: meanwhile the task must not fail, with what was recognized. */
function isFull(error: unknown): boolean {
	return error instanceof StoreError && error.trouble === "full";
}

async function putBackWork(
	{ store }: RunParts,
	task: TaskInHand,
): Promise<void> {
	task.work = putBack(task.work);
	await store.work.put(task.id, task.work);
}

async function afterJobDied(
	parts: RunParts,
	task: TaskInHand,
	{ tried, message }: JobDied,
): Promise<RunEnd> {
	const verdict = afterDeath(task.work, tried);
	const { id } = task;
	parts.log.error(
		{ task: id, tried, left: verdict.work.skip.length, reason: message },
		"engine died while running a task",
	);
	task.work = verdict.work;
	if (verdict.is === "go-on") {
		await parts.store.work.put(id, verdict.work);
		return again(task);
	}
	await failTask(parts, task, {
		status: "220500",
		message: `the recognition engine repeatedly died while processing it (${message})`,
	});
	return { is: "finished" };
}

function again({ work }: TaskInHand): RunEnd {
	return { is: "again", dangerous: isDangerous(work) };
}
