import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const callsSection = {
	enabled: setting(
		Type.Boolean(),
		true,
		"Take the audio of telephone calls over WebSocket (/v1/calls); with tokens, as all of /v1.",
	),
	public: setting(
		Type.Boolean(),
		false,
		"Also take calls as services on the internet send them (Twilio's Media Streams), which send their token in the first message.",
	),
	partials: setting(
		Type.Boolean(),
		false,
		"Partial results of every call, for agents' screens and MQTT; false: only where its connection asks for them.",
	),
	callback_url: setting(
		Type.String(),
		"",
		"URL that gets the transcript of each call when it has ended, as callback_url does of a file's; empty: none.",
	),
	silent_seconds: setting(
		Type.Integer({ minimum: 2, maximum: 600 }),
		10,
		"After so many seconds without sound, a leg of a call gives its slot back until there is sound again.",
	),
	return_seconds: setting(
		Type.Integer({ minimum: 0, maximum: 600 }),
		5,
		"How long a call whose legs have left waits for one of them to come again before it has ended.",
	),
};
