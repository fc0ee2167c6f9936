/** States, events and a checker of the protocol's invariants, shared by the tests of the pure state machine. */

import { begin, step } from "../../runtime/api/live/protocol.js";
import type {
	Effect,
	Event,
	ProtocolContext,
	State,
} from "../../runtime/api/live/protocol-states.js";
import {
	type Namespace,
	renderMessage,
	type ServerMessage,
} from "../../runtime/api/live/server-message.js";
import { CodedError } from "../../runtime/errors.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import type { Language } from "../../runtime/text/languages.js";
import { noWords } from "./no-words.js";

const languages: readonly Language[] = ["en-US", "ja-JP"];

export const setting: ProtocolContext = {
	namespaces: ["SpeechRecognizer", "SpeechTranscriber"],
	languages,
	wordLists: noWords,
	startSeconds: 10,
};

export const start = (
	namespace: Namespace = "SpeechRecognizer",
	payload: Record<string, unknown> = { lang_type: "en-US" },
): Event => ({ is: "message", message: { is: "start", namespace, payload } });
export const stop = (namespace: Namespace = "SpeechRecognizer"): Event => ({
	is: "message",
	message: { is: "stop", namespace },
});
export const ping: Event = {
	is: "message",
	message: { is: "ping", namespace: "SpeechTranscriber" },
};
export const endSentence: Event = {
	is: "message",
	message: { is: "end-sentence", namespace: "SpeechTranscriber" },
};
export const speaker: Event = {
	is: "message",
	message: { is: "speaker", namespace: "SpeechTranscriber", speakerId: "anna" },
};
export const audio: Event = { is: "audio", bytes: new Uint8Array(3) };
export const noAudio: Event = { is: "audio", bytes: new Uint8Array(0) };
export const opened: Event = { is: "opened" };
export const late: Event = { is: "late", slow: false };
export const unread: Event = { is: "unread", bytes: 9 };
export const shutdown: Event = { is: "shutdown" };
export const gone: Event = { is: "gone" };
export const refused: Event = {
	is: "refused",
	error: new CodedError("100004"),
};
export const badMessage: Event = {
	is: "bad-message",
	error: new CodedError("200003", "message is not valid JSON"),
};
export const failed = (
	status: "100003" | "200006" | "200007" | "230004",
): Event => ({ is: "failed", error: new CodedError(status) });
const recognized = (event: SessionEvent): Event => ({
	is: "recognized",
	event,
});

function utterance(index: number, text: string) {
	const beginMs = index * 1000;
	const endMs = beginMs + 900;
	return { index, beginMs, endMs, text, confidence: 0.5, words: [] };
}

export const speechBegin = (index: number): Event =>
	recognized({ is: "speech-begin", index, atMs: index * 1000 });
export const partial = (index: number, text: string, audioMs = 1): Event =>
	recognized({ is: "partial", utterance: utterance(index, text), audioMs });
export const final = (index: number, text: string, audioMs = 1): Event =>
	recognized({ is: "final", utterance: utterance(index, text), audioMs });
export const completed = (
	why: "finished" | "duration" | "suffix-silence" = "finished",
): Event =>
	recognized({
		is: "completed",
		text: "all of it",
		confidence: 0.5,
		words: [],
		audioMs: 5000,
		why,
	});

export interface Trace {
	readonly state: State;
	/** Of the last event. */
	readonly effects: readonly Effect[];
	readonly sent: readonly ServerMessage[];
}

/** Runs events from the beginning and checks the invariants. @throws if one is violated */
export function run(events: readonly Event[], where = setting): Trace {
	const keeper = new Keeper();
	let { state, effects } = begin(where);
	keeper.watch(state, effects);
	for (const event of events) {
		const before = state;
		({ state, effects } = step(where, before, event));
		if (before.is === "over" && effects.length > 0)
			throw new Error(`${event.is} was answered after the end`);
		keeper.watch(state, effects);
	}
	return { state, effects, sent: keeper.sent };
}

/** Must hold in every session, whatever happens in it. */
class Keeper {
	readonly sent: ServerMessage[] = [];
	#opened = false;
	#asking = false;
	#finished = false;
	#timeMs = 0;
	#closed = false;

	watch(state: State, effects: readonly Effect[]): void {
		for (const effect of effects) this.#see(effect);
		if (state.is === "over" && this.#asking)
			throw new Error("over, and the recognition still runs");
		const isEndSent = this.sent.some((it) => isEnd(it));
		if (isEndSent !== this.#closed)
			throw new Error("sent its end but not closed");
	}

	#see(effect: Effect): void {
		switch (effect.do) {
			case "open":
				if (this.#opened) throw new Error("opened twice");
				this.#opened = true;
				this.#asking = true;
				return;
			case "write":
			case "end-sentence":
			case "finish":
				if (!this.#asking) throw new Error(`${effect.do} without recognition`);
				if (this.#finished) throw new Error(`${effect.do} after finish`);
				this.#finished = effect.do === "finish";
				return;
			case "cancel":
				this.#asking = false;
				return;
			case "close":
				if (this.#closed) throw new Error("closed twice");
				this.#closed = true;
				return;
			case "send":
				this.#receive(effect.message);
		}
	}

	#receive(message: ServerMessage): void {
		if (this.#closed) throw new Error(`${message.name} after the end`);
		if (this.sent.some(isEnd)) throw new Error(`${message.name} after the end`);
		const { timeMs } = message.result ?? { timeMs: this.#timeMs };
		if (timeMs < this.#timeMs) throw new Error("time ran back");
		this.#timeMs = timeMs;
		checkTypes(message);
		this.sent.push(message);
		if (message.name.endsWith("Completed")) this.#asking = false;
	}
}

export function isEnd({ name }: ServerMessage): boolean {
	return name === "TaskFailed" || name.endsWith("Completed");
}

const resultTypes = {
	index: "number",
	time: "number",
	begin_time: "number",
	result: "string",
	confidence: "number",
} as const;

/** Every field of every message, and its type. */
function checkTypes(message: ServerMessage): void {
	const ids = { taskId: "t", appId: "a" };
	const { header, payload } = JSON.parse(renderMessage(message, ids, "m")) as {
		header: Record<string, unknown>;
		payload: Record<string, unknown>;
	};
	for (const [name, value] of Object.entries(header))
		if (typeof value !== "string") throw new Error(`header.${name}: ${value}`);
	if (!/^\d{6}$/.test(String(header.status)))
		throw new Error(`status ${header.status}`);
	if (!message.result) return;
	for (const [name, type] of Object.entries(resultTypes))
		if (typeof payload[name] !== type)
			throw new Error(`${message.name} ${name}: ${payload[name]}`);
	for (const name of ["index", "time", "begin_time"])
		if (!Number.isInteger(payload[name])) throw new Error(`${name} is cut`);
	const { words, speaker_id } = payload;
	if (words !== null && !Array.isArray(words)) throw new Error("words");
	if (speaker_id !== null && typeof speaker_id !== "string")
		throw new Error("speaker_id");
}
