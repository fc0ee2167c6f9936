/** Results of a call, as jambonz reads them from a custom speech vendor; other programs pass them on as they are. */
import type { CallPlace, LegPlace } from "../../calls/call-events.js";
import type { CodedError } from "../../errors.js";
import type { Utterance } from "../../session/events.js";
import { probability } from "../../session/probability.js";

/** Times are milliseconds of the call; `channel` is the speaker, 1 or 2. */
export function transcriptionMessage(
	{ call, taskId, language, leg, speaker }: CallPlace & LegPlace,
	is: "partial" | "final",
	utterance: Utterance,
) {
	const { text, confidence, index, beginMs, endMs, spokenIn } = utterance;
	return {
		type: "transcription",
		is_final: is === "final",
		alternatives: [{ transcript: text, confidence: probability(confidence) }],
		channel: speaker,
		language: spokenIn ?? language,
		call,
		leg,
		task_id: taskId,
		index,
		begin_time: Math.round(beginMs),
		end_time: Math.round(endMs),
	};
}

export function errorMessage({ message, status }: CodedError) {
	return { type: "error", error: message, status };
}

/** @returns the message with all but its type in `data` as well. */
export function repeatedInData<T extends { readonly type: string }>(
	message: T,
): T & { readonly data: Omit<T, "type"> } {
	const { type: _, ...data } = message;
	return { ...message, data };
}

/** For programs that read no errors, and show why a connection was closed. */
export function closeReason({ message, status }: CodedError): string {
	return `${status}: ${message}`;
}
