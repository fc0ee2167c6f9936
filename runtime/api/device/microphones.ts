/** `GET /v1/microphones` and `POST /v1/microphones/{microphone}`: the microphones of the device. */
import { type Static, Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import { oneOf, parseJson } from "../../json/validate.js";
import type { MicrophoneStats } from "../../microphones/microphone-events.js";
import type { Microphones } from "../../microphones/microphones.js";
import {
	soundWarnings,
	warningText,
} from "../../microphones/sound-warnings.js";
import { success } from "../envelope.js";
import { readJson, smallBodyBytesMax } from "../json-body.js";
import type { Route } from "../router.js";

export type MicrophoneControl = Pick<
	Microphones,
	"stats" | "mute" | "talk" | "onEvent" | "isPushToTalk"
>;

const summaryProperties = {
	id: Type.String(),
	room: Type.String(),
	phase: Type.String({
		description:
			"starting, listening, waiting-for-wake-word, muted, waiting-for-talk, waiting-for-engine, no-device, stopped",
	}),
	trouble: Type.String({ description: "empty: none" }),
	trouble_code: Type.String({
		description: "ALSA's name of the error; empty: it is none of the device",
	}),
	muted: Type.Boolean(),
	levels_dbfs: Type.Array(Type.Number(), {
		description: "of each channel over the last second",
	}),
};

/** As it is in `GET /v1/status`. */
export const microphoneSummarySchema = Type.Object(summaryProperties);

const shownSchema = Type.Object({
	...summaryProperties,
	language: Type.String(),
	push_to_talk: Type.Boolean(),
	warnings: Type.Array(Type.String()),
	warning_codes: Type.Array(oneOf(soundWarnings)),
});

export type ShownMicrophone = Static<typeof shownSchema>;

const body = Type.Object({
	muted: Type.Optional(Type.Boolean()),
	talking: Type.Optional(
		Type.Boolean({
			description: "push to talk: the key is pressed or released",
		}),
	),
});

export function microphoneSummary(
	stats: MicrophoneStats,
): Static<typeof microphoneSummarySchema> {
	const { microphone, room = "", phase, muted, levelsDbfs } = stats;
	return {
		id: microphone,
		room,
		phase,
		muted,
		trouble: stats.trouble ?? "",
		trouble_code: stats.code ?? "",
		levels_dbfs: [...levelsDbfs],
	};
}

export function shownMicrophone(
	stats: MicrophoneStats,
	{ isPushToTalk }: Pick<MicrophoneControl, "isPushToTalk">,
): ShownMicrophone {
	const { microphone, language, warnings } = stats;
	return {
		...microphoneSummary(stats),
		language,
		push_to_talk: isPushToTalk(microphone),
		warnings: warnings.map(warningText),
		warning_codes: [...warnings],
	};
}

export function microphoneRoutes(
	microphones: MicrophoneControl,
	socket: Route["handle"],
): readonly Route[] {
	const shown = (it: MicrophoneStats) => shownMicrophone(it, microphones);
	return [
		{
			method: "GET",
			path: "/v1/microphones",
			access: "status",
			description: {
				summary: "The microphones of the device",
				answer: Type.Array(shownSchema),
				errors: [],
			},
			handle: async () => success(microphones.stats.map(shown)),
		},
		{
			method: "POST",
			path: "/v1/microphones/:microphone",
			access: "admin",
			description: {
				summary: "Mute a microphone, or push to talk",
				body: { type: "application/json", schema: body },
				answer: shownSchema,
				errors: ["200001", "200002", "200003", "200004"],
			},
			handle: async ({ request, params }) => {
				const given = await readJson(request, smallBodyBytesMax);
				const { muted, talking } = parseJson(body, given).values;
				const id = params.microphone ?? "";
				if (muted === undefined && talking === undefined)
					throw new CodedError("200001", "muted or talking is required");
				if (talking !== undefined) microphones.talk(id, talking); // first: it may be refused
				if (muted !== undefined) await microphones.mute(id, muted);
				const stats = microphones.stats.find((it) => it.microphone === id);
				return success(stats ? shown(stats) : null);
			},
		},
		{
			method: "GET",
			path: "/v1/microphones/:microphone/ws",
			access: "open", // the endpoint checks: a token may come as a subprotocol
			description: {
				summary: "WebSocket: what a microphone of the device hears",
				answer: Type.Null(),
				errors: ["110001", "110002", "110003", "200002", "230001"],
			},
			handle: socket,
		},
	];
}
