/**
 * One Wyoming connection as a pure function: (state, event) -> (state, effects).
 *
 * INVARIANTS
 * - Each `audio-stop` is answered exactly once: by a `transcript`, which may come before it, or by an `error`.
 * - A recognition is opened by the first audio of a turn and by nothing else; it is used only until it ends, fails or is cancelled.
 * - `describe` and `ping` are answered in every state.
 * - Once the connection is over, no event has an effect any more.
 */
import {
	asCodedError,
	CodedError,
	serverStopping,
	successStatus,
} from "../../errors.js";
import { chunkFormatOf } from "./chunk-format.js";
import type { Frame } from "./frame.js";
import { fail, hasTurn, leave, note, tooQuiet } from "./protocol-endings.js";
import { onRecognized } from "./protocol-results.js";
import {
	type Event,
	type Open,
	type ProtocolContext,
	type State,
	type Step,
	stay,
} from "./protocol-states.js";
import { errorFrame, send, transcript } from "./sent-effects.js";
import {
	plainRequest,
	readRequest,
	type TurnRequest,
	turnRecognitionOf,
} from "./turn-request.js";

type Recognizing = Extract<State, { is: "recognizing" }>;

export function begin(context: ProtocolContext): State {
	return { is: "idle", request: plainRequest(context) };
}

/** The frame has to wait until the transcript that is owed was sent. */
export function mustWait(state: State, { type }: Frame): boolean {
	return (
		state.is === "finishing" &&
		["transcribe", "audio-start", "audio-chunk", "audio-stop"].includes(type)
	);
}

export function step(
	context: ProtocolContext,
	state: State,
	event: Event,
): Step {
	if (state.is === "over") return stay(state);
	switch (event.is) {
		case "frame":
			return onFrame(context, state, event.frame);
		case "recognized":
			return hasTurn(state) ? onRecognized(state, event.event) : stay(state);
		case "opened":
			return state.is === "recognizing"
				? stay(state, { do: "await-audio" })
				: stay(state);
		case "refused":
		case "failed":
			return hasTurn(state) ? fail(state, event.error) : stay(state);
		case "late":
			return state.is === "recognizing" ? fail(state, tooQuiet()) : stay(state);
		case "ended":
			// a transcript that is owed is still sent
			return state.is === "finishing" ? stay(state) : leave(state, "gone");
		case "bad-frame":
			return leave(
				state,
				event.error.status,
				event.isReported ? event.error : undefined,
			);
		case "shutdown":
			return hasTurn(state)
				? leave(state, "100004", serverStopping())
				: leave(state, "gone");
		case "gone":
			return leave(state, "gone");
	}
}

function onFrame(context: ProtocolContext, state: Open, frame: Frame): Step {
	switch (frame.type) {
		case "describe":
			return stay(state, { do: "send", frame: context.info() });
		case "ping":
			return stay(state, send("pong", { text: frame.data.text ?? null }));
		case "transcribe":
			return onTranscribe(context, state, frame.data);
		case "audio-chunk":
			return onChunk(context, state, frame);
		case "audio-stop":
			return onStop(context, state);
		default: // `audio-start` has nothing that the chunks do not say
			return stay(state);
	}
}

function onTranscribe(
	context: ProtocolContext,
	state: Open,
	data: Frame["data"],
): Step {
	let request: TurnRequest;
	try {
		request = readRequest(data, context);
	} catch (thrown) {
		const error = asCodedError(thrown);
		return hasTurn(state)
			? fail(state, error)
			: {
					state: { is: "answered", next: plainRequest(context) },
					effects: [errorFrame(error), note(error.status)],
				};
	}
	return hasTurn(state)
		? stay({ ...state, next: request })
		: stay({ is: "idle", request });
}

function onChunk(context: ProtocolContext, state: Open, frame: Frame): Step {
	const { data, payload: bytes } = frame;
	if (state.is === "answered" || state.is === "finishing") return stay(state);
	if (bytes.length === 0) return stay(state);
	try {
		const format = chunkFormatOf(data);
		const { rateHz, width, channels } = format;
		const opened =
			state.is === "recognizing"
				? stay(state)
				: open(context, state.request, rateHz);
		const { turn } = opened.state as Recognizing;
		if (rateHz !== turn.rateHz)
			throw new CodedError(
				"200002",
				`rate must stay ${turn.rateHz} within a turn, got ${rateHz}`,
			);
		const audioSeconds = bytes.length / (rateHz * width * channels);
		return {
			state: opened.state,
			effects: [
				...opened.effects,
				{ do: "write", bytes, format },
				{ do: "await-longer", audioSeconds },
			],
		};
	} catch (thrown) {
		const error = asCodedError(thrown);
		if (state.is === "recognizing") return fail(state, error);
		const next = plainRequest(context);
		return {
			state: { is: "answered", next },
			effects: [errorFrame(error), note(error.status)],
		};
	}
}

function open(
	context: ProtocolContext,
	request: TurnRequest,
	rateHz: number,
): Step {
	const options = turnRecognitionOf(request, rateHz, context);
	const { language } = options;
	const nothing = { texts: [], chunked: "", isSpeaking: false };
	return {
		state: {
			is: "recognizing",
			turn: { request, rateHz, language, ...nothing },
			next: plainRequest(context),
		},
		effects: [{ do: "open", options }],
	};
}

function onStop(context: ProtocolContext, state: Open): Step {
	switch (state.is) {
		case "idle": // there was no audio
			return {
				state: { is: "idle", request: plainRequest(context) },
				effects: [
					...transcript(state.request.language.language, "", ""),
					note(successStatus),
				],
			};
		case "recognizing":
			return {
				state: { ...state, is: "finishing" },
				effects: [{ do: "await-nothing" }, { do: "finish" }],
			};
		case "answered":
			return stay({ is: "idle", request: state.next });
		case "finishing":
			return stay(state); // it waits: see `mustWait`
	}
}
