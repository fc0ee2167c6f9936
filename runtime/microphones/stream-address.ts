/** A microphone that is a stream of the network: a camera, an intercom, a radio station. */

/** What it takes to connect to one. */
export interface StreamAccess {
	/** `outbound.allow`: its address must be one that `AddressRules` allows with it. */
	readonly allow: readonly string[];
	/** `user:password`; undefined: it needs none. */
	readonly login?: string;
	/** What the certificate of an `https:` address is checked against: a PEM file, or the authorities of the system; undefined: it is not. */
	readonly trusted?: "system" | { readonly file: string };
}

const schemes = /^(rtsps?|https?):\/\//i;

/** Ports of addresses that name none. */
const ports: Readonly<Record<string, number>> = {
	"rtsp:": 554,
	"rtsps:": 322,
	"http:": 80,
	"https:": 443,
};

/** Whether a `device` is an address; otherwise it is a name of ALSA's. */
export function isStream(device: string): boolean {
	return schemes.test(device);
}

/** @returns why an address can't be used; undefined if it can. */
export function streamFault(device: string): string | undefined {
	const address = URL.canParse(device) ? new URL(device) : undefined;
	if (!address || address.hostname === "") return "is no address";
	if (address.username !== "" || address.password !== "")
		return "must not contain a user name or password: it would be shown; they are a credential of the service manager";
	return undefined;
}

/** @param device without a fault. */
export function placeOfStream(device: string): { host: string; port: number } {
	const { hostname, port, protocol } = new URL(device);
	return {
		host: hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, ""),
		port: port === "" ? (ports[protocol] ?? 0) : Number(port),
	};
}
