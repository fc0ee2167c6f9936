/**
 * The body of a callback (docs/interface.md section 6), piece by piece: a five-hour transcript is never whole in memory, and writing it does not block the
 * event loop.
 * It is the same each time, so that it can be signed first and then sent, whatever is corrected in between.
 */
import { createHmac } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { successStatus } from "../errors.js";
import { outcomeMessage } from "./outcome-message.js";
import type { ResultSegment } from "./result/result.js";
import type { StoredResult, TaskView } from "./task-service.js";

/** Approximate size of one piece, in UTF-16 code units. */
const pieceUnits = 64 * 1024;
const failedStatus = "220500";

/** @param timeText formats a time as answers do. */
export async function* callbackBody(
	task: TaskView,
	result: StoredResult | undefined,
	timeText: (unixSeconds: number) => string,
): AsyncGenerator<string> {
	const status = task.state === "completed" ? successStatus : failedStatus;
	const message = outcomeMessage(task);
	const statistics = result?.statistics ?? emptyStatistics(task, timeText);
	const call =
		task.call === undefined ? "" : `"call":${JSON.stringify(task.call)},`;
	let piece = `{"status":"${status}","message":${JSON.stringify(message)},"data":{"task_id":${JSON.stringify(task.id)},${call}"result":[`;
	let comma = "";
	for (const segment of result?.segments() ?? []) {
		piece += comma + JSON.stringify(segment);
		comma = ",";
		if (piece.length < pieceUnits) continue;
		yield piece;
		piece = "";
		await yieldToEventLoop();
	}
	yield `${piece}],"statistics":${JSON.stringify(statistics)}}}`;
}

/** @returns what writes the body, as often as called. */
export function repeatableBody(
	task: TaskView,
	result: StoredResult | undefined,
	timeText: (unixSeconds: number) => string,
): () => AsyncGenerator<string> {
	const steady = result && steadyResult(result);
	return () => callbackBody(task, steady, timeText);
}

/** Keeps the corrections that the first reading finds: they take 2 MiB at most (store/task-edits.ts). @returns the result, the same at each reading */
function steadyResult(result: StoredResult): StoredResult {
	let corrections: ReadonlyMap<number, string> | undefined;
	return {
		statistics: result.statistics,
		*segments() {
			if (corrections) {
				for (const segment of result.segments())
					yield corrected(segment, corrections.get(segment.seg_num));
				return;
			}
			const found = new Map<number, string>();
			for (const segment of result.segments()) {
				if (segment.original !== undefined)
					found.set(segment.seg_num, segment.transcript);
				yield segment;
			}
			corrections = found;
		},
	};
}

/** @param text in force, instead of the segment's own. */
function corrected(
	{ original, speaker, ...segment }: ResultSegment,
	text: string | undefined,
): ResultSegment {
	const recognized = original ?? segment.transcript;
	return {
		...segment,
		transcript: text ?? recognized,
		...(text !== undefined && { original: recognized }),
		...(speaker !== undefined && { speaker }),
	};
}

/** @returns `X-Earshot-Signature`, and the size of the body. */
export async function signatureOf(
	body: AsyncIterable<string>,
	secret: string,
): Promise<{ signature: string; bytes: number }> {
	const hmac = createHmac("sha256", secret);
	let bytes = 0;
	for await (const piece of body) {
		hmac.update(piece);
		bytes += Buffer.byteLength(piece);
	}
	return { signature: `sha256=${hmac.digest("hex")}`, bytes };
}

function emptyStatistics(
	{ insertSeconds, processSeconds, finishSeconds }: TaskView,
	timeText: (unixSeconds: number) => string,
) {
	const textOf = (seconds: number | undefined) =>
		seconds === undefined ? "" : timeText(seconds);
	return {
		speed: 0,
		word_count: 0,
		insert_time: timeText(insertSeconds),
		process_time: textOf(processSeconds),
		finish_time: textOf(finishSeconds),
	};
}
