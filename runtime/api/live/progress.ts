/**
 * The results of a recognition so far, and the messages that each namespace sends for them. A recognizer's session is one utterance: its results are the whole
 * text so far, across pauses. A transcriber's results belong to one sentence, with a begin and an end, and nothing of earlier sentences is kept: it may run for
 * hours. Pure.
 */

import { errorTable } from "../../errors.js";
import type { SessionEvent, Utterance, Word } from "../../session/events.js";
import { joinTexts } from "../../session/join-text.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { Language } from "../../text/languages.js";
import { resultNote } from "../result-note.js";
import type {
	Namespace,
	ResultFields,
	ServerMessage,
	ServerMessageName,
} from "./server-message.js";

export interface Progress {
	readonly namespace: Namespace;
	readonly userId: string | undefined;
	/** The speaker that the client named (transcriber only). */
	readonly speakerId: string | null;
	readonly language: Language;
	/** The language was identified, which the end of the session reports. */
	readonly isIdentified: boolean;
	readonly intermediate: boolean;
	readonly intermediateWords: boolean;
	readonly words: boolean;
	readonly timeMs: number;
	/** Of the current sentence. */
	readonly beginMs: number | undefined;
	readonly index: number;
	/** Final text of the current sentence. */
	readonly text: string;
	readonly finalWords: readonly Word[];
	/** The last intermediate result. */
	readonly shown: string;
}

interface Advance {
	readonly progress: Progress;
	readonly messages: readonly ServerMessage[];
}

/** Message names of each namespace. */
export const messageNames = {
	SpeechRecognizer: {
		start: "StartRecognition",
		started: "RecognitionStarted",
		changed: "RecognitionResultChanged",
		completed: "RecognitionCompleted",
	},
	SpeechTranscriber: {
		start: "StartTranscription",
		started: "TranscriptionStarted",
		changed: "TranscriptionResultChanged",
		completed: "TranscriptionCompleted",
	},
} as const;

export function beginProgress(
	namespace: Namespace,
	options: RecognitionOptions,
	userId: string | undefined,
): Progress {
	return {
		namespace,
		userId,
		speakerId: null,
		language: options.language,
		isIdentified: false,
		intermediate: options.partials,
		intermediateWords: options.partialWords ?? false,
		words: options.words,
		timeMs: 0,
		beginMs: undefined,
		index: namespace === "SpeechRecognizer" ? 1 : 0,
		text: "",
		finalWords: [],
		shown: "",
	};
}

export function started(progress: Progress): ServerMessage {
	const name = messageNames[progress.namespace].started;
	return messageOf(progress, name, { index: 0 });
}

/** The end of a session without recognized speech. */
export function emptyEnding(progress: Progress): ServerMessage {
	const name = messageNames[progress.namespace].completed;
	return messageOf(progress, name, {
		...languageOf(progress),
		words: progress.words ? [] : null,
	});
}

export function advance(before: Progress, event: SessionEvent): Advance {
	const audioMs = event.is === "speech-begin" ? event.atMs : event.audioMs;
	const progress = {
		...before,
		timeMs: Math.max(before.timeMs, audioMs),
		...("language" in event && event.language && identified(event.language)),
	};
	return progress.namespace === "SpeechRecognizer"
		? advanceRecognizer(progress, event)
		: advanceTranscriber(progress, event);
}

function identified(language: Language) {
	return { language, isIdentified: true };
}

function advanceRecognizer(progress: Progress, event: SessionEvent): Advance {
	switch (event.is) {
		case "speech-begin":
			return silent({ ...progress, beginMs: progress.beginMs ?? event.atMs });
		case "wake":
		case "sleep":
			return silent(progress);
		case "partial":
			return show(progress, event.utterance);
		case "final": {
			const shown = show(progress, event.utterance);
			const { text, words } = event.utterance;
			return {
				...shown,
				progress: {
					...shown.progress,
					text: joinTexts([progress.text, text], progress.language),
					finalWords: [...progress.finalWords, ...words],
				},
			};
		}
		case "completed":
			return { progress, messages: [completedRecognition(progress, event)] };
	}
}

function advanceTranscriber(progress: Progress, event: SessionEvent): Advance {
	switch (event.is) {
		case "wake": {
			const { phrase: text, confidence, beginMs } = event;
			const result = { text, confidence, beginMs };
			const message = messageOf(progress, "WakeWordDetected", result);
			return { progress, messages: [message] };
		}
		case "sleep":
			return {
				progress,
				messages: [messageOf(progress, "WaitingForWakeWord")],
			};
		case "speech-begin": {
			const { index, atMs: beginMs } = event;
			const next = { ...progress, index, beginMs, shown: "" };
			return { progress: next, messages: [messageOf(next, "SentenceBegin")] };
		}
		case "partial":
			return show(progress, event.utterance);
		case "final": {
			const { utterance } = event;
			const next = { ...progress, index: utterance.index, shown: "" };
			const ended = messageOf(next, "SentenceEnd", {
				...resultOf(utterance),
				spoken: utterance.spoken,
				words: progress.words ? utterance.words : null,
			});
			return { progress: next, messages: [ended] };
		}
		case "completed": {
			const message = emptyEnding(progress);
			return { progress, messages: [withRecording(message, event)] };
		}
	}
}

function completedRecognition(
	progress: Progress,
	event: Extract<SessionEvent, { is: "completed" }>,
): ServerMessage {
	const name = messageNames.SpeechRecognizer.completed;
	const message = messageOf(progress, name, {
		text: event.text,
		spoken: event.spoken,
		confidence: event.confidence,
		...languageOf(progress),
		words: progress.words ? event.words : null,
	});
	const noted = { ...withRecording(message, event), note: resultNote(event) };
	if (event.why !== "duration") return noted;
	const status = "230003";
	const text = errorTable[status].message;
	return { ...noted, trouble: { status, text } };
}

function languageOf({
	language,
	isIdentified,
}: Progress): Pick<ResultFields, "language"> {
	return isIdentified ? { language } : {};
}

/** Adds the link of stored audio, or a note that storing it failed: the result is a success either way. */
function withRecording(
	message: ServerMessage,
	{ recording }: Extract<SessionEvent, { is: "completed" }>,
): ServerMessage {
	if (!recording) return message;
	if (recording.is === "lost")
		return { ...message, note: resultNote({ recording }) };
	return { ...message, audioUrl: recording.url };
}

/** An intermediate result; nothing is sent where the text has not changed. */
function show(progress: Progress, utterance: Utterance): Advance {
	const text = joinTexts([progress.text, utterance.text], progress.language);
	if (!progress.intermediate || text === progress.shown)
		return silent(progress);
	const next = {
		...progress,
		shown: text,
		beginMs: progress.beginMs ?? utterance.beginMs,
	};
	const changed = messageOf(next, messageNames[next.namespace].changed, {
		...resultOf(utterance),
		beginMs: next.beginMs,
		text,
		words: next.intermediateWords
			? [...next.finalWords, ...utterance.words]
			: null,
	});
	return { progress: next, messages: [changed] };
}

function resultOf(utterance: Utterance) {
	const { text, confidence, beginMs } = utterance;
	return { text, confidence, beginMs };
}

function messageOf(
	progress: Progress,
	name: ServerMessageName,
	result: Partial<ResultFields> = {},
): ServerMessage {
	const { namespace, userId, index, timeMs, beginMs, speakerId } = progress;
	return {
		namespace,
		name,
		userId,
		result: {
			index,
			timeMs,
			beginMs: beginMs ?? 0,
			speakerId,
			text: "",
			confidence: 0,
			words: null,
			...result,
		},
	};
}

function silent(progress: Progress): Advance {
	return { progress, messages: [] };
}
