/**
 * Composes the result from the stored utterances and stores it page by page; then the task is completed or failed and its callback queued, in one transaction.
 * The caller deletes the working data.
 */
import type { CodedError } from "../errors.js";
import { Deferred } from "../event-loop/deferred.js";
import type { Write } from "../store/database.js";
import type { TaskRow } from "../store/tasks.js";
import type { FileOptions } from "./file-options.js";
import { composeResult } from "./result/compose.js";
import type { FileUtterance, ResultKeywordSource } from "./result/parts.js";
import type { Statistics } from "./result/result.js";
import { timeCode } from "./result/time-code.js";
import { type RunParts, Stopped, type TaskInHand } from "./run-parts.js";
import { skipNote } from "./work.js";

/** @throws Stopped */
export async function completeTask(
	parts: RunParts,
	task: TaskInHand,
): Promise<void> {
	const { store, clock } = parts;
	const { id, options, work } = task;
	const finishSeconds = clock.nowSeconds();
	const notes = [
		...task.row.notes,
		...work.skip.map((it) => skipNote(it, options.channels, timeCode)),
	];
	if (work.voices?.missing !== undefined)
		notes.push(`speaker recognition failed: ${work.voices.missing}`);
	const { pages, statistics } = await storePages(
		parts,
		task,
		finishSeconds,
		(note) => notes.push(note),
	);
	await store.results.clear(id, pages); // left by an interrupted composition
	await finish(
		parts,
		task,
		{
			...task.row,
			state: "completed",
			finishSeconds,
			notes,
			audioMs: work.audioMs ?? task.row.audioMs,
		},
		[store.results.putting(id, { pages, statistics })],
	);
}

export async function failTask(
	parts: RunParts,
	task: Pick<TaskInHand, "id" | "row" | "options">,
	{ status, message }: Pick<CodedError, "status" | "message">,
): Promise<void> {
	parts.log.warn({ task: task.id, status, reason: message }, "task failed");
	await finish(parts, task, {
		...task.row,
		state: "failed",
		finishSeconds: parts.clock.nowSeconds(),
		failure: { status, message },
	});
}

async function finish(
	{ store, clock, announcing }: RunParts,
	{ id, options }: Pick<TaskInHand, "id" | "options">,
	row: TaskRow,
	writes: readonly Write[] = [],
): Promise<void> {
	const { callbackUrl } = options;
	const now = clock.nowSeconds();
	const operatingSeconds = clock.operatingSeconds();
	const callback =
		callbackUrl === undefined
			? []
			: [
					store.outbox.putting({
						taskId: id,
						url: callbackUrl,
						state: "waiting",
						dueSeconds: now,
						dueOperatingSeconds: operatingSeconds,
						createdSeconds: now,
						createdOperatingSeconds: operatingSeconds,
						tries: [],
					}),
				];
	const announcement = announcing?.(id);
	const finished = { ...row, finishOperatingSeconds: operatingSeconds };
	await store.tasks.change(finished, [
		...writes,
		...callback,
		...(announcement ? [announcement] : []),
		store.work.removing(id),
	]);
}

async function storePages(
	{ store, keywords, timeText, log }: RunParts,
	{ id, options: requested, row, work, signal }: TaskInHand,
	finishSeconds: number,
	note: (text: string) => void,
): Promise<{ pages: number; statistics: Statistics }> {
	const utterancesOf = (channel: number): Iterable<FileUtterance> => ({
		[Symbol.iterator]: () => store.work.utterances(id, channel),
	});
	const options =
		work.voices?.missing !== undefined ? withoutSpeakers(requested) : requested;
	const pieces = composeResult({
		options,
		channels:
			options.channels === 2
				? [utterancesOf(1), utterancesOf(2)]
				: [utterancesOf(1)],
		turns: store.work.turns(id),
		times: {
			insert_time: timeText(row.insertSeconds),
			process_time: timeText(row.processSeconds ?? row.insertSeconds),
			finish_time: timeText(finishSeconds),
		},
		keywords: forgiving(untilStopped(keywords, signal), (reason) => {
			log.warn({ task: id, reason }, "no keywords found");
			note(`keyword extraction failed: ${reason}`);
		}),
	});
	let pages = 0;
	for await (const piece of pieces) {
		if (signal.aborted) throw new Stopped();
		if (piece.is === "statistics") return { pages, ...piece };
		await store.results.putPage(id, pages++, piece.segments);
	}
	throw new Error("no statistics from composeResult");
}

/** Where they could not be found: a label would say that everything was said by one. */
function withoutSpeakers({
	clusters: _,
	...options
}: FileOptions): FileOptions {
	return options;
}

/** A transcript is worth more than its keywords: a failure is noted, not thrown. */
function forgiving(
	source: ResultKeywordSource,
	onMissing: (reason: string) => void,
): ResultKeywordSource {
	return {
		find: async (...query) => {
			try {
				return await source.find(...query);
			} catch (error) {
				if (error instanceof Stopped) throw error;
				onMissing(error instanceof Error ? error.message : String(error));
				return [];
			}
		},
	};
}

/** Finding them takes up to minutes, for which neither a removal nor the end of the program waits. */
function untilStopped(
	source: ResultKeywordSource,
	signal: AbortSignal,
): ResultKeywordSource {
	return {
		find: async (...query) => {
			const stopped = new Deferred<never>();
			const stop = () => stopped.reject(new Stopped());
			signal.addEventListener("abort", stop);
			if (signal.aborted) stop();
			try {
				return await Promise.race([source.find(...query), stopped.promise]);
			} finally {
				signal.removeEventListener("abort", stop);
			}
		},
	};
}
