/**
 * `GET /v1/asrfile/result` (docs/interface.md section 4.5). The task's id is the permission: it can't be guessed. With `auth.result_needs_token` a token is
 * required as well.
 */
import { type Static, Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import { lowerCased, oneOf, parseQuery } from "../../json/validate.js";
import { outcomeMessage } from "../../tasks/outcome-message.js";
import {
	contentTypes,
	resultFormats,
	writeResult,
} from "../../tasks/result/formats/formats.js";
import type {
	StoredResult,
	TaskService,
	TaskView,
} from "../../tasks/task-service.js";
import { maySee } from "../auth.js";
import { failure, success, successInPieces } from "../envelope.js";
import type { ApiRequest, ApiResponse, RequestContext } from "../exchange.js";
import type { PieceMaker } from "../in-pieces.js";
import { networkOf } from "../network-of.js";
import type { RateLimiter } from "../rate-limit.js";
import type { Route } from "../router.js";
import { describe, describedTask } from "./described-task.js";

export interface ResultRouteParts {
	readonly taskService: Pick<TaskService, "find" | "result">;
	/** `auth.result_needs_token` */
	readonly needsToken: boolean;
	/** For requests without a token. */
	readonly limiter: RateLimiter;
	readonly pieces: PieceMaker;
	/** @throws CodedError 110003 */
	readonly requirePrivacy: (request: ApiRequest) => void;
}

const query = Type.Object({
	task_id: Type.String(),
	format: oneOf(resultFormats, {
		...lowerCased,
		default: "json",
		description: "json: the answer below; else the transcript as a file.",
	}),
});

export function resultRoute(parts: ResultRouteParts): Route {
	return {
		method: "GET",
		path: "/v1/asrfile/result",
		access: parts.needsToken ? "files" : "open",
		description: {
			summary: "The transcript of a file, or how far it has come",
			query,
			answer: Type.Union([
				describedTask,
				Type.Object({
					result: Type.Array(Type.Object({}), { description: "segments" }),
					statistics: Type.Object({}),
				}),
			]),
			errors: ["100005", "110003", "200001", "200002", "220404", "220500"],
		},
		// a polling client continues while data is an object, and stops when it is null
		failureData: ({ http }) => (http === 429 || http >= 500 ? {} : null),
		handle: async (context) => answer(context, parts),
	};
}

function answer(
	{ request, principal }: RequestContext,
	parts: ResultRouteParts,
): ApiResponse {
	const { taskService, needsToken, limiter, pieces } = parts;
	parts.requirePrivacy(request); // the id is a permission, and a transcript follows
	const { values } = parseQuery(query, request.query);
	const task = taskService.find(values.task_id);
	if (!needsToken) charge(limiter, task, request.remoteAddress);
	if (!task || (needsToken && !maySee(principal, task.owner)))
		throw new CodedError("220404");
	switch (task.state) {
		case "failed": {
			const { message = "task failed" } = task.failure ?? {};
			return failure(new CodedError("220500", message), describe(task));
		}
		case "completed": {
			const result = taskService.result(task.id);
			if (!result) throw new CodedError("220404"); // removed since `find`
			return completed(task, result, values.format, pieces);
		}
		default:
			return success(describe(task));
	}
}

/**
 * The task's id is the permission, so the rate limit applies to the task: clients behind one proxy do not use up each other's. Requests for an unknown task are
 * limited by the network they come from.
 */
function charge(
	limiter: RateLimiter,
	task: TaskView | undefined,
	remoteAddress: string,
): void {
	if (task) limiter.take(`task ${task.id}`, "clients of this task's result");
	else limiter.take(`address ${networkOf(remoteAddress)}`, "this address");
}

function completed(
	task: TaskView,
	result: StoredResult,
	format: Static<typeof query>["format"],
	maker: PieceMaker,
): ApiResponse {
	const texts = writeResult(format, result);
	if (format !== "json")
		return {
			http: 200,
			headers: {
				"Content-Type": contentTypes[format],
				"Cache-Control": "no-store",
				"Content-Disposition": attachment(task, format),
			},
			body: { pieces: () => maker.inPieces(texts) },
		};
	return successInPieces(texts, maker, outcomeMessage(task));
}

/** `.mp3`, `.3gp`; not the `.2` of "Meeting v1.2", nor the `.30 meeting` of a date. */
const audioEnding = /(?<=.)\.(?=\d?[a-z])[a-z\d]{2,5}$/i;

/** Browsers take the name of the audio, with the other ending; what knows only names in ASCII takes the id. A call's name has no ending. */
function attachment({ id, fileName, call }: TaskView, format: string): string {
	const plain = `attachment; filename="${id}.${format}"`;
	const name =
		call === undefined ? fileName.replace(audioEnding, "") : fileName;
	if (name === "") return plain;
	// encodeURIComponent leaves four characters that may not stand there (RFC 8187)
	const encoded = encodeURIComponent(`${name}.${format}`).replace(
		/['()*]/g,
		(it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return `${plain}; filename*=UTF-8''${encoded}`;
}
