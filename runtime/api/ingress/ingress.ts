/**
 * Home Assistant's ingress: its Supervisor forwards the requests of users that it has authenticated to a port that nobody else may reach, and says who they are
 * (developers.home-assistant.io, "Presenting your app"). Whoever connects from one of its addresses is believed, on that listener alone; connections of others are
 * closed before a byte is read.
 */
import type { Config } from "../../config/schema.js";
import type { Logger } from "../../log/log.js";
import { ownerOf } from "../../owner.js";
import {
	type AddressReader,
	type Arrival,
	TrustedProxies,
} from "../addressed.js";
import type { Addressed, Principal } from "../exchange.js";
import { ListenerStats } from "../listeners/listener-stats.js";
import { networkOf } from "../network-of.js";
import { isOriginOf } from "../origin.js";

const pathPattern = /^\/api\/hassio_ingress\/[\w-]{1,100}$/;
const userPattern = /^[^\p{Cc}]{1,100}$/u;
/** Of a request whose user is not named: Home Assistant is older than 2023.9, or asks for itself. */
const unnamedUser = "home-assistant";

export interface IngressParts {
	readonly settings: Pick<Config["ingress"], "allow">;
	/** Connections that are open now. */
	readonly open: () => number;
	readonly log: Logger;
}

export class Ingress implements AddressReader {
	readonly stats: ListenerStats;
	readonly #proxies: TrustedProxies;
	readonly #log: Logger;

	/** @throws ConfigError that names an invalid entry of `ingress.allow`. */
	constructor({ settings, open, log }: IngressParts) {
		this.#proxies = new TrustedProxies(settings.allow, "ingress.allow");
		this.stats = new ListenerStats("ingress", open);
		this.#log = log;
	}

	/** Whether a connection may stay. */
	admits(address: string): boolean {
		if (this.#proxies.includes(address)) {
			this.stats.connected(address);
			return true;
		}
		if (this.stats.refused("not allowed", networkOf(address)))
			this.#log.warn(
				{ address },
				"ingress: connection refused, ingress.allow does not have its address",
			);
		return false;
	}

	/**
	 * A request without the path that Home Assistant adds has no user: it needs a token, as everywhere else. Nor has what the page of another origin asks for, with
	 * the cookie of Home Assistant that the browser adds.
	 */
	addressed(request: Arrival): Addressed {
		const addressed = { ...this.#proxies.addressed(request), prefix: "" };
		const prefix = request.header("x-ingress-path") ?? "";
		const origin = request.header("origin");
		const isFromIngress =
			this.#proxies.includes(request.remoteAddress) &&
			pathPattern.test(prefix) &&
			(origin === undefined || isOriginOf(origin, addressed.host));
		if (!isFromIngress) return addressed;
		return { ...addressed, prefix, signedIn: userOf(request) };
	}
}

/** May do everything: the panel is for administrators of Home Assistant (`panel_admin`). */
function userOf(request: Arrival): Principal {
	const userName = request.header("x-remote-user-name")?.trim() ?? "";
	const name = userPattern.test(userName) ? userName : unnamedUser;
	const owner = ownerOf("ingress", name);
	return { id: owner, owner, name, may: () => true };
}
