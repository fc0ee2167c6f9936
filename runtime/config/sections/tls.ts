import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

/** A host name, or an address of IPv4 or IPv6. */
const nameOrAddress =
	"^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$|^[0-9A-Fa-f:.]{2,45}$";

export const tlsSection = {
	port: setting(
		Type.Integer({ minimum: 0, maximum: 65535 }),
		7143,
		"TCP port of HTTPS, with everything that server.port serves; browsers give a page their microphone only there. 0: no HTTPS.",
	),
	names: setting(
		Type.Array(Type.String({ pattern: nameOrAddress }), { maxItems: 32 }),
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
