/** How far a recognition has come, and the messages that say so. */

import type { SessionEvent, Utterance, Word } from "../../session/events.js";
import type { Language } from "../../text/languages.js";
import { resultNote } from "../result-note.js";
import type { LiveOptions } from "./live-options.js";
import type {
	Namespace,
	ResultFields,
	ServerMessage,
	ServerMessageName,
} from "./server-message.js";
import type { SpeakerTurns } from "./speaker-turns.js";

export interface Progress {
	readonly namespace: Namespace;
	readonly userId: string | undefined;
	/** The speaker that the client named last (transcriber only). */
	readonly speakerId: string | null;
	readonly turns: SpeakerTurns;
	/** The sentence that the client has ended and that has no final text yet: whoever is named meanwhile speaks after it. */
	readonly ended: Pick<Progress, "index" | "speakerId"> | undefined;
	/** A sentence has begun, and its final text has not come. */
	readonly isInSentence: boolean;
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
	{ recognition, finalWords, userId }: LiveOptions,
): Progress {
	return {
		namespace,
		userId,
		speakerId: null,
		turns: [],
		ended: undefined,
		isInSentence: false,
		language: recognition.language,
		isIdentified: false,
		intermediate: recognition.partials,
		intermediateWords: recognition.partialWords ?? false,
		words: finalWords,
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
		...spokenLanguageOf(progress),
		words: progress.words ? [] : null,
	});
}

export function spokenLanguageOf({
	language,
	isIdentified,
}: Progress): Pick<ResultFields, "language"> {
	return isIdentified ? { language } : {};
}

/** Adds the link of stored audio, or a note that storing it failed: the result is a success either way. */
export function withRecording(
	message: ServerMessage,
	{ recording }: Extract<SessionEvent, { is: "completed" }>,
): ServerMessage {
	if (!recording) return message;
	if (recording.is === "lost")
		return { ...message, note: resultNote({ recording }) };
	return { ...message, audioUrl: recording.url };
}

export function resultOf(utterance: Utterance) {
	const { text, confidence, beginMs } = utterance;
	return { text, confidence, beginMs };
}

export function messageOf(
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
