/** Recognized speech of telephone calls, on the topics of microphones: `events/final`, `events/partial`. */
import { randomUUID } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import type { CallEvent } from "../../calls/call-events.js";
import { probability } from "../../session/probability.js";
import { wordFields } from "../../session/word-fields.js";
import { word } from "./events.js";
import { schema, schemaVersion, timeMs } from "./schema-version.js";

export const callUtterancePayload = Type.Object(
	{
		schema,
		id: Type.String({
			description: "Of this message: a repeated delivery has the same id.",
		}),
		call: Type.String({ description: "As its legs named it." }),
		leg: Type.String({ description: "As it named itself." }),
		channel: Type.Integer({
			minimum: 1,
			maximum: 2,
			description: "The speaker in the transcript.",
		}),
		task_id: Type.String({ description: "Of the transcript." }),
		language: Type.String({ description: "As lang_type of the API." }),
		index: Type.Integer({
			minimum: 1,
			description: "Sentence of this leg.",
		}),
		at_ms: timeMs("When it was published"),
		begin_ms: timeMs("Beginning of the sentence"),
		end_ms: timeMs("Its end"),
		text: Type.String(),
		confidence: Type.Number({ minimum: 0, maximum: 1 }),
		words: Type.Optional(Type.Array(word)),
	},
	{ title: "A sentence recognized from a leg of a call" },
);

export type CallUtteranceEvent = Extract<
	CallEvent,
	{ readonly is: "partial" | "final" }
>;

export function callUtteranceMessage(
	event: CallUtteranceEvent,
	atMs: number,
): Static<typeof callUtterancePayload> {
	const { call, leg, speaker, taskId, language, beganAtMs, utterance } = event;
	const { index, text, confidence, words, beginMs, endMs, spokenIn } =
		utterance;
	return {
		schema: schemaVersion,
		id: randomUUID(),
		call,
		leg,
		channel: speaker,
		task_id: taskId,
		index,
		language: spokenIn ?? language,
		at_ms: Math.round(atMs),
		begin_ms: Math.round(beganAtMs + beginMs),
		end_ms: Math.round(beganAtMs + endMs),
		text,
		confidence: probability(confidence),
		...(words.length > 0 && {
			words: words.map((it) =>
				wordFields({
					...it,
					startMs: it.startMs - beginMs,
					endMs: it.endMs - beginMs,
				}),
			),
		}),
	};
}
