/**
 * Twilio's Media Streams, and services that send the same: everything is JSON, audio is in base64, with both directions of the call on one connection
 * where it was asked for. It comes from the internet and reads no results.
 */
import { CodedError } from "../../errors.js";
import type { JsonObject } from "../../json/json-object.js";
import { callOptionNames } from "./call-options.js";
import type { CallMessage, Dialect, NamedOptions, Track } from "./dialect.js";
import { asObject, type TextFrame, textsOf } from "./text-object.js";

/** A frame of 20 ms of mu-law has 216 characters. */
const payloadCharactersMax = 64 * 1024;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

export class TwilioDialect implements Dialect {
	readonly name = "twilio";
	readonly listens = false;
	readonly sendsBinary = false;
	#hasStarted = false;

	read({ object: message }: TextFrame): CallMessage {
		if (!message) throw new CodedError("200003", "a message must be JSON");
		switch (message.event) {
			case "start":
				return this.#start(asObject(message.start));
			case "media":
				return this.#hasStarted
					? mediaOf(asObject(message.media))
					: { is: "nothing" };
			case "stop":
				return { is: "stop" };
			default:
				return { is: "nothing" };
		}
	}

	#start(start: JsonObject | undefined): CallMessage {
		if (this.#hasStarted) return { is: "nothing" };
		this.#hasStarted = true;
		const custom = asObject(start?.customParameters);
		const { token } = textsOf(custom, ["token"]);
		const { callSid } = textsOf(start, ["callSid"]);
		return {
			is: "start",
			start: {
				first: {
					...textsOf(custom, callOptionNames),
					...audioOf(asObject(start?.mediaFormat)),
				},
				last: { call: callSid },
				...(token !== undefined && { token }),
			},
		};
	}
}

/** Twilio itself sends mu-law only, as `audio/x-mulaw`; services like it name others in the same way, or as telephones do (`PCMA`). */
function audioOf(mediaFormat: JsonObject | undefined): NamedOptions {
	const { encoding = "mulaw", sampleRate = "8000" } = textsOf(mediaFormat, [
		"encoding",
		"sampleRate",
	]);
	return {
		encoding: encoding.replace(/^audio\/(x-)?/i, ""),
		rate: sampleRate,
		channels: "1",
	};
}

/** @throws CodedError 200003 */
function mediaOf(media: JsonObject | undefined): CallMessage {
	const payload = media?.payload;
	const isSound =
		typeof payload === "string" &&
		payload.length <= payloadCharactersMax &&
		payload.length % 4 === 0 &&
		base64.test(payload);
	if (!isSound)
		throw new CodedError("200003", "media.payload must be audio in base64");
	const leg: Track = media?.track === "outbound" ? "outbound" : "inbound";
	return { is: "audio", bytes: Buffer.from(payload, "base64"), leg };
}
