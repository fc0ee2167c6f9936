/** What microphones hear: `events/final`, `events/partial`. */
import { randomUUID } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import type { MicrophoneEvent } from "../../microphones/microphone-events.js";
import { schema, schemaVersion, timeMs } from "./schema-version.js";

const word = Type.Object({
	word: Type.String(),
	start_time: Type.Integer({
		description: "From the begin of the sentence, milliseconds.",
	}),
	end_time: Type.Integer(),
	type: Type.Union([
		Type.Literal("normal"),
		Type.Literal("modal"),
		Type.Literal("punc"),
	]),
	confidence: Type.Number({ minimum: 0, maximum: 1 }),
});

export const utterancePayload = Type.Object(
	{
		schema,
		id: Type.String({
			description: "Of this message: one that comes twice has it twice.",
		}),
		microphone: Type.String(),
		room: Type.Optional(Type.String()),
		kiosk: Type.Optional(Type.String()),
		language: Type.String({ description: "As lang_type of the API." }),
		index: Type.Integer({
			minimum: 1,
			description:
				"Sentence of this microphone since the appliance started; empty ones are counted and not told.",
		}),
		at_ms: timeMs("When it was told"),
		begin_ms: timeMs("Begin of the sentence"),
		end_ms: timeMs("Its end"),
		text: Type.String(),
		spoken: Type.Optional(
			Type.String({ description: "Its reading in katakana." }),
		),
		confidence: Type.Number({ minimum: 0, maximum: 1 }),
		words: Type.Optional(Type.Array(word)),
		azimuth_deg: Type.Optional(
			Type.Number({
				description: "Where it came from, as the array's geometry counts.",
			}),
		),
	},
	{ title: "A sentence that a microphone heard" },
);

type UtteranceEvent = Extract<
	MicrophoneEvent,
	{ readonly is: "partial" | "final" }
>;

export function utteranceMessage(
	event: UtteranceEvent,
): Static<typeof utterancePayload> {
	const { microphone, room, kiosk, language, atMs, utterance } = event;
	const { index, beginAtMs, endAtMs, text, spoken, confidence, words } =
		utterance;
	return {
		schema: schemaVersion,
		id: randomUUID(),
		microphone,
		...(room !== undefined && { room }),
		...(kiosk !== undefined && { kiosk }),
		language,
		index,
		at_ms: Math.round(atMs),
		begin_ms: Math.round(beginAtMs),
		end_ms: Math.round(endAtMs),
		text,
		...(spoken !== undefined && { spoken }),
		confidence,
		...(words.length > 0 && {
			words: words.map((it) => ({
				word: it.text,
				start_time: Math.round(it.startMs),
				end_time: Math.round(it.endMs),
				type: it.kind,
				confidence: it.confidence,
			})),
		}),
		...(utterance.azimuthDeg !== undefined && {
			azimuth_deg: utterance.azimuthDeg,
		}),
	};
}
