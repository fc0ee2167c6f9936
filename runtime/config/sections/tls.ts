import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

/** Its last label is not a number, by which addresses are known (RFC 3696, section 2). */
const hostName =
	"(?=.*[A-Za-z-][A-Za-z0-9-]*$)[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?";
const byte = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const ipv4 = `${byte}(?:\\.${byte}){3}`;
const group = "[0-9A-Fa-f]{1,4}";
/** Eight groups, of which an address of IPv4 may be the last two; "::" stands for one or more (RFC 4291, section 2.2). */
const ipv6 = [
	`(?:${group}:){7}${group}`,
	`(?:${group}:){6}${ipv4}`,
	...[0, 1, 2, 3, 4, 5, 6, 7].map(groupsThenGap),
].join("|");

function groupsThenGap(before: number): string {
	const after = [
		...(before < 7 ? [`(?:${group}:){0,${6 - before}}${group}`] : []),
		...(before < 6 ? [`(?:${group}:){0,${5 - before}}${ipv4}`] : []),
	];
	const rest = after.length > 0 ? `(?:${after.join("|")})?` : "";
	return `${before === 0 ? ":" : `(?:${group}:){${before}}`}:${rest}`;
}

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
