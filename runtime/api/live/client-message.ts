/** Text messages of clients (docs/interface.md sections 4.2, 6 and 10). Unknown keys are ignored, unknown names are not. Pure. */
import { Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import { shown } from "../../json/expectation.js";
import { isJsonObject, type JsonObject } from "../../json/json-object.js";
import { fits } from "../../json/json-schema.js";
import { type Namespace, namespaces } from "./server-message.js";

export type ClientMessage =
	| {
			readonly is: "start";
			readonly namespace: Namespace;
			readonly payload: Readonly<Record<string, unknown>>;
	  }
	| { readonly is: "stop"; readonly namespace: Namespace }
	/** Keep-alive: it is not audio and does not end a silence. */
	| { readonly is: "ping"; readonly namespace: Namespace }
	/** The sentence ends here. */
	| { readonly is: "end-sentence"; readonly namespace: Namespace }
	/** Sets the speaker from here on. */
	| {
			readonly is: "speaker";
			readonly namespace: Namespace;
			readonly speakerId: string;
	  };

/** As `user_id`. */
const speakerIdCharactersMax = 36;
const speakerIdType = Type.String({ maxLength: speakerIdCharactersMax });

/** For each namespace: message names and their meaning. */
const names: Readonly<
	Record<Namespace, Readonly<Record<string, ClientMessage["is"]>>>
> = {
	SpeechRecognizer: {
		StartRecognition: "start",
		StopRecognition: "stop",
		ping: "ping",
	},
	SpeechTranscriber: {
		StartTranscription: "start",
		StopTranscription: "stop",
		ping: "ping",
		SentenceEnd: "end-sentence",
		SpeakerStart: "speaker",
	},
};

/** @param message as parsed. @throws CodedError 200001, 200002, 200003, 230001 */
export function readMessage(message: unknown): ClientMessage {
	if (!isJsonObject(message))
		throw new CodedError("200003", "message must be a JSON object");
	const { header, payload } = message;
	const known = readHeader(asObject("header", header));
	const { namespace, is } = known;
	switch (is) {
		case "start":
			return { is, namespace, payload: asObject("payload", payload ?? {}) };
		case "speaker":
			return { is, namespace, speakerId: speakerIdOf(payload) };
		default:
			return { is, namespace };
	}
}

function readHeader(header: JsonObject): {
	readonly namespace: Namespace;
	readonly is: ClientMessage["is"];
} {
	const namespace = asText("header.namespace", header.namespace);
	const name = asText("header.name", header.name);
	if (!isNamespace(namespace))
		throw new CodedError(
			"230001",
			`header.namespace must be ${namespaces.join(" or ")}, got ${shown(namespace)}`,
		);
	const known = names[namespace];
	const is = Object.hasOwn(known, name) ? known[name] : undefined;
	if (!is)
		throw new CodedError(
			"230001",
			`header.name must be one of ${Object.keys(known).join(", ")}, got ${shown(name)}`,
		);
	return { namespace, is };
}

function speakerIdOf(payload: unknown): string {
	const { speaker_id } = asObject("payload", payload);
	const speakerId = asText("speaker_id", speaker_id);
	if (!fits(speakerIdType, speakerId))
		throw new CodedError(
			"200002",
			`speaker_id must be a string of at most ${speakerIdCharactersMax} characters, got ${shown(speakerId)}`,
		);
	return speakerId;
}

function asObject(name: string, value: unknown): JsonObject {
	if (value === undefined || value === null)
		throw new CodedError("200001", `${name} is required`);
	if (isJsonObject(value)) return value;
	throw new CodedError(
		"200002",
		`${name} must be an object, got ${shown(value)}`,
	);
}

function asText(name: string, value: unknown): string {
	if (value === undefined || value === null)
		throw new CodedError("200001", `${name} is required`);
	if (typeof value === "string") return value;
	throw new CodedError(
		"200002",
		`${name} must be a string, got ${shown(value)}`,
	);
}

function isNamespace(text: string): text is Namespace {
	return (namespaces as readonly string[]).includes(text);
}
