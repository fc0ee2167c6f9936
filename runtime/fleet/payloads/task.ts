/** A finished file task: `tasks/<id>`. It contains the transcript if that is short enough; a longer one is fetched over HTTP, by the task's id. */
import { type Static, Type } from "@sinclair/typebox";
import { outcomeMessage } from "../../tasks/outcome-message.js";
import type { StoredResult, TaskView } from "../../tasks/task-service.js";
import type { RenderedMessage } from "../outbox/sender.js";
import { schema, schemaVersion, timeMs } from "./schema-version.js";

export const taskPayload = Type.Object(
	{
		schema,
		task_id: Type.String(),
		desc: Type.Union([Type.Literal("Completed"), Type.Literal("Failed")]),
		status: Type.String({
			description: "000000, or the status of the failure.",
		}),
		message: Type.String(),
		file_name: Type.String(),
		audio_ms: Type.Integer({ minimum: 0 }),
		insert_ms: timeMs("When it was uploaded"),
		process_ms: Type.Optional(timeMs("When processing began")),
		finish_ms: Type.Optional(timeMs("When it was finished")),
		result: Type.Optional(
			Type.Array(Type.Object({}), {
				description:
					"Segments as in GET /v1/asrfile/result; absent if they are too long, or the task failed.",
			}),
		),
		statistics: Type.Optional(Type.Object({})),
		result_is_left_out: Type.Optional(
			Type.Literal(true, {
				description: "The transcript is too long for a message.",
			}),
		),
	},
	{ title: "A file task that has completed or failed" },
);

type TaskMessage = Static<typeof taskPayload>;

/** @param resultBytesMax limit of the transcript. @returns undefined for a task that is not finished. */
export function taskMessage(
	task: TaskView,
	result: StoredResult | undefined,
	resultBytesMax: number,
): RenderedMessage | undefined {
	const head = headOf(task);
	if (!head) return undefined;
	if (!result) return { text: JSON.stringify(head) };
	const brief = JSON.stringify({ ...head, result_is_left_out: true });
	const segments = segmentsWithin(result, resultBytesMax);
	if (!segments) return { text: brief };
	const { statistics } = result;
	return {
		text: JSON.stringify({ ...head, result: segments, statistics }),
		brief,
	};
}

function headOf(task: TaskView): TaskMessage | undefined {
	const { id, state, fileName, audioMs, failure } = task;
	if (state !== "failed" && state !== "completed") return undefined;
	const { insertSeconds, processSeconds, finishSeconds } = task;
	return {
		schema: schemaVersion,
		task_id: id,
		desc: state === "completed" ? "Completed" : "Failed",
		status: state === "completed" ? "000000" : (failure?.status ?? "220500"),
		message: outcomeMessage(task),
		file_name: fileName,
		audio_ms: Math.round(audioMs),
		insert_ms: milliseconds(insertSeconds),
		...(processSeconds !== undefined && {
			process_ms: milliseconds(processSeconds),
		}),
		...(finishSeconds !== undefined && {
			finish_ms: milliseconds(finishSeconds),
		}),
	};
}

function milliseconds(seconds: number): number {
	return Math.round(seconds * 1000);
}

/** @returns undefined if they are longer; reading stops there. */
function segmentsWithin(
	result: StoredResult,
	bytesMax: number,
): object[] | undefined {
	const segments: object[] = [];
	let bytes = 0;
	for (const segment of result.segments()) {
		bytes += Buffer.byteLength(JSON.stringify(segment));
		if (bytes > bytesMax) return undefined;
		segments.push(segment);
	}
	return segments;
}
