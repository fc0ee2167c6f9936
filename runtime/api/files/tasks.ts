/**
 * `GET /v1/asrfile/tasks` (docs/interface.md section 4.6), and `DELETE /v1/asrfile/tasks/{task_id}`, which cancels or removes (docs/decisions.md section 7).
 */
import { type Static, Type } from "@sinclair/typebox";
import type { Clock } from "../../clock/clock.js";
import { CodedError } from "../../errors.js";
import { parseQuery } from "../../json/validate.js";
import { type TaskState, taskStates } from "../../store/tasks.js";
import type { TaskService, TaskView } from "../../tasks/task-service.js";
import { maySee } from "../auth.js";
import { success, successInPieces } from "../envelope.js";
import type { ApiResponse, RequestContext } from "../exchange.js";
import { joined, type PieceMaker } from "../in-pieces.js";
import type { Route } from "../router.js";
import { describe, describedTask, stateNames } from "./described-task.js";

export interface TasksRouteParts {
	readonly taskService: Pick<TaskService, "find" | "list" | "remove">;
	readonly clock: Pick<Clock, "expirySeconds">;
	readonly pieces: PieceMaker;
}

const query = Type.Object({
	time: Type.Optional(
		Type.Number({
			minimum: 0,
			description: "Only tasks uploaded within this many hours.",
		}),
	),
	type: Type.Optional(
		Type.Integer({
			minimum: 0,
			maximum: 3,
			description: "0 failed, 1 completed, 2 processing, 3 queued.",
		}),
	),
	count: Type.Optional(
		Type.Integer({ minimum: 1, description: "Maximum number of tasks." }),
	),
	task_id: Type.Optional(Type.String({ description: "Only this task." })),
});

type Filter = Static<typeof query>;

export function tasksRoute(parts: TasksRouteParts): Route {
	return {
		method: "GET",
		path: "/v1/asrfile/tasks",
		access: "files",
		description: {
			summary: "The tasks of this token, newest first; beside data, statistics",
			query,
			answer: Type.Array(describedTask),
			errors: ["200002"],
		},
		handle: async (context) => list(context, parts),
	};
}

export function removeTaskRoute({ taskService }: TasksRouteParts): Route {
	return {
		method: "DELETE",
		path: "/v1/asrfile/tasks/:task_id",
		access: "files",
		description: {
			summary: "Cancel a task, or remove it with its result and audio",
			answer: Type.Null(),
			errors: ["220404"],
		},
		handle: async ({ params, principal }) => {
			const task = taskService.find(params.task_id ?? "");
			if (
				!task ||
				!maySee(principal, task.owner) ||
				!(await taskService.remove(task.id))
			)
				throw new CodedError("220404");
			return success(null);
		},
	};
}

function list(
	{ request, principal }: RequestContext,
	{ taskService, pieces, clock }: TasksRouteParts,
): ApiResponse {
	const { values } = parseQuery(query, request.query);
	const counts = new Map<TaskState, number>();
	const matchesFilter = filterOf(values, clock);
	const isListed = (task: TaskView) =>
		matchesFilter(task) && maySee(principal, task.owner);
	const tasks = tasksOf(taskService, values.task_id);
	const items = itemsOf(tasks, isListed, values.count, counts);
	const texts = joined("[", items, () => "]");
	const after = () => `,"statistics":${JSON.stringify(statistics(counts))}}`;
	return successInPieces(texts, pieces, "success", after);
}

/** @param id of the only one that is asked for */
function tasksOf(
	taskService: TasksRouteParts["taskService"],
	id: string | undefined,
): Iterable<TaskView> {
	if (id === undefined) return taskService.list();
	const task = taskService.find(id);
	return task ? [task] : [];
}

function filterOf(
	{ time, type }: Filter,
	clock: Pick<Clock, "expirySeconds">,
): (task: TaskView) => boolean {
	const secondsMax =
		time === undefined ? Number.POSITIVE_INFINITY : time * 3600;
	const wanted = type === undefined ? undefined : taskStates[type];
	return (task) =>
		(wanted ?? task.state) === task.state &&
		secondsSinceUpload(task, clock) <= secondsMax;
}

/** Also where the clock was slow at the upload, and has been set since. */
function secondsSinceUpload(
	{ insertSeconds: seconds, insertOperatingSeconds }: TaskView,
	clock: Pick<Clock, "expirySeconds">,
): number {
	const made = { seconds, operatingSeconds: insertOperatingSeconds };
	return clock.expirySeconds(made) - seconds;
}

/** @param counts filled in on the way. @returns an empty text for a task that is left out, so that the event loop is yielded to */
function* itemsOf(
	tasks: Iterable<TaskView>,
	isListed: (task: TaskView) => boolean,
	countMax = Number.POSITIVE_INFINITY,
	counts: Map<TaskState, number>,
): Generator<string> {
	let count = 0;
	for (const task of tasks) {
		if (!isListed(task)) {
			yield "";
			continue;
		}
		counts.set(task.state, (counts.get(task.state) ?? 0) + 1);
		yield (count > 0 ? "," : "") + JSON.stringify(describe(task));
		if (++count >= countMax) return;
	}
}

function statistics(counts: ReadonlyMap<TaskState, number>) {
	const types = taskStates.map((state, type) => ({
		type,
		desc: stateNames[state],
		count: counts.get(state) ?? 0,
	}));
	return { count: types.reduce((sum, it) => sum + it.count, 0), types };
}
