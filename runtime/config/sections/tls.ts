import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

/** Its last label is not a number, by which addresses are known (RFC 3696, section 2). */
const hostName =
	"(?=.*[A-Za-z-][A-Za-z0-9-]*$)[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?";
const byte = "(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])";
const ipv4 = `${byte}(?:\\.${byte}){3}`;
/** Groups of up to four digits; at most one gap, which is no longer than two colons. */
const ipv6 = `(?=.*::|(?:[^:]*:){6,7}[^:]*$)(?!.*:::|.*::.+::|.*[0-9A-Fa-f]{5})[0-9A-Fa-f:]{2,39}(?:(?<=:)${ipv4})?`;
const nameOrAddress = `^(?:${hostName}|${ipv4}|${ipv6})$`;

export const tlsSection = {
	port: setting(
		Type.Integer({ minimum: 0, maximum: 65535 }),
		7143,
		"TCP port of HTTPS, with everything that server.port serves; browsers give a page their microphone only there. 0: no HTTPS.",
	),
	names: setting(
		Type.Array(Type.String({ pattern: nameOrAddress }), {
			maxItems: 32,
			"x-expects":
				"a list of at most 32 host names and addresses, without ports: asr.lan, 10.0.0.7, fd00::7",
		}),
		[],
		"Further names and addresses under which clients reach this device, for its certificate; its host name and local addresses are in it already, but not those of containers' networks.",
	),
	cert_file: setting(
		Type.String(),
		"",
		"Certificate to use instead of the device's own, with those that signed it (PEM); read again at a reload. Empty: the device makes its own.",
	),
	key_file: setting(
		Type.String(),
		"",
		"Private key of cert_file (PEM); empty: it is in cert_file.",
	),
	required: setting(
		Type.Boolean(),
		false,
		"Refuse tokens that arrive over plain HTTP from other machines.",
		{ needsRestart: false },
	),
};
