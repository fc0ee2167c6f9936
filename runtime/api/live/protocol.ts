/**
 * The streaming session as one pure function: (state, event) -> (state, effects) (docs/interface.md sections 3.3, 4.2, 6 and 10;
 * docs/decisions.md sections 4 and 11). Both namespaces share one state machine: they differ in their names and in what a result is (progress.ts).
 *
 * INVARIANTS
 * - Every session that a client started ends with exactly one Completed or TaskFailed, and is closed right after.
 * - After a client's stop no message that it sends spoils the result: only `ping` is answered. A flood of them still ends the session.
 * - Once it is over, no event has an effect any more.
 * - `time` never decreases.
 * - A recognition is opened once, and used only between `open` and its end or `cancel`.
 */
import { isRaw } from "../../audio/container.js";
import {
	asCodedError,
	CodedError,
	duringRecognition,
	serverStopping,
} from "../../errors.js";
import type { SessionEvent } from "../../session/events.js";
import { bytesPerSecondOf, waitBoughtBy } from "../feed/pace.js";
import { advance, endSentence, startSpeaker } from "./advance.js";
import type { ClientMessage } from "./client-message.js";
import { readOptions, userIdOf } from "./live-options.js";
import { beginProgress, messageNames, started } from "./progress.js";
import {
	completeEmpty,
	fail,
	failWith,
	goodbye,
	over,
	progressOf,
} from "./protocol-endings.js";
import type {
	Effect,
	Event,
	Live,
	ProtocolContext,
	State,
	Step,
} from "./protocol-states.js";
import type { Namespace } from "./server-message.js";

export function begin(context: ProtocolContext): Step {
	const seconds = context.startSeconds;
	return {
		state: { is: "waiting" },
		effects: [{ do: "await-client", seconds }],
	};
}

export function step(
	context: ProtocolContext,
	state: State,
	event: Event,
): Step {
	if (state.is === "over") return stay(state);
	if (event.is === "bad-message" && hasStopped(state)) return stay(state);
	switch (event.is) {
		case "message":
			return onMessage(context, state, event.message);
		case "audio":
			return onAudio(context, state, event.bytes);
		case "opened":
			return onOpened(state);
		case "recognized":
			return onRecognized(state, event.event);
		case "failed":
			return onFailed(context, state, event.error);
		case "bad-message":
		case "refused":
			return fail(context, state, event.error);
		case "late":
			return onLate(context, state, event.slow);
		case "unread":
			return failWith(
				context,
				state,
				`the client does not read its results: ${event.bytes} bytes are unread`,
			);
		case "shutdown":
			return fail(context, state, serverStopping());
		case "gone":
			return {
				state: over,
				effects: [{ do: "await-nothing" }, { do: "cancel" }],
			};
	}
}

function onMessage(
	context: ProtocolContext,
	state: Live,
	message: ClientMessage,
): Step {
	const { namespace } = message;
	if (message.is === "ping")
		return stay(state, {
			do: "send",
			message: { namespace, name: "pong", userId: progressOf(state)?.userId },
		});
	if (hasStopped(state)) return stay(state);
	if (!context.namespaces.includes(namespace))
		return failWith(context, state, `this path does not serve ${namespace}`);
	if (message.is === "start")
		return onStart(context, state, namespace, message.payload);
	if (state.is === "waiting")
		return failWith(
			context,
			state,
			`${messageNames[namespace].start} must come first`,
		);
	const serves = state.session.progress.namespace;
	if (namespace !== serves)
		return failWith(
			context,
			state,
			`header.namespace must be ${serves} in this session, got ${namespace}`,
		);
	return message.is === "stop" ? onStop(state) : onSentence(state, message);
}

function onStart(
	context: ProtocolContext,
	state: Live,
	namespace: Namespace,
	payload: Readonly<Record<string, unknown>>,
): Step {
	const { start } = messageNames[namespace];
	if (state.is !== "waiting")
		return failWith(context, state, `a second ${start} is not allowed`);
	let options: ReturnType<typeof readOptions>;
	try {
		options = readOptions(namespace, payload, context);
	} catch (thrown) {
		const userId = userIdOf(payload);
		return fail(context, state, asCodedError(thrown), { namespace, userId });
	}
	const { recognition, connectTimeoutSeconds, unknown } = options;
	const progress = beginProgress(namespace, options);
	return {
		state: {
			is: "starting",
			session: {
				connectTimeoutSeconds,
				bytesPerSecond: bytesPerSecondOf(recognition),
				hasAudio: false,
				audioBytes: isRaw(recognition.format) ? 0 : undefined,
				progress,
			},
			stopped: false,
		},
		effects: [
			{ do: "await-nothing" },
			...(unknown.length > 0
				? [{ do: "note-unknown", names: unknown } as const]
				: []),
			{ do: "open", options: recognition },
		],
	};
}

function onOpened(state: Live): Step {
	if (state.is !== "starting") return stay(state);
	const { session, stopped } = state;
	const send: Effect = { do: "send", message: started(session.progress) };
	if (!stopped)
		return {
			state: { is: "streaming", session },
			effects: [
				send,
				{ do: "await-client", seconds: session.connectTimeoutSeconds },
			],
		};
	if (!session.hasAudio) return completeEmpty(session, [send]);
	return { state: { is: "stopping", session }, effects: [send] };
}

function onAudio(
	context: ProtocolContext,
	state: Live,
	bytes: Uint8Array,
): Step {
	if (state.is === "waiting")
		return failWith(
			context,
			state,
			`audio before ${messageNames[context.namespaces[0]].start}`,
		);
	if (hasStopped(state) || bytes.length === 0) return stay(state);
	const { audioBytes } = state.session;
	const session = {
		...state.session,
		hasAudio: true,
		audioBytes:
			audioBytes === undefined ? undefined : audioBytes + bytes.length,
	};
	const write: Effect = { do: "write", bytes };
	if (state.is !== "streaming")
		return { state: { ...state, session }, effects: [write] };
	const seconds = waitBoughtBy(bytes.length, session.bytesPerSecond);
	return {
		state: { ...state, session },
		effects: [write, { do: "await-longer", seconds }],
	};
}

/** The first stop: a second one has no effect. */
function onStop(state: Exclude<Live, { is: "waiting" }>): Step {
	switch (state.is) {
		case "starting":
			return {
				state: { ...state, stopped: true },
				effects: state.session.hasAudio ? [{ do: "finish" }] : [],
			};
		case "streaming":
			if (!state.session.hasAudio) return completeEmpty(state.session);
			return {
				state: { is: "stopping", session: state.session },
				effects: [{ do: "await-nothing" }, { do: "finish" }],
			};
		case "stopping":
			return stay(state);
	}
}

/** Transcriber only. */
function onSentence(
	state: Exclude<Live, { is: "waiting" }>,
	message: Extract<ClientMessage, { is: "end-sentence" | "speaker" }>,
): Step {
	const { session } = state;
	if (message.is === "end-sentence") {
		if (!session.hasAudio) return stay(state);
		const progress = endSentence(
			session.progress,
			session.audioBytes !== undefined,
		);
		return stay(
			{ ...state, session: { ...session, progress } },
			{ do: "end-sentence" },
		);
	}
	const { audioBytes, bytesPerSecond } = session;
	const fromMs =
		audioBytes === undefined ? undefined : (audioBytes / bytesPerSecond) * 1000;
	const progress = startSpeaker(session.progress, message.speakerId, fromMs);
	return stay({ ...state, session: { ...session, progress } });
}

function onRecognized(state: Live, event: SessionEvent): Step {
	if (state.is === "waiting" || state.is === "starting") return stay(state);
	const { progress, messages } = advance(state.session.progress, event);
	const effects = messages.map((message): Effect => ({ do: "send", message }));
	if (event.is === "completed")
		return { state: over, effects: [...effects, ...goodbye] };
	return {
		state: { ...state, session: { ...state.session, progress } },
		effects,
	};
}

function onFailed(
	context: ProtocolContext,
	state: Live,
	error: CodedError,
): Step {
	if (state.is === "waiting" || state.is === "starting")
		return fail(context, state, error);
	// a container with a header and no audio
	if (error.status === "200007" && state.is === "stopping")
		return completeEmpty(state.session);
	return fail(context, state, duringRecognition(error));
}

function onLate(context: ProtocolContext, state: Live, slow: boolean): Step {
	if (state.is === "waiting")
		return fail(
			context,
			state,
			new CodedError(
				"230002",
				`no ${messageNames[context.namespaces[0]].start} for ${context.startSeconds} seconds`,
			),
		);
	if (state.is !== "streaming") return stay(state);
	const seconds = state.session.connectTimeoutSeconds;
	const text = slow
		? `audio came at less than a hundredth of real time for ${seconds} seconds (connect_timeout)`
		: `no audio for ${seconds} seconds (connect_timeout)`;
	return fail(context, state, new CodedError("230002", text));
}

function hasStopped(state: Live): boolean {
	return state.is === "stopping" || (state.is === "starting" && state.stopped);
}

function stay(state: State, ...effects: Effect[]): Step {
	return { state, effects };
}
