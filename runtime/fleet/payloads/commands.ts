/** What may be asked of a device (`cmd/<name>`), and how it answers. */
import { type Static, Type } from "@sinclair/typebox";
import { fleetCommands } from "../../config/sections/fleet.js";
import { listOfText } from "../../json/validate.js";
import { schema } from "./schema-version.js";

export type CommandName = (typeof fleetCommands)[number];

/** Any command may carry it: a text that comes back in the reply, where correlation data of MQTT 5 can't be had. One that comes twice asks for one task. */
const request = Type.Optional(
	Type.String({
		maxLength: 200,
		description: "Comes back in the reply.",
	}),
);
const microphone = Type.String({
	maxLength: 32,
	description: "Id of a [[microphone]].",
});

export const commandPayloads = {
	reload: Type.Object(
		{ request },
		{ title: "Read the configuration anew", description: "As SIGHUP does." },
	),
	mute: Type.Object(
		{ request, microphone, muted: Type.Boolean() },
		{ title: "Mute a microphone, or hear it again" },
	),
	talk: Type.Object(
		{ request, microphone, talking: Type.Boolean() },
		{ title: "Push to talk: the key goes down, or up" },
	),
	hotwords: Type.Object(
		{
			request,
			microphone,
			words: Type.Optional(
				Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
					maxItems: 100,
					"x-normalise": listOfText,
					description:
						"Absent: the configured ones again. Also as a text: a JSON array, or words separated by |.",
				}),
			),
		},
		{ title: "Hotwords of a microphone, until the appliance stops" },
	),
	transcribe: Type.Object(
		{
			request,
			file_url: Type.String({ minLength: 1, maxLength: 2048 }),
			lang_type: Type.String({ maxLength: 100 }),
		},
		{
			title: "Transcribe the file behind a URL",
			description:
				"Also takes the options of POST /v1/asrfile/upload. Answers data.task_id; the result comes as tasks/<id>. Who asks again with the same request, or the same correlation data and options, within a day gets the first one's, and data.repeated.",
		},
	),
	"restart-engine": Type.Object(
		{
			request,
			lane: Type.Unsafe<"live" | "batch">({
				type: "string",
				enum: ["live", "batch"],
				default: "live",
			}),
		},
		{ title: "Replace a recognition engine by a fresh one" },
	),
} as const satisfies Record<CommandName, unknown>;

export const replyPayload = Type.Object(
	{
		schema,
		command: Type.String(),
		request,
		status: Type.String({ description: "000000, or a code of the API." }),
		message: Type.String(),
		data: Type.Union([Type.Null(), Type.Object({})]),
	},
	{ title: "What became of a command" },
);

export type ReplyMessage = Static<typeof replyPayload>;

export function isCommand(name: string): name is CommandName {
	return (fleetCommands as readonly string[]).includes(name);
}
