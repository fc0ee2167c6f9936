/** The port of Home Assistant's proxy. */
import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const ingressSection = {
	enabled: setting(
		Type.Boolean(),
		false,
		"Serve Home Assistant's ingress on a port of its own, without a login: Home Assistant has authenticated its users. Only for the add-on.",
	),
	host: setting(
		Type.String({ minLength: 1 }),
		"0.0.0.0",
		"Address to listen on.",
	),
	port: setting(
		Type.Integer({ minimum: 0, maximum: 65_535 }),
		8099,
		"TCP port, the same as ingress_port of the add-on; 0: any free one.",
	),
	allow: setting(
		Type.Array(Type.String({ minLength: 1 })),
		["172.30.32.2"],
		"Addresses and networks of Home Assistant's proxy; connections of all others are closed at once, since nobody is asked for a token here.",
	),
};
