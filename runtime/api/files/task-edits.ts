/** `PATCH /v1/asrfile/tasks/{task_id}` corrects a transcript; `GET .../edits` says what was changed, and what it was before. */
import { type Static, Type } from "@sinclair/typebox";
import { localTimeText } from "../../clock/time-text.js";
import { CodedError } from "../../errors.js";
import { parseJson } from "../../json/validate.js";
import type {
	EditedSegment,
	TaskService,
	TranscriptEdit,
	TranscriptEdits,
} from "../../tasks/task-service.js";
import { success, successInPieces } from "../envelope.js";
import { jsonItems, type PieceMaker } from "../in-pieces.js";
import { readJson } from "../json-body.js";
import type { Route } from "../router.js";
import { visibleTask } from "./task-audio.js";

const bodyBytesMax = 1024 * 1024;
const segmentsMax = 1000;
const textCharactersMax = 10_000;
const nameCharactersMax = 100;

const body = Type.Object({
	speakers: Type.Optional(
		Type.Record(
			Type.String({ pattern: "^[1-9][0-9]{0,3}$" }),
			Type.String({ maxLength: nameCharactersMax, pattern: "^[^\\p{Cc}]*$" }),
			{
				additionalProperties: false,
				description:
					'Names by number, {"1": "Lucas"}; an empty name takes it away.',
				"x-expects": `an object of names of at most ${nameCharactersMax} characters, by the numbers of speakers`,
			},
		),
	),
	segments: Type.Optional(
		Type.Array(
			Type.Object({
				seg_num: Type.Integer({ minimum: 1 }),
				transcript: Type.Union([
					Type.String({ maxLength: textCharactersMax }),
					Type.Null(),
				]),
			}),
			{
				maxItems: segmentsMax,
				description: "transcript null: what was heard, again.",
				"x-expects": `at most ${segmentsMax} objects with seg_num and transcript (a text of at most ${textCharactersMax} characters, or null)`,
			},
		),
	),
});

export interface TaskEditParts {
	readonly taskService: Pick<TaskService, "find" | "edit" | "edits">;
	readonly pieces: PieceMaker;
}

const answer = Type.Object({
	speakers: Type.Record(Type.String(), Type.String()),
	segments: Type.Array(
		Type.Object({
			seg_num: Type.Integer(),
			versions: Type.Array(
				Type.Object({
					transcript: Type.Union([Type.String(), Type.Null()]),
					time: Type.String(),
				}),
				{ description: "oldest first; null: what was heard" },
			),
		}),
	),
});

export function taskEditRoutes({
	taskService,
	pieces,
}: TaskEditParts): readonly Route[] {
	return [
		{
			method: "PATCH",
			path: "/v1/asrfile/tasks/:task_id",
			access: "files",
			description: {
				summary: "Correct a transcript: texts of segments, names of speakers",
				body: { type: "application/json", schema: body },
				answer: Type.Null(),
				errors: ["100004", "200001", "200002", "200003", "200004", "220404"],
			},
			handle: async (context) => {
				const task = visibleTask(context, taskService);
				const given = await readJson(context.request, bodyBytesMax);
				const values = parseJson(body, given).values as TranscriptEdit;
				if (!values.speakers && !values.segments)
					throw new CodedError("200001", "speakers or segments is required");
				if (!(await taskService.edit(task.id, values)))
					throw new CodedError("220404", "this task has no transcript yet");
				return success(null);
			},
		},
		{
			method: "GET",
			path: "/v1/asrfile/tasks/:task_id/edits",
			access: "files",
			description: {
				summary: "What people changed in a transcript, with earlier versions",
				answer,
				errors: ["220404"],
			},
			handle: async (context) => {
				const task = visibleTask(context, taskService);
				return successInPieces(editTexts(taskService.edits(task.id)), pieces);
			},
		},
	];
}

/** The JSON of `answer`. */
function* editTexts({
	speakers,
	segments,
}: TranscriptEdits): Generator<string> {
	yield `{"speakers":${JSON.stringify(speakers)},"segments":[`;
	yield* jsonItems(segments(), shownSegment);
	yield "]}";
}

function shownSegment({
	number,
	versions,
}: EditedSegment): Static<typeof answer>["segments"][number] {
	return {
		seg_num: number,
		versions: versions.map(({ text, atSeconds }) => ({
			transcript: text,
			time: localTimeText(atSeconds),
		})),
	};
}
