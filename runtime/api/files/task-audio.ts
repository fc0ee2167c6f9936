/** `GET /v1/asrfile/tasks/{task_id}/audio` and `/peaks`: what a task was made from, to hear it and to draw it. */
import { Type } from "@sinclair/typebox";
import { sampleRateHz } from "../../audio/sample-rate.js";
import { wavHeader } from "../../audio/wav-header.js";
import { CodedError } from "../../errors.js";
import { parseQuery } from "../../json/validate.js";
import type { AudioShelf } from "../../store/audio-shelf.js";
import { audioGone } from "../../tasks/kept-audio.js";
import {
	type Cut,
	cutSecondsMax,
	type TaskCuts,
} from "../../tasks/task-cuts.js";
import {
	coarser,
	peaksPerSecond,
	type TaskPeaks,
} from "../../tasks/task-peaks.js";
import type { TaskService, TaskView } from "../../tasks/task-service.js";
import { maySee } from "../auth.js";
import type { ApiResponse, RequestContext } from "../exchange.js";
import { filePieces } from "../file-pieces.js";
import { ranged } from "../ranged.js";
import type { Route } from "../router.js";

export interface TaskAudioParts {
	readonly taskService: Pick<TaskService, "find" | "audio">;
	readonly shelf: Pick<AudioShelf, "path" | "size">;
	readonly peaks: Pick<TaskPeaks, "of">;
	readonly cuts: Pick<TaskCuts, "of">;
}

/** By the format that the bytes have, never by what the client said: a browser shows nothing else for it. */
const types: Readonly<Record<string, string>> = {
	wav: "audio/wav",
	opus: "audio/ogg",
	ogg: "audio/ogg",
	mp3: "audio/mpeg",
	aac: "audio/aac",
	amr: "audio/amr",
	m4a: "audio/mp4",
	mp4: "video/mp4",
	"3gp": "video/3gpp",
	flac: "audio/flac",
	webm: "audio/webm",
};

const seconds = Type.Number({ minimum: 0 });

const cutQuery = Type.Object({
	start: Type.Optional({
		...seconds,
		description: "Only from here on, seconds; the answer is WAV, 16 kHz, mono.",
	}),
	end: Type.Optional({
		...seconds,
		description: `Only up to here; at most ${cutSecondsMax} s after start.`,
	}),
});

const query = Type.Object({
	per_second: Type.Integer({
		minimum: 1,
		maximum: peaksPerSecond,
		default: peaksPerSecond,
	}),
});

export function taskAudioRoutes(parts: TaskAudioParts): readonly Route[] {
	return [
		{
			method: "GET",
			path: "/v1/asrfile/tasks/:task_id/audio",
			access: "files",
			description: {
				summary:
					"The file of a task as it was uploaded, a Range of it, or a part as WAV",
				query: cutQuery,
				answer: Type.String({ description: "the audio" }),
				answerType: "application/octet-stream",
				errors: ["100001", "200002", "200006", "200007", "220404"],
			},
			handle: (context) => {
				const { start, end } = parseQuery(
					cutQuery,
					context.request.query,
				).values;
				return start === undefined && end === undefined
					? audio(context, parts)
					: cut(context, parts, cutOf(start, end));
			},
		},
		{
			method: "GET",
			path: "/v1/asrfile/tasks/:task_id/peaks",
			access: "files",
			description: {
				summary: "The shape of a task's audio, for drawing it",
				query,
				answer: Type.String({
					description: "a byte for each peak, 0 to 255 of full scale",
				}),
				answerType: "application/octet-stream",
				errors: ["100001", "200002", "200006", "220404"],
			},
			handle: (context) => peaks(context, parts),
		},
	];
}

async function audio(
	context: RequestContext,
	{ taskService, shelf }: TaskAudioParts,
): Promise<ApiResponse> {
	const task = visibleTask(context, taskService);
	const found = taskService.audio(task.id);
	const bytes = found && (await shelf.size(found.audioId));
	if (!found || bytes === undefined) throw audioGone();
	const path = shelf.path(found.audioId);
	return ranged(context.request, bytes, headersFor(found.format), (from, to) =>
		filePieces(path, from, to, audioGone),
	);
}

/** @throws CodedError 200002 */
function cutOf(startSeconds = 0, end?: number): Cut {
	const endSeconds = end ?? startSeconds + cutSecondsMax;
	if (endSeconds <= startSeconds)
		throw new CodedError("200002", "end must be after start");
	if (endSeconds - startSeconds > cutSecondsMax)
		throw new CodedError(
			"200002",
			`end must be at most ${cutSecondsMax} s after start`,
		);
	return { startSeconds, endSeconds };
}

async function cut(
	context: RequestContext,
	{ taskService, cuts }: TaskAudioParts,
	wanted: Cut,
): Promise<ApiResponse> {
	const { id } = visibleTask(context, taskService);
	const samples = await cuts.of(id, wanted, context.request.signal);
	const header = wavHeader(sampleRateHz, samples.length);
	return {
		http: 200,
		headers: headersFor("wav"),
		body: {
			pieces: () => whole(header, samples),
			bytes: header.length + samples.length,
		},
	};
}

function headersFor(format: string): Record<string, string> {
	return {
		"Content-Type": types[format] ?? "application/octet-stream",
		"Content-Disposition": "inline",
		"Cache-Control": "private, max-age=3600",
		"X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "sandbox; default-src 'none'; media-src 'self'",
	};
}

async function peaks(
	context: RequestContext,
	{ taskService, peaks: made }: TaskAudioParts,
): Promise<ApiResponse> {
	const task = visibleTask(context, taskService);
	const { per_second } = parseQuery(query, context.request.query).values;
	const bytes = coarser(await made.of(task.id), per_second);
	return {
		http: 200,
		headers: {
			"Content-Type": "application/octet-stream",
			"Cache-Control": "private, max-age=86400",
			"X-Content-Type-Options": "nosniff",
		},
		body: { pieces: () => whole(bytes), bytes: bytes.length },
	};
}

async function* whole(
	...pieces: readonly Uint8Array[]
): AsyncGenerator<Uint8Array> {
	yield* pieces;
}

/** @throws CodedError 220404, also for a task of somebody else */
export function visibleTask(
	{ params, principal }: Pick<RequestContext, "params" | "principal">,
	taskService: Pick<TaskService, "find">,
): TaskView {
	const task = taskService.find(params.task_id ?? "");
	if (!task || !maySee(principal, task.owner)) throw new CodedError("220404");
	return task;
}
