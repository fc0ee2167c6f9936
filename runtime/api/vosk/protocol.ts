/**
 * One Vosk connection as a pure function: (state, event) -> (state, effects).
 *
 * INVARIANTS
 * - Each audio message, each `eof` and each `reset` is answered exactly once, in order, or the connection is closed with a reason. Nothing is sent unasked.
 * - A recognition is opened by audio and by nothing else; it is used only until it ends, fails or is cancelled.
 * - Each sentence is sent once, its words' times on one clock for the whole connection.
 * - Once the connection is over, no event has an effect any more.
 */
import {
	type CodedError,
	duringRecognition,
	serverStopping,
	successStatus,
} from "../../errors.js";
import type { SessionEvent } from "../../session/events.js";
import { normalClosure } from "../close-reason.js";
import {
	finalAnswer,
	joined,
	partialAnswer,
	type Sentence,
	sentenceOf,
} from "./answer.js";
import {
	type ClientMessage,
	defaultConfig,
	type VoskConfig,
} from "./client-message.js";
import type {
	Effect,
	Event,
	Open,
	ProtocolContext,
	State,
	Step,
} from "./protocol-states.js";
import { recognitionOf } from "./recognition-options.js";

const over: State = { is: "over" };
const bytesPerSample = 2;

type WithRecognition = Extract<State, { is: "streaming" | "finishing" }>;

export function begin(): State {
	return {
		is: "idle",
		config: defaultConfig,
		sentences: [],
		partial: "",
		offsetMs: 0,
	};
}

/** Messages have to wait until the last sentences of a recognition are known. */
export function mustWait(state: State): boolean {
	return state.is === "finishing";
}

export function step(
	context: ProtocolContext,
	state: State,
	event: Event,
): Step {
	if (state.is === "over") return stay(state);
	switch (event.is) {
		case "audio":
			return onAudio(context, state, event.bytes);
		case "message":
			return onMessage(context, state, event.message);
		case "recognized":
			return hasRecognition(state)
				? onRecognized(context, state, event.event)
				: stay(state);
		case "opened":
			return state.is === "streaming"
				? stay(state, { do: "await-audio" })
				: stay(state);
		case "refused":
		case "failed":
			return hasRecognition(state) ? fail(state, event.error) : stay(state);
		case "late":
			return state.is === "streaming" ? finish(state, "pause") : stay(state);
		case "bad-message":
			return fail(state, event.error);
		case "shutdown":
			// answers that are owed are still sent
			return state.is === "finishing" && state.why !== "pause"
				? stay(state)
				: fail(state, serverStopping());
		case "gone":
			return leave(state, "gone");
	}
}

function onAudio(
	context: ProtocolContext,
	state: Open,
	bytes: Uint8Array,
): Step {
	if (state.is === "finishing") return stay(state); // it waits: see `mustWait`
	if (bytes.length === 0) return answered(state);
	const opening: readonly Effect[] =
		state.is === "idle"
			? [{ do: "open", options: recognitionOf(state.config, context) }]
			: [];
	const rateHz = state.is === "idle" ? state.config.rateHz : state.rateHz;
	const { state: next, effects } = answered({
		...state,
		is: "streaming",
		rateHz,
	});
	const audioSeconds = bytes.length / (rateHz * bytesPerSample);
	return {
		state: next,
		effects: [
			...opening,
			{ do: "write", bytes },
			{ do: "await-longer", audioSeconds },
			...effects,
		],
	};
}

/** The oldest sentence that was not sent yet, else the text of the open one so far. */
function answered(state: Exclude<Open, { is: "finishing" }>): Step {
	const [first, ...sentences] = state.sentences;
	if (!first) return stay(state, sendPartial(state.partial));
	return stay({ ...state, sentences }, sendFinal(first, state.config));
}

function onMessage(
	context: ProtocolContext,
	state: Open,
	message: ClientMessage,
): Step {
	if (message.is === "config")
		return stay({ ...state, config: { ...state.config, ...message.config } });
	if (state.is === "streaming") return finish(state, message.is);
	if (state.is === "finishing") return stay(state); // it waits: see `mustWait`
	return conclude(context, state, message.is);
}

function finish(
	state: Extract<State, { is: "streaming" }>,
	why: "eof" | "reset" | "pause",
): Step {
	const { rateHz: _, ...progress } = state;
	return {
		state: { ...progress, is: "finishing", why },
		effects: [{ do: "await-nothing" }, { do: "finish" }],
	};
}

function onRecognized(
	context: ProtocolContext,
	before: WithRecognition,
	event: SessionEvent,
): Step {
	const state =
		"language" in event && event.language
			? { ...before, identified: event.language }
			: before;
	switch (event.is) {
		case "partial":
			return stay({ ...state, partial: event.utterance.text });
		case "final": {
			const { sentences, offsetMs } = state;
			const { utterance } = event;
			const isSilent = utterance.text === "";
			const sentence = sentenceOf(utterance, offsetMs);
			return stay({
				...state,
				partial: "",
				sentences: isSilent ? sentences : [...sentences, sentence],
			});
		}
		case "completed": {
			const offsetMs = state.offsetMs + event.audioMs;
			const { config, sentences, identified } = state;
			const idle: State = {
				is: "idle",
				config,
				sentences,
				offsetMs,
				partial: "",
				...(identified && { identified }),
			};
			const why = state.is === "finishing" ? state.why : "pause";
			const { state: next, effects } = conclude(context, idle, why);
			return {
				state: next,
				effects: [
					{ do: "await-nothing" },
					{ do: "note", status: successStatus, audioMs: event.audioMs },
					...effects,
				],
			};
		}
		default:
			return stay(state);
	}
}

/** The recognition has ended, or there was none: what is left is sent. */
function conclude(
	context: ProtocolContext,
	state: Extract<State, { is: "idle" }>,
	why: "eof" | "reset" | "pause",
): Step {
	if (why === "pause") return stay(state);
	const language = state.identified ?? context.language().language;
	const left = joined(state.sentences, language);
	const answer = sendFinal(left, state.config);
	return why === "reset"
		? stay({ ...state, sentences: [] }, answer)
		: {
				state: over,
				effects: [answer, { do: "close", code: normalClosure, reason: "" }],
			};
}

/** The protocol has no errors: the connection is closed, and the reason says why. */
function fail(state: Open, error: CodedError): Step {
	const { status, message, wsClose: code } = duringRecognition(error);
	const { effects } = leave(state, status);
	return {
		state: over,
		effects: [
			...effects,
			{ do: "close", code, reason: `${status}: ${message}` },
		],
	};
}

function leave(state: Open, status: string): Step {
	return {
		state: over,
		effects: [
			{ do: "await-nothing" },
			{ do: "cancel" },
			...(hasRecognition(state)
				? [{ do: "note", status, audioMs: 0 } as const]
				: []),
		],
	};
}

function hasRecognition(state: State): state is WithRecognition {
	return state.is === "streaming" || state.is === "finishing";
}

function sendPartial(text: string): Effect {
	return { do: "send", text: partialAnswer(text), hasText: text !== "" };
}

function sendFinal(sentence: Sentence, config: VoskConfig): Effect {
	const text = finalAnswer(sentence, config);
	return { do: "send", text, hasText: sentence.text !== "" };
}

function stay(state: State, ...effects: Effect[]): Step {
	return { state, effects };
}
