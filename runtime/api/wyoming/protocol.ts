/**
 * One Wyoming connection as a pure function: (state, event) -> (state, effects).
 *
 * INVARIANTS
 * - Each `audio-stop` is answered exactly once: by a `transcript`, which may come before it, or by an `error`.
 * - A recognition is opened by the first audio of a turn and by nothing else; it is used only until it ends, fails or is cancelled.
 * - `describe` and `ping` are answered in every state.
 * - Once the connection is over, no event has an effect any more.
 */
import { asCodedError, CodedError, serverStopping } from "../../errors.js";
import type { SessionEvent } from "../../session/events.js";
import { joinTexts } from "../../session/join-text.js";
import type { Language } from "../../text/languages.js";
import { chunkFormatOf } from "./chunk-format.js";
import type { Frame, SentFrame } from "./frame.js";
import { subtagOf } from "./info.js";
import type {
	Effect,
	Event,
	Open,
	ProtocolContext,
	State,
	Step,
	Turn,
} from "./protocol-states.js";
import {
	plainRequest,
	readRequest,
	recognitionOf,
	type TurnRequest,
} from "./turn-request.js";

const over: State = { is: "over" };
const success = "000000";

type Hearing = Extract<State, { is: "hearing" }>;
type WithTurn = Extract<State, { turn: Turn }>;

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
		case "recognised":
			return hasTurn(state) ? onRecognised(state, event.event) : stay(state);
		case "opened":
			return state.is === "hearing"
				? stay(state, { do: "await-audio" })
				: stay(state);
		case "refused":
		case "failed":
			return hasTurn(state) ? fail(state, event.error) : stay(state);
		case "late":
			return state.is === "hearing" ? fail(state, tooQuiet()) : stay(state);
		case "ended":
			// a transcript that is owed is still sent
			return state.is === "finishing" ? stay(state) : leave(state, "gone");
		case "bad-frame":
			return leave(
				state,
				event.error.status,
				event.isTold ? event.error : undefined,
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
			state.is === "hearing"
				? stay(state)
				: open(context, state.request, rateHz);
		const { turn } = opened.state as Hearing;
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
		if (state.is === "hearing") return fail(state, error);
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
	const options = recognitionOf(request, rateHz, context);
	const { language } = options;
	const nothing = { texts: [], chunked: "", isSpeaking: false };
	return {
		state: {
			is: "hearing",
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
					note(success),
				],
			};
		case "hearing":
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

function onRecognised(before: WithTurn, event: SessionEvent): Step {
	const state = inLanguageOf(event, before);
	const { turn } = state;
	switch (event.is) {
		case "speech-begin":
			if (turn.isSpeaking) return stay(state);
			return stay(
				{ ...state, turn: { ...turn, isSpeaking: true } },
				send("voice-started", { timestamp: event.atMs }),
			);
		case "final":
			return onFinal(state, event.utterance);
		case "completed":
			return afterTurn(state, [
				...voiceStopped(turn, event.audioMs),
				...transcript(turn.language, event.text, turn.chunked),
				note(success, event.audioMs),
			]);
		default: // partials, which are not asked for
			return stay(state);
	}
}

/** The state with the language that was identified. */
function inLanguageOf(event: SessionEvent, state: WithTurn): WithTurn {
	if (!("language" in event) || !event.language) return state;
	return { ...state, turn: { ...state.turn, language: event.language } };
}

function onFinal(
	state: WithTurn,
	{ text, endMs }: { readonly text: string; readonly endMs: number },
): Step {
	const { turn } = state;
	const texts = text === "" ? turn.texts : [...turn.texts, text];
	const whole = joinTexts(texts, turn.language);
	const chunk = whole.slice(turn.chunked.length);
	const starts = turn.chunked === "" && chunk !== "";
	return stay(
		{
			...state,
			turn: { ...turn, texts, chunked: whole, isSpeaking: false },
		},
		...voiceStopped(turn, endMs),
		...(starts ? [transcriptStart(turn.language)] : []),
		...(chunk === "" ? [] : [send("transcript-chunk", { text: chunk })]),
	);
}

/** The turn was answered before its `audio-stop`, or after it. */
function afterTurn(state: WithTurn, effects: readonly Effect[]): Step {
	return {
		state:
			state.is === "finishing"
				? { is: "idle", request: state.next }
				: { is: "answered", next: state.next },
		effects: [{ do: "await-nothing" }, ...effects],
	};
}

function fail(state: WithTurn, error: CodedError): Step {
	// an engine that failed in the middle of a turn has a code of its own
	const told = error.status === "100003" ? new CodedError("230004") : error;
	return afterTurn(state, [
		{ do: "cancel" },
		errorFrame(told),
		note(told.status),
	]);
}

function leave(state: Open, status: string, told?: CodedError): Step {
	return {
		state: over,
		effects: [
			{ do: "await-nothing" },
			{ do: "cancel" },
			...(told ? [errorFrame(told)] : []),
			...(hasTurn(state) ? [note(status)] : []),
			{ do: "close" },
		],
	};
}

/** The events around a transcript; readers that do not know those of streaming skip them. @param chunked what was sent in chunks before */
function transcript(
	language: Language,
	text: string,
	chunked: string,
): readonly Effect[] {
	const rest = text.startsWith(chunked) ? text.slice(chunked.length) : "";
	return [
		...(chunked === "" ? [transcriptStart(language)] : []),
		...(rest === "" ? [] : [send("transcript-chunk", { text: rest })]),
		send("transcript", { text, language: subtagOf(language) }),
		send("transcript-stop"),
	];
}

function transcriptStart(language: Language): Effect {
	return send("transcript-start", { language: subtagOf(language) });
}

function voiceStopped(turn: Turn, atMs: number): readonly Effect[] {
	return turn.isSpeaking ? [send("voice-stopped", { timestamp: atMs })] : [];
}

function hasTurn(state: State): state is WithTurn {
	return state.is === "hearing" || state.is === "finishing";
}

function errorFrame({ status, message }: CodedError): Effect {
	return send("error", { text: message, code: status });
}

function send(type: string, data?: SentFrame["data"]): Effect {
	return { do: "send", frame: { type, ...(data && { data }) } };
}

function note(status: string, audioMs = 0): Effect {
	return { do: "note", status, audioMs };
}

function stay(state: State, ...effects: Effect[]): Step {
	return { state, effects };
}

function tooQuiet(): CodedError {
	return new CodedError(
		"230002",
		"no audio, or less than a hundredth of real time, came for 10 seconds",
	);
}
