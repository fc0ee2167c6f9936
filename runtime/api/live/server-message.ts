/**
 * The text messages of the server (docs/interface.md sections 2.4, 4.2, 6 and 10): every message has the same header, every result the same fields, and no
 * field ever changes its type. Pure.
 */
import { type StatusCode, successStatus } from "../../errors.js";
import type { Word } from "../../session/events.js";
import { probability } from "../../session/probability.js";
import { wordFields } from "../../session/word-fields.js";
import type { Language } from "../../text/languages.js";

export const namespaces = ["SpeechRecognizer", "SpeechTranscriber"] as const;
export type Namespace = (typeof namespaces)[number];

export type ServerMessageName =
	| "RecognitionStarted"
	| "RecognitionResultChanged"
	| "RecognitionCompleted"
	| "TranscriptionStarted"
	| "WakeWordDetected"
	| "WaitingForWakeWord"
	| "SentenceBegin"
	| "TranscriptionResultChanged"
	| "SentenceEnd"
	| "TranscriptionCompleted"
	| "TaskFailed"
	| "pong";

export interface ServerMessage {
	readonly namespace: Namespace;
	readonly name: ServerMessageName;
	/** Absent in a success. */
	readonly trouble?: { readonly status: StatusCode; readonly text: string };
	/** Absent from TaskFailed and pong. */
	readonly result?: ResultFields;
	/** Status text of a success, if there is more to report. */
	readonly note?: string;
	/** Link to the stored audio, if storage was requested. */
	readonly audioUrl?: string;
	/** The client's `user_id`, if any. */
	readonly userId: string | undefined;
}

export interface ResultFields {
	/** 0 in the started message, 1 in a recognizer's others; a transcriber counts its sentences. */
	readonly index: number;
	/** Audio processed so far. */
	readonly timeMs: number;
	readonly beginMs: number;
	readonly speakerId: string | null;
	readonly text: string;
	/** The reading of the text; absent where it was not requested. */
	readonly spoken?: string | undefined;
	readonly confidence: number;
	/** Where it was identified; only at the end. */
	readonly language?: Language;
	/** null: not requested. */
	readonly words: readonly Word[] | null;
}

/** Identifies a session in each of its messages. */
export interface SessionIds {
	readonly taskId: string;
	/** The token's name. */
	readonly appId: string;
}

export function renderMessage(
	message: ServerMessage,
	{ taskId, appId }: SessionIds,
	messageId: string,
): string {
	const { namespace, name, trouble, result, note, audioUrl } = message;
	const user = message.userId === undefined ? {} : { user_id: message.userId };
	return JSON.stringify({
		header: {
			namespace,
			name,
			status: trouble?.status ?? successStatus,
			status_text: trouble?.text ?? note ?? "success",
			task_id: taskId,
			message_id: messageId,
			app_id: appId,
			...user,
		},
		payload: {
			...(result && resultOf(result)),
			...(audioUrl !== undefined && { audio_url: audioUrl }),
			...user,
		},
	});
}

function resultOf(result: ResultFields) {
	const { speakerId, words } = result;
	return {
		index: result.index,
		time: result.timeMs,
		begin_time: result.beginMs,
		speaker_id: speakerId,
		result: result.text,
		...(result.spoken !== undefined && { spoken: result.spoken }),
		confidence: probability(result.confidence),
		...(result.language && { lang_type: result.language }),
		words:
			words?.map((word) => ({
				...wordFields(word),
				label: speakerId ?? "",
			})) ?? null,
	};
}
