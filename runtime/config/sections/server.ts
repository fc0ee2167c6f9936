import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

/** As in the header `Origin`, with which it is compared as text; apps and extensions have schemes of their own (`capacitor://localhost`, `file://`). */
const originPattern =
	"^(\\*|null|(?!https?:)[A-Za-z][A-Za-z0-9+.-]*://[^/\\s]*|(?!https://.*:443$)(?!http://.*:80$)https?://[a-z0-9._:\\[\\]-]+)$";

export const serverSection = {
	host: setting(
		Type.String({ minLength: 1 }),
		"0.0.0.0",
		"Address to listen on; 127.0.0.1 accepts only this machine, :: accepts IPv6 as well.",
	),
	port: setting(
		Type.Integer({ minimum: 0, maximum: 65535 }),
		7100,
		"TCP port; 0: any free one.",
	),
	public_url: setting(
		Type.String({ pattern: "^(https?://[^/?#\\s]+(/[^?#\\s]*)?)?$" }),
		"",
		"This server's address as clients reach it (https://asr.example), for links to stored audio; empty: the address that each client used.",
	),
	trusted_proxies: setting(
		Type.Array(Type.String({ minLength: 1 })),
		[],
		"Addresses and networks of proxies in front (127.0.0.1): only from these X-Forwarded-Host, X-Forwarded-Proto, X-Forwarded-Prefix and X-Ingress-Path count.",
	),
	connections_max: setting(
		Type.Integer({ minimum: 4, maximum: 100_000 }),
		1024,
		"Open connections; more are closed at once. Fewer if the limit of open files does not allow as many.",
	),
	network_share_max: setting(
		Type.Number({ minimum: 0.01, maximum: 1 }),
		0.5,
		"Share of the connections that one address may hold (of IPv6: one /64): requests and sessions past it are refused with 100004, connections a little past it are closed at once; 1: all of them.",
	),
	caller_share_max: setting(
		Type.Number({ minimum: 0.01, maximum: 1 }),
		0.75,
		"Share of the connections that requests and sessions of one caller may hold (a token's name, an application, or where no token is needed an address); more are refused with 100004; 1: all of them.",
	),
	// uWebSockets ends the whole process at start on 1 to 7 and above 960
	idle_timeout_seconds: setting(
		Type.Union([Type.Literal(0), Type.Integer({ minimum: 8, maximum: 960 })]),
		120,
		"A WebSocket whose peer has sent nothing for this many seconds, and answers no ping, is closed; 0: never.",
	),
	header_bytes_max: setting(
		Type.Integer({ minimum: 1024, maximum: 65_536 }),
		65_536,
		"Bytes of the path with its query and of all headers of one request; a hundred hotwords in a query need nearly as many.",
	),
	drain_seconds: setting(
		Type.Integer({ minimum: 0, maximum: 600 }),
		10,
		"At a stop, requests in progress get this many seconds to finish.",
		{ needsRestart: false },
	),
	cors_origins: setting(
		Type.Array(Type.String({ pattern: originPattern }), {
			"x-expects":
				'a list of "*" or origins as browsers send them: https://HOST or https://HOST:PORT in lower case, without a path or the usual port',
		}),
		[],
		'Web origins whose pages may call the API ("*": any); empty turns CORS off.',
		{ needsRestart: false },
	),
};
