/** What a Wyoming peer is sent, as effects of the protocol (protocol.ts): the events around speech and its transcript, and errors. */
import type { CodedError } from "../../errors.js";
import type { Language } from "../../text/languages.js";
import type { SentFrame } from "./frame.js";
import { subtagOf } from "./info.js";
import type { Effect, Turn } from "./protocol-states.js";

/** The events around a transcript; readers that do not know those of streaming skip them. @param chunked what was sent in chunks before */
export function transcript(
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

export function transcriptStart(language: Language): Effect {
	return send("transcript-start", { language: subtagOf(language) });
}

export function voiceStopped(turn: Turn, atMs: number): readonly Effect[] {
	return turn.isSpeaking ? [send("voice-stopped", { timestamp: atMs })] : [];
}

export function errorFrame({ status, message }: CodedError): Effect {
	return send("error", { text: message, code: status });
}

export function send(type: string, data?: SentFrame["data"]): Effect {
	return { do: "send", frame: { type, ...(data && { data }) } };
}
