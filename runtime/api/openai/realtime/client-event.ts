/** Events of clients. Types that are unknown are skipped; those of conversations, which this server does not hold, are told apart from them. */
import { CodedError } from "../../../errors.js";
import { isJsonObject, type JsonObject } from "../../../json/json-object.js";
import { mustBe, wrong } from "../form-fields.js";
import type { Dialect } from "./settings.js";

export type ClientEvent = { readonly eventId: string | null } & (
	| {
			readonly is: "update";
			readonly dialect: Dialect;
			readonly session: JsonObject;
	  }
	| { readonly is: "append"; readonly bytes: Uint8Array }
	| { readonly is: "commit" }
	| { readonly is: "clear" }
	/** A request of a conversation. */
	| { readonly is: "unsupported"; readonly type: string }
	| { readonly is: "unknown" }
);

const eventIdCharactersMax = 512;
/** Requests to speak, not to transcribe. */
const ofConversations = ["conversation.", "response.", "output_audio_buffer."];
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** @param message as parsed. @throws CodedError 200001, 200002, 200003 */
export function readEvent(message: unknown): ClientEvent {
	if (!isJsonObject(message))
		throw new CodedError("200003", "an event must be a JSON object");
	const { type } = message;
	const eventId = eventIdOf(message);
	if (typeof type !== "string") throw missing("type");
	switch (type) {
		case "session.update":
		case "transcription_session.update":
			return {
				is: "update",
				eventId,
				dialect: type === "session.update" ? "ga" : "beta",
				session: sessionOf(message.session),
			};
		case "input_audio_buffer.append":
			return { is: "append", eventId, bytes: audioOf(message.audio) };
		case "input_audio_buffer.commit":
			return { is: "commit", eventId };
		case "input_audio_buffer.clear":
			return { is: "clear", eventId };
		default:
			return ofConversations.some((it) => type.startsWith(it))
				? { is: "unsupported", eventId, type: type.slice(0, 64) }
				: { is: "unknown", eventId };
	}
}

/** The client's own id of an event, for errors about it. */
export function eventIdOf(message: unknown): string | null {
	if (!isJsonObject(message)) return null;
	const { event_id: id } = message;
	const isId = typeof id === "string" && id.length <= eventIdCharactersMax;
	return isId ? id : null;
}

function sessionOf(session: unknown): JsonObject {
	if (session === undefined || session === null) throw missing("session");
	if (isJsonObject(session)) return session;
	throw mustBe("session", "an object", String(session).slice(0, 64));
}

/** Checked before it is decoded, since the decoder skips whatever is not base64. */
function audioOf(audio: unknown): Uint8Array {
	if (audio === undefined || audio === null) throw missing("audio");
	if (typeof audio !== "string" || !base64.test(audio) || !isWhole(audio))
		throw wrong("audio", "must be base64");
	return Buffer.from(audio, "base64");
}

/** Padding may be left out, but no four characters may have a single one. */
function isWhole(text: string): boolean {
	if (!text.endsWith("=")) return text.length % 4 !== 1;
	return text.length % 4 === 0;
}

function missing(param: string): CodedError {
	return new CodedError("200001", `${param} is required`, { param });
}
