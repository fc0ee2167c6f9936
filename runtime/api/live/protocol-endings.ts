/**
 * How a session ends (docs/decisions.md section 4): with Completed, and a moment in which the client may close first; or with TaskFailed, and closed at once
 * with the error's own close code. Pure.
 */
import { CodedError } from "../../errors.js";
import { normalClosure } from "../close-reason.js";
import { emptyEnding, type Progress } from "./progress.js";
import type {
	Effect,
	Live,
	ProtocolContext,
	Session,
	State,
	Step,
} from "./protocol-states.js";
import type { Namespace, ServerMessage } from "./server-message.js";

/** Clients that close on Completed themselves may fail if the server has already closed. */
const closeGraceMs = 250;
export const over: State = { is: "over" };

/** No speech was recognized. */
export function completeEmpty(
	session: Session,
	before: readonly Effect[] = [],
): Step {
	const send: Effect = { do: "send", message: emptyEnding(session.progress) };
	return {
		state: over,
		effects: [...before, { do: "cancel" }, send, ...goodbye],
	};
}

/** A protocol error. */
export function failWith(
	context: ProtocolContext,
	state: Live,
	message: string,
): Step {
	return fail(context, state, new CodedError("230001", message));
}

/** @param start that is refused; a session that has begun knows both. */
export function fail(
	context: ProtocolContext,
	state: Live,
	error: CodedError,
	start: {
		readonly namespace: Namespace;
		readonly userId?: string | undefined;
	} = {
		namespace: context.namespaces[0],
	},
): Step {
	const progress = progressOf(state);
	const message: ServerMessage = {
		namespace: progress?.namespace ?? start.namespace,
		name: "TaskFailed",
		trouble: { status: error.status, text: error.message },
		userId: progress ? progress.userId : start.userId,
	};
	return {
		state: over,
		effects: [
			{ do: "await-nothing" },
			{ do: "cancel" },
			{ do: "send", message },
			{ do: "close", code: error.wsClose, afterMs: 0 },
		],
	};
}

export const goodbye: readonly Effect[] = [
	{ do: "await-nothing" },
	{ do: "close", code: normalClosure, afterMs: closeGraceMs },
];

export function progressOf(state: Live): Progress | undefined {
	return state.is === "waiting" ? undefined : state.session.progress;
}
