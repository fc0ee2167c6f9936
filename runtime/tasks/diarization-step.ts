/**
 * Assigns speakers to the transcript, where requested. A transcript is worth more than its speakers: where diarization fails, the task is completed without
 * them and its notes give the reason.
 */
import type { Turn } from "../engine/file-job.js";
import { CodedError } from "../errors.js";
import { JobDied, untilAborted } from "./recognition-step.js";
import { type RunParts, Stopped, type TaskInHand } from "./run-parts.js";
import { diarizationJobOf } from "./wanted-jobs.js";
import { afterDeath, afterDiarization } from "./work.js";

/** @throws JobDied where a retry makes sense, Stopped */
export async function diarize(
	parts: RunParts,
	task: TaskInHand,
): Promise<void> {
	const { store } = parts;
	const { id } = task;
	try {
		const turns = await requestTurns(parts, task);
		const work = afterDiarization(task.work);
		await store.work.putTurns(id, work, turns);
		task.work = work;
	} catch (error) {
		const missing = whyMissing(error, task);
		if (missing === undefined) throw error;
		parts.log.warn({ task: id, reason: missing }, "speakers not identified");
		const work = afterDiarization(task.work, missing);
		await store.work.put(id, work);
		task.work = work;
	}
}

async function requestTurns(
	{ lane, store }: RunParts,
	task: TaskInHand,
): Promise<readonly Turn[]> {
	const { id, path, options, signal, work, row } = task;
	const wanted = diarizationJobOf(path, options, store.work.utterances(id, 1));
	if (wanted.regions.length === 0) return [];
	const job = await lane.openJob(wanted, signal);
	let turns: readonly Turn[] = [];
	for await (const event of untilAborted(job, signal, () => [])) {
		if (event.is === "voices") turns = event.turns;
		if (event.is === "progress") {
			const share = event.audioMs / Math.max(1, work.audioMs ?? row.audioMs);
			const left = 99 - work.progress;
			task.onProgress(work.progress + Math.floor(left * Math.min(1, share)));
		}
		if (event.is === "done") return turns;
	}
	throw new Stopped();
}

/** @returns the reason why there are no speakers; undefined where diarization should be retried. */
function whyMissing(error: unknown, { work }: TaskInHand): string | undefined {
	if (error instanceof JobDied) {
		const isLast = afterDeath(work, []).is === "give-up";
		return isLast ? error.message : undefined;
	}
	const isFinal = error instanceof CodedError && error.status !== "100004";
	return isFinal ? error.message : undefined;
}
