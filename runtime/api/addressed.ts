/**
 * What a client addressed: host, scheme and path in front of ours. A request says so itself; behind a proxy the proxy's headers do, but anybody may send those:
 * they count only from the addresses in `server.trusted_proxies`.
 */
import { ConfigError } from "../config/config-error.js";
import type { Addressed, ApiRequest } from "./exchange.js";
import { AllowedNetworks } from "./listeners/allowed-networks.js";

/** A request as it arrived at this server's socket. */
export type Arrival = Pick<ApiRequest, "header" | "isSecure" | "remoteAddress">;

/** Reads what the client of a request addressed. */
export interface AddressReader {
	addressed(request: Arrival): Addressed;
}

const hostPattern =
	/^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;
const prefixPattern = /^(?:\/[A-Za-z0-9._~-]{1,100}){1,10}\/?$/;

/** Of WebSockets some proxies say `wss` (Traefik). */
const secureSchemes = ["https", "wss"];

export class TrustedProxies implements AddressReader {
	readonly #networks: AllowedNetworks;

	/**
	 * @param entries addresses and networks
	 * @param setting they are from
	 * @throws ConfigError that names an invalid one.
	 */
	constructor(
		entries: readonly string[] = [],
		setting = "server.trusted_proxies",
	) {
		try {
			this.#networks = new AllowedNetworks(entries, setting);
		} catch (error) {
			throw new ConfigError((error as Error).message);
		}
	}

	includes(address: string): boolean {
		return this.#networks.has(address);
	}

	addressed(request: Arrival): Addressed {
		const own = {
			host: validHost(request.header("host")),
			isSecure: request.isSecure,
			prefix: "",
		};
		if (!this.includes(request.remoteAddress)) return own;
		const scheme = forwarded(request, "x-forwarded-proto")?.toLowerCase();
		const host = forwarded(request, "x-forwarded-host");
		return {
			host: host === undefined ? own.host : validHost(host),
			// a proxy on this device may itself have been asked over plain HTTP
			isSecure:
				scheme === undefined ? own.isSecure : secureSchemes.includes(scheme),
			prefix: prefixOf(request),
		};
	}
}

/** The last of several values: the one that the trusted proxy itself has added. Those before it may be the client's. */
function forwarded(request: Arrival, name: string): string | undefined {
	return request.header(name)?.split(",").at(-1)?.trim();
}

function validHost(host = ""): string | undefined {
	return hostPattern.test(host) ? host : undefined;
}

function prefixOf(request: Arrival): string {
	const prefix =
		forwarded(request, "x-forwarded-prefix") ??
		forwarded(request, "x-ingress-path");
	return prefix !== undefined && prefixPattern.test(prefix)
		? prefix.replace(/\/$/, "")
		: "";
}
