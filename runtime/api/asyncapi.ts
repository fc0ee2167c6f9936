/** `GET /v1/asyncapi.json`: what is sent over WebSockets and MQTT, in one document made from the schemas that check it. */
import { Type } from "@sinclair/typebox";
import { sentSchema } from "../json/sent-schema.js";
import { ConstantDocument } from "./constant-document.js";
import { recognizerOptions, transcriberOptions } from "./live/live-options.js";
import type { Route } from "./router.js";

export interface AsyncApi {
	readonly channels: Readonly<Record<string, object>>;
	readonly operations: Readonly<Record<string, object>>;
	readonly [part: string]: unknown;
}

/** @param fleet the document of MQTT, made by the composition root: the API does not know the fleet. */
export function asyncApiRoute(fleet: () => AsyncApi): Route {
	const document = new ConstantDocument(
		"application/json; charset=utf-8",
		async () =>
			JSON.stringify(withSockets(fleet()), (key, value: unknown) =>
				key.startsWith("x-") ? undefined : value,
			),
	);
	return {
		method: "GET",
		path: "/v1/asyncapi.json",
		access: "token",
		description: {
			summary: "Messages of WebSockets and MQTT, as AsyncAPI 3",
			answer: Type.Object({}),
			answerType: "application/json",
			errors: [],
		},
		handle: ({ request }) => document.answer(request),
	};
}

const namespaces = {
	SpeechRecognizer: { start: "StartRecognition", payload: recognizerOptions },
	SpeechTranscriber: {
		start: "StartTranscription",
		payload: transcriberOptions,
	},
} as const;

const results = Type.Object({
	header: Type.Object({
		namespace: Type.String(),
		name: Type.String({
			description:
				"RecognitionStarted, RecognitionResultChanged, RecognitionCompleted; TranscriptionStarted, SentenceBegin, TranscriptionResultChanged, SentenceEnd, TranscriptionCompleted, WakeWordDetected, WaitingForWakeWord; TaskFailed and pong, whose payload has user_id only",
		}),
		status: Type.String(),
		status_text: Type.String(),
		task_id: Type.String(),
		message_id: Type.String(),
		app_id: Type.String({ description: "the token's name" }),
		user_id: Type.Optional(Type.String()),
	}),
	payload: Type.Object({
		index: Type.Optional(Type.Integer()),
		time: Type.Optional(
			Type.Integer({ description: "audio processed so far, milliseconds" }),
		),
		begin_time: Type.Optional(Type.Integer()),
		speaker_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
		result: Type.Optional(Type.String()),
		spoken: Type.Optional(Type.String()),
		confidence: Type.Optional(Type.Number()),
		lang_type: Type.Optional(
			Type.String({ description: "where it was identified, at the end" }),
		),
		words: Type.Optional(
			Type.Union([Type.Array(Type.Object({})), Type.Null()]),
		),
		audio_url: Type.Optional(Type.String()),
		user_id: Type.Optional(Type.String()),
	}),
});

const control = Type.Object({
	header: Type.Object({
		namespace: Type.String(),
		name: Type.String({
			description:
				"StopRecognition; StopTranscription, SentenceEnd, SpeakerStart; ping",
		}),
	}),
	payload: Type.Optional(
		Type.Object({
			speaker_id: Type.Optional(
				Type.String({ description: "of SpeakerStart, which requires it" }),
			),
		}),
	),
});

function withSockets(fleet: AsyncApi): AsyncApi {
	const starts = Object.entries(namespaces).map(
		([namespace, { start, payload }]): [string, object] => [
			start,
			message(
				sentSchema(
					Type.Object({
						header: Type.Object({
							namespace: Type.Literal(namespace),
							name: Type.Literal(start),
						}),
						payload,
					}),
				),
			),
		],
	);
	return {
		...fleet,
		channels: {
			"asr-ws": {
				address: "/v1/asr/ws",
				description:
					"Live speech over a WebSocket: a start message, audio as binary frames, results. A stop message gets the last result. See docs/live.md.",
				messages: {
					...Object.fromEntries(starts),
					control: message(control),
					result: message(results),
				},
			},
			realtime: {
				address: "/v1/realtime",
				description:
					"OpenAI's Realtime transcription over a WebSocket: its own events, see docs/realtime.md.",
				messages: { event: message(Type.Object({ type: Type.String() })) },
			},
			...fleet.channels,
		},
		operations: {
			speak: { action: "receive", channel: { $ref: "#/channels/asr-ws" } },
			...fleet.operations,
		},
	};
}

function message(payload: object): object {
	return { payload };
}
