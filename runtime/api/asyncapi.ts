/** `GET /v1/asyncapi.json`: what is sent over WebSockets and MQTT, in one document made from the schemas that check it. */
import { type TSchema, Type } from "@sinclair/typebox";
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
	const document = new ConstantDocument("application/json; charset=utf-8", () =>
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
				"RecognitionStarted, RecognitionResultChanged, RecognitionCompleted; TranscriptionStarted, SentenceBegin, TranscriptionResultChanged, SentenceEnd, TranscriptionCompleted; TaskFailed",
		}),
		task_id: Type.String(),
		status: Type.String(),
		status_text: Type.String(),
	}),
	payload: Type.Object({
		index: Type.Integer(),
		time: Type.Integer({ description: "audio heard so far, milliseconds" }),
		begin_time: Type.Integer(),
		result: Type.String(),
		confidence: Type.Number(),
		words: Type.Array(Type.Object({})),
	}),
});

function withSockets(fleet: AsyncApi): AsyncApi {
	const starts = Object.entries(namespaces).map(
		([namespace, { start, payload }]): [string, object] => [
			start,
			message(
				Type.Object({
					header: Type.Object({
						namespace: Type.Literal(namespace),
						name: Type.Literal(start),
					}),
					payload,
				}),
			),
		],
	);
	return {
		...fleet,
		channels: {
			"asr-ws": {
				address: "/v1/asr/ws",
				description:
					"Live speech over a WebSocket: a start message, audio as binary frames, results. An earlier stop gets the last result.",
				messages: { ...Object.fromEntries(starts), result: message(results) },
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

function message(payload: TSchema): object {
	return { payload };
}
