/** Requests that the appliance makes for clients: files that it fetches, callbacks that it posts. */
import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const outboundSection = {
	allow: setting(
		Type.Array(Type.String({ minLength: 1 })),
		[],
		'What file_url, callback_url, streams of microphones and shared files may reach beside public addresses outside the networks of the device: host names, addresses and CIDRs ("nas.local", "192.168.1.0/24").',
		{ needsRestart: false },
	),
	file_seconds_max: setting(
		Type.Integer({ minimum: 1, maximum: 86_400 }),
		1800,
		"How long the download of one file_url may take.",
	),
};
