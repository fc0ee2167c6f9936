/** The commands of a device (`cmd/<name>`), and their replies. */
import { type Static, Type } from "@sinclair/typebox";
import { fleetCommands } from "../../config/sections/fleet.js";
import { listOfText, oneOf } from "../../json/validate.js";
import { hotwordsMaxOfRequest } from "../../session/options.js";
import { type Scope, scopes } from "../../store/token-row.js";
import { schema } from "./schema-version.js";

export type CommandName = (typeof fleetCommands)[number];

/**
 * Allowed in any command: a text that is returned in the reply, for senders that can't use MQTT 5 correlation data. A repeated text means a repeated request.
 */
const request = Type.Optional(
	Type.String({
		maxLength: 200,
		description: "Returned in the reply.",
	}),
);
const microphone = Type.String({
	maxLength: 32,
	description: "Id of a [[microphone]].",
});

export const commandPayloads = {
	reload: Type.Object(
		{ request },
		{ title: "Reload the configuration", description: "As SIGHUP does." },
	),
	mute: Type.Object(
		{ request, microphone, muted: Type.Boolean() },
		{ title: "Mute or unmute a microphone" },
	),
	talk: Type.Object(
		{ request, microphone, talking: Type.Boolean() },
		{ title: "Push to talk: the key is pressed or released" },
	),
	hotwords: Type.Object(
		{
			request,
			microphone,
			words: Type.Optional(
				Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
					maxItems: hotwordsMaxOfRequest,
					"x-normalise": listOfText,
					"x-expects": `a list of at most ${hotwordsMaxOfRequest} texts of 1 to 100 characters`,
					description:
						"Absent: back to the configured ones. May also be a string: a JSON array, or words separated by |.",
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
			format: Type.String({
				maxLength: 100,
				description: "Of the file, as in an upload.",
			}),
		},
		{
			title: "Transcribe the file behind a URL",
			description:
				"Also takes the options of POST /v1/asrfile/upload. The reply has data.task_id; the result is published on tasks/<id>. A repetition with the same request, or the same correlation data and options, within a day gets the first task, and data.repeated.",
		},
	),
	"restart-engine": Type.Object(
		{
			request,
			lane: oneOf(["live", "batch"], { default: "live" }),
		},
		{ title: "Restart a recognition engine" },
	),
	pair: Type.Object(
		{
			request,
			name: Type.String({
				default: "console",
				pattern: "^[^\\p{Cc}]{1,100}$",
				"x-expects": "1 to 100 characters without control characters",
				description: "Who will use it.",
			}),
			scopes: Type.Array(
				Type.Unsafe<Scope>({ type: "string", enum: [...scopes] }),
				{
					minItems: 1,
					maxItems: scopes.length,
					default: ["asr", "hotwords", "files", "status"],
					"x-normalise": listOfText,
					"x-expects": `a list of ${scopes.join(", ")}`,
					description: "What the browser may do; admin is everything.",
				},
			),
		},
		{
			title: "A pairing code for the console",
			description:
				"Needs a response topic. The reply has data.address, data.code, data.link (the address with the code and the fingerprint of the certificate, for a QR code) and data.expires_ms. The code is good once.",
		},
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
	{ title: "The reply to a command" },
);

export type ReplyMessage = Static<typeof replyPayload>;

export function isCommand(name: string): name is CommandName {
	return (fleetCommands as readonly string[]).includes(name);
}
