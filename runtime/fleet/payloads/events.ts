/** Recognized speech of microphones: `events/wake`, `events/final`, `events/partial`. */
import { randomUUID } from "node:crypto";
import { type Static, type TObject, Type } from "@sinclair/typebox";
import type {
	MicrophoneEvent,
	MicrophonePlace,
} from "../../microphones/microphone-events.js";
import { probability } from "../../session/probability.js";
import { wordFields } from "../../session/word-fields.js";
import { schema, schemaVersion, timeMs } from "./schema-version.js";

export const word = Type.Object({
	word: Type.String(),
	start_time: Type.Integer({
		description: "From the beginning of the sentence, milliseconds.",
	}),
	end_time: Type.Integer(),
	type: Type.Union([
		Type.Literal("normal"),
		Type.Literal("modal"),
		Type.Literal("punc"),
	]),
	confidence: Type.Number({ minimum: 0, maximum: 1 }),
});

/** What begins every message of a microphone. */
const origin = {
	schema,
	id: Type.String({
		description: "Of this message: a repeated delivery has the same id.",
	}),
	microphone: Type.String(),
	room: Type.Optional(Type.String()),
	kiosk: Type.Optional(Type.String()),
	language: Type.String({ description: "As lang_type of the API." }),
};

const azimuth = Type.Optional(
	Type.Number({
		description:
			"Direction of arrival, in the coordinates of the array's geometry.",
	}),
);

export const utterancePayload = Type.Object(
	{
		...origin,
		index: Type.Integer({
			minimum: 1,
			description:
				"Sentence of this microphone since the appliance started; empty ones are counted but not published.",
		}),
		at_ms: timeMs("When it was published"),
		begin_ms: timeMs("Beginning of the sentence"),
		end_ms: timeMs("Its end"),
		text: Type.String(),
		spoken: Type.Optional(
			Type.String({ description: "Its reading in katakana." }),
		),
		confidence: Type.Number({ minimum: 0, maximum: 1 }),
		words: Type.Optional(Type.Array(word)),
		azimuth_deg: azimuth,
	},
	{ title: "A sentence recognized from a microphone" },
);

export const wakePayload = Type.Object(
	{
		...origin,
		at_ms: timeMs("When it was published"),
		begin_ms: timeMs("Beginning of the wake word"),
		end_ms: timeMs("Its end"),
		phrase: Type.String({ description: "As in wake_words." }),
		confidence: Type.Number({
			minimum: 0,
			maximum: 1,
			description: "Mean probability of its sounds.",
		}),
		azimuth_deg: azimuth,
	},
	{ title: "A wake word; what is said next is recognized, until a pause" },
);

function originOf({
	microphone,
	room,
	kiosk,
	language,
}: MicrophonePlace): Static<TObject<typeof origin>> {
	return {
		schema: schemaVersion,
		id: randomUUID(),
		microphone,
		...(room !== undefined && { room }),
		...(kiosk !== undefined && { kiosk }),
		language,
	};
}

export function wakeMessage(
	event: Extract<MicrophoneEvent, { readonly is: "wake" }>,
): Static<typeof wakePayload> {
	const { atMs, wake } = event;
	return {
		...originOf(event),
		at_ms: Math.round(atMs),
		begin_ms: Math.round(wake.beginAtMs),
		end_ms: Math.round(wake.endAtMs),
		phrase: wake.phrase,
		confidence: probability(wake.confidence),
		...(wake.azimuthDeg !== undefined && { azimuth_deg: wake.azimuthDeg }),
	};
}

type UtteranceEvent = Extract<
	MicrophoneEvent,
	{ readonly is: "partial" | "final" }
>;

export function utteranceMessage(
	event: UtteranceEvent,
): Static<typeof utterancePayload> {
	const { atMs, utterance } = event;
	const { index, beginAtMs, endAtMs, text, spoken, confidence, words } =
		utterance;
	return {
		...originOf(event),
		index,
		at_ms: Math.round(atMs),
		begin_ms: Math.round(beginAtMs),
		end_ms: Math.round(endAtMs),
		text,
		...(spoken !== undefined && { spoken }),
		confidence: probability(confidence),
		...(words.length > 0 && { words: words.map(wordFields) }),
		...(utterance.azimuthDeg !== undefined && {
			azimuth_deg: utterance.azimuthDeg,
		}),
	};
}
