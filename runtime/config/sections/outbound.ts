/** Requests that the appliance makes for clients: files that it fetches, callbacks that it posts. */
import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const outboundSection = {
	allow: setting(
		Type.Array(Type.String({ minLength: 1 })),
		[],
		'Where file_url and callback_url may lead beside the public internet: host names, addresses and CIDRs ("nas.local", "192.168.1.0/24").',
		{ needsRestart: false },
	),
	file_seconds_max: setting(
		Type.Integer({ minimum: 1, maximum: 86_400 }),
		1800,
		"How long the download of one file_url may take.",
	),
};
