/** The settings of an endpoint with a listener of its own: off by default, since its protocol has no credentials. */
import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

const privateNetworks = [
	"127.0.0.0/8",
	"::1",
	"10.0.0.0/8",
	"172.16.0.0/12",
	"192.168.0.0/16",
	"169.254.0.0/16",
	"fe80::/10",
	"fc00::/7",
];

/** @param doc of the switch. */
export function listenerSettings(doc: string, port: number) {
	return {
		enabled: setting(Type.Boolean(), false, doc),
		host: setting(
			Type.String({ minLength: 1 }),
			"0.0.0.0",
			"Address to listen on; 127.0.0.1 accepts only this machine, :: accepts IPv6 as well.",
		),
		port: setting(
			Type.Integer({ minimum: 0, maximum: 65_535 }),
			port,
			"TCP port; 0: any free one.",
		),
		allow: setting(
			Type.Array(Type.String({ minLength: 1 })),
			privateNetworks,
			"Addresses and networks that are answered; connections of all others are closed at once.",
		),
	};
}
