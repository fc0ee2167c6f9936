import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const authSection = {
	required: setting(
		Type.Boolean(),
		true,
		"Whether every /v1 endpoint needs a token; false: anybody who reaches the port may use it.",
	),
	token_ttl_seconds: setting(
		Type.Integer({ minimum: 60, maximum: 3_153_600_000 }),
		604_800,
		"How long a token is valid unless requested otherwise (7 days).",
		{ needsRestart: false },
	),
	app_tokens_max: setting(
		Type.Integer({ minimum: 1, maximum: 1_000_000 }),
		10_000,
		"Tokens of one application that may be valid at the same time; a request for another one is refused with 100005.",
		{ needsRestart: false },
	),
	clock_skew_seconds: setting(
		Type.Integer({ minimum: 1, maximum: 86_400 }),
		300,
		"How far the timestamp of a signed token request may be from the server's clock.",
		{ needsRestart: false },
	),
	result_needs_token: setting(
		Type.Boolean(),
		false,
		"Polling a file's result by its task_id needs its owner's token as well (docs/files.md).",
	),
	rate_per_second: setting(
		Type.Number({ minimum: 0, maximum: 100_000 }),
		100,
		"Requests a second that one token may make in the long run; 0: no limit.",
		{ needsRestart: false },
	),
	rate_burst: setting(
		Type.Integer({ minimum: 1, maximum: 1_000_000 }),
		200,
		"Requests that one token may make at once before rate_per_second counts.",
		{ needsRestart: false },
	),
};
